"use client";
import { useEffect } from "react";

/**
 * Redirects old addresses: `/docs#token` was an anchor on a single long page. The element with that id holds the
 * link to the page that replaced it; a fragment never reaches the server (RFC 9110 §4.2.5).
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
