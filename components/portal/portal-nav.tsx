"use client";
import Link, { useLinkStatus } from "next/link";
import { usePathname } from "next/navigation";
import { useEffect, useState } from "react";
import styles from "./portal-shell.module.css";

export type PortalLink = { href: string; label: string };

/** @param links the first is the portal's home page. */
export const PortalNav = ({ label, links }: { label: string; links: readonly PortalLink[] }) => {
  const pathname = usePathname();
  const isHere = (href: string) => pathname === href || (href !== links[0]?.href && pathname.startsWith(`${href}/`));
  return (
    <nav className={styles.nav} aria-label={label}>
      {links.map(({ href, label }) => (
        <Link key={href} href={href} aria-current={isHere(href) ? "page" : undefined}>
          {label}
          <PendingMark />
        </Link>
      ))}
    </nav>
  );
};

const delayMilliseconds = 150;

/** Marks the link's page as loading, after a short delay, so that fast pages show no skeleton. */
const PendingMark = () => {
  const { pending } = useLinkStatus();
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (!pending) return setIsShown(false);
    const timer = setTimeout(() => setIsShown(true), delayMilliseconds);
    return () => clearTimeout(timer);
  }, [pending]);
  return isShown ? <span data-pending="" /> : null;
};
