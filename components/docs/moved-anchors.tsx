"use client";
import { useEffect } from "react";

/**
 * Redirects old addresses such as `/docs#token`, an anchor on a former single page. The element with that id contains
 * the link to the new page. The server can't redirect, because a fragment never reaches it (RFC 9110 §7.1).
 */
export const MovedAnchors = () => {
  useEffect(() => {
    const follow = () => {
      const place = document.getElementById(decodeURIComponent(window.location.hash.slice(1)));
      const link = place?.dataset["moved"] === undefined ? null : place.querySelector("a");
      if (link) window.location.replace(link.href);
    };
    follow();
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);
  return null;
};
