"use client";
import { useEffect, useRef } from "react";
import { Link } from "../../ui/link.tsx";
import styles from "./list-tabs.module.css";

type Tab = { href: string; label: string };

/** Scrolls horizontally until the current tab is in the middle. On wide screens, nothing scrolls. */
const centerCurrent = (tabs: HTMLElement): void => {
  const current = tabs.querySelector("[aria-current]")?.getBoundingClientRect();
  if (!current) return;
  const frame = tabs.getBoundingClientRect();
  tabs.scrollLeft += current.left - frame.left - (frame.width - current.width) / 2;
};

/** Links between the views of a list. @param current the `href` of the view that is shown */
export const ListTabs = ({ label, tabs, current }: { label: string; tabs: readonly Tab[]; current: string }) => {
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when the current tab changes
  useEffect(() => {
    if (nav.current) centerCurrent(nav.current);
  }, [current]);
  return (
    <nav ref={nav} className={styles.tabs} aria-label={label}>
      {tabs.map((tab) => (
        <Link key={tab.href} href={tab.href} aria-current={tab.href === current ? "page" : undefined}>
          {tab.label}
        </Link>
      ))}
    </nav>
  );
};
