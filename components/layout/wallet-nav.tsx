"use client";
import Link, { useLinkStatus } from "next/link";
import { usePathname } from "next/navigation";
import { useEffect, useState } from "react";
import styles from "./wallet-shell.module.css";

const links = [
  { href: "/wallet", label: "Home" },
  { href: "/wallet/mandates", label: "Mandates" },
  { href: "/wallet/activity", label: "Activity" },
  { href: "/wallet/payment-methods", label: "Payment methods" },
  { href: "/wallet/security", label: "Security" },
] as const;

export const WalletNav = () => {
  const pathname = usePathname();
  const isHere = (href: string) => pathname === href || (href !== "/wallet" && pathname.startsWith(`${href}/`));
  return (
    <nav className={styles.nav} aria-label="Wallet">
      {links.map(({ href, label }) => (
        <Link key={href} href={href} aria-current={isHere(href) ? "page" : undefined}>
          {label}
          <PendingMark />
        </Link>
      ))}
    </nav>
  );
};

const patienceMilliseconds = 150;

/** Marks the shell while its link's page is awaited; what comes quickly shows no skeleton at all. */
const PendingMark = () => {
  const { pending } = useLinkStatus();
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (!pending) return setIsShown(false);
    const timer = setTimeout(() => setIsShown(true), patienceMilliseconds);
    return () => clearTimeout(timer);
  }, [pending]);
  return isShown ? <span data-pending="" /> : null;
};
