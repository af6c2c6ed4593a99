"use client";
import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { Icon } from "../ui/icon.tsx";
import { Link } from "../ui/link.tsx";
import styles from "./portal-shell.module.css";

/** Links with the same `group` are listed below its name, after the links without one. */
export type PortalLink = { href: string; label: string; group?: string };

/**
 * The current page's link: the longest href that is the path or a parent of it. The home link matches only the home
 * page.
 */
const useCurrentLink = (links: readonly PortalLink[]): PortalLink | null => {
  const pathname = usePathname();
  const [home] = links;
  if (pathname === home?.href) return home;
  const containing = links.slice(1).filter(({ href }) => pathname === href || pathname.startsWith(`${href}/`));
  return containing.sort((left, right) => right.href.length - left.href.length)[0] ?? null;
};

/** @param links the first is the portal's home page. */
export const PortalNav = ({
  label,
  links,
  menuId,
}: {
  label: string;
  links: readonly PortalLink[];
  menuId: string;
}) => {
  const current = useCurrentLink(links);
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // A long menu scrolls. Its current link is shown after each change of page.
    if (current) nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const groups = [undefined, ...new Set(links.flatMap(({ group }) => group ?? []))];
  return (
    <nav ref={nav} className={styles.nav} aria-label={label}>
      {groups.map((name) => (
        <div key={name ?? ""} className={styles.group}>
          {name ? <p className={styles.groupName}>{name}</p> : null}
          {links
            .filter(({ group }) => group === name)
            .map((link) => (
              <Link
                key={link.href}
                href={link.href}
                aria-current={link === current ? "page" : undefined}
                onClick={() => closeMenu(menuId)}
              >
                {link.label}
              </Link>
            ))}
        </div>
      ))}
    </nav>
  );
};

/** Closes the menu. It would otherwise stay open, because a link changes the page without loading a new document. */
const closeMenu = (menuId: string): void => {
  const menu = document.getElementById(menuId);
  if (menu?.matches(":popover-open")) menu.hidePopover();
};

/** On narrow screens, closes the menu. It works without JavaScript. */
export const CloseButton = ({ label, menuId }: { label: string; menuId: string }) => (
  <button
    type="button"
    popoverTarget={menuId}
    popoverTargetAction="hide"
    className={styles.closeButton}
    aria-label={label}
  >
    <Icon name="close" size={18} />
  </button>
);

/** On narrow screens, shows the name of the current page and opens the menu. It works without JavaScript. */
export const MenuButton = ({
  label,
  menuId,
  links,
}: {
  label: string;
  menuId: string;
  links: readonly PortalLink[];
}) => {
  const current = useCurrentLink(links);
  return (
    <button type="button" popoverTarget={menuId} className={styles.menuButton}>
      <Icon name="menu" size={18} />
      <span className="visuallyHidden">{label}</span>
      <span className={styles.here} aria-hidden={current ? undefined : true}>
        {current?.label ?? "Menu"}
      </span>
    </button>
  );
};
