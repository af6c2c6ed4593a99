"use client";
import { useEffect, useRef } from "react";
import styles from "../../portal/portal.module.css";

/**
 * The HTML part of an e-mail, in a frame as tall as its content. The sandbox allows no scripts, forms, popups or
 * navigation of this page. It keeps this page's origin, so that this page can read the height of the content.
 */
export const MailFrame = ({ html }: { html: string }) => {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const { current } = frame;
    if (!current) return;
    const fit = () => {
      const content = current.contentDocument;
      // While the frame loads, its document has no body.
      if (content?.body?.hasChildNodes()) current.style.height = `${content.documentElement.offsetHeight}px`;
    };
    fit();
    current.addEventListener("load", fit);
    window.addEventListener("resize", fit);
    return () => {
      current.removeEventListener("load", fit);
      window.removeEventListener("resize", fit);
    };
  }, []);
  return (
    <iframe ref={frame} className={styles.frame} title="HTML of the e-mail" sandbox="allow-same-origin" srcDoc={html} />
  );
};
