import type { ReactNode } from "react";
import type { ProofMethods } from "#server/accounts/sessions/find-proof-methods.ts";
import { languageOf } from "#server/kernel/messages/languages.ts";
import { translator } from "#server/kernel/messages/translator.ts";
import { Brand } from "../layout/brand.tsx";
import { DocumentLanguage } from "../layout/document-language.tsx";
import type { Environment } from "../layout/page-frame.tsx";
import type { Theme } from "../layout/theme-toggle.tsx";
import { Pill } from "../ui/pill.tsx";
import { ActContext } from "./acts/act-context.tsx";
import { FollowOtherTabs } from "./follow-other-tabs.tsx";
import { PortalAccount } from "./portal-account.tsx";
import { CloseButton, MenuButton, type PortalLink, PortalNav } from "./portal-nav.tsx";
import styles from "./portal-shell.module.css";
import { PortalSkeleton } from "./portal-skeleton.tsx";

const menuId = "portal-menu";

/** Navigation and frame of the three portals. */
export const PortalShell = ({
  label,
  links,
  otherPortals,
  account,
  merchantId,
  proofMethods,
  environment,
  theme,
  locale,
  children,
}: {
  label: string;
  /** The first link is the portal's home page. */
  links: readonly PortalLink[];
  /**
   * Links to the other portals that the account can open. Without a merchant, the wallet also has a link to the form
   * that registers a merchant.
   */
  otherPortals: readonly PortalLink[];
  /** null for a visitor */
  account: { id: string; email: string } | null;
  /** the merchant of the dashboard's pages; null in the other portals */
  merchantId: string | null;
  proofMethods: ProofMethods;
  environment: Environment;
  theme: Theme;
  /** the language of the portal */
  locale: string;
  children: ReactNode;
}) => (
  <div className={styles.shell} data-account={account?.id}>
    <DocumentLanguage language={languageOf(locale)} />
    <FollowOtherTabs account={account?.id ?? null} merchantId={merchantId} />
    <header className={styles.side}>
      <div className={styles.top}>
        <Brand href="/" label={label} />
        {environment === "sandbox" ? <Pill tone="note">Sandbox</Pill> : null}
        <MenuButton label={translator(locale, "frame")("menu")} menuId={menuId} links={links} />
      </div>
      {/* On narrow screens, the menu is a popover, which opens without JavaScript. On wide screens, it is always shown. */}
      <div id={menuId} popover="auto" className={styles.menu}>
        <CloseButton label={translator(locale, "frame")("closeMenu")} menuId={menuId} />
        <PortalNav label={label} links={links} menuId={menuId} />
        <PortalAccount otherPortals={otherPortals} email={account?.email ?? null} theme={theme} locale={locale} />
      </div>
    </header>
    <main id="main" className={styles.main}>
      <PortalSkeleton />
      <ActContext locale={locale} proofMethods={proofMethods}>
        {children}
      </ActContext>
    </main>
  </div>
);
