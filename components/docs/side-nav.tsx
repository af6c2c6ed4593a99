"use client";
import { type ReactNode, useEffect, useRef } from "react";
import styles from "./side-nav.module.css";

/** Scrolls a long table of contents until the link to the current page is in the middle. The page doesn't scroll. */
const centerCurrent = (nav: HTMLElement): void => {
  const current = nav.querySelector('[aria-current="page"]')?.getBoundingClientRect();
  if (!current) return;
  const frame = nav.getBoundingClientRect();
  nav.scrollTop += current.top - frame.top - (frame.height - current.height) / 2;
};

/** The table of contents of a long page. It is beside the page if there is room, otherwise folded above it. */
export const SideNav = ({ label, summary, children }: { label: string; summary: string; children: ReactNode }) => {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    if (nav.current) centerCurrent(nav.current);
  }, []);
  return (
    <>
      <nav ref={nav} className={styles.beside} aria-label={label}>
        {children}
      </nav>
      <details className={styles.above}>
        <summary>{summary}</summary>
        <nav aria-label={label}>{children}</nav>
      </details>
    </>
  );
};
