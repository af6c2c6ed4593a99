import Link from "next/link";
import type { ReactNode } from "react";
import { languageOf } from "#server/kernel/messages/languages.ts";
import { Messages } from "../format/messages.tsx";
import { Brand } from "../layout/brand.tsx";
import { DocumentLanguage } from "../layout/document-language.tsx";
import type { Environment } from "../layout/page-frame.tsx";
import { themeLabels } from "../layout/theme-labels.ts";
import { type Theme, ThemeToggle } from "../layout/theme-toggle.tsx";
import { SubmitButton } from "../ui/button.tsx";
import { Pill } from "../ui/pill.tsx";
import { PasskeyHolder } from "./acts/passkey-holder.tsx";
import { type PortalLink, PortalNav } from "./portal-nav.tsx";
import styles from "./portal-shell.module.css";
import { PortalSkeleton } from "./portal-skeleton.tsx";

/** Navigation and frame of the three portals. */
export const PortalShell = ({
  label,
  links,
  otherPortals,
  email,
  hasPasskey,
  environment,
  theme,
  locale,
  children,
}: {
  label: string;
  /** The first link is the portal's home page. */
  links: readonly PortalLink[];
  /** The other portals that the signed-in account can open. */
  otherPortals: readonly PortalLink[];
  email: string | null;
  hasPasskey: boolean;
  environment: Environment;
  theme: Theme;
  /** the language of the portal */
  locale: string;
  children: ReactNode;
}) => (
  <div className={styles.shell}>
    <DocumentLanguage language={languageOf(locale)} />
    <header className={styles.side}>
      <div className={styles.top}>
        <Brand href="/" label={label} />
        {environment === "sandbox" ? <Pill tone="note">Sandbox</Pill> : null}
      </div>
      <PortalNav label={label} links={links} />
      <div className={styles.account}>
        {otherPortals.map(({ href, label: name }) => (
          <Link key={href} href={href} prefetch={false} className={styles.otherPortal}>
            {name}
          </Link>
        ))}
        {email ? (
          <>
            <span className={styles.email} title={email}>
              {email}
            </span>
            <form method="post" action="/sign-out">
              <SubmitButton size="small">Sign out</SubmitButton>
            </form>
          </>
        ) : null}
        <ThemeToggle initial={theme} labels={themeLabels(locale)} />
      </div>
    </header>
    <main id="main" className={styles.main}>
      <PortalSkeleton />
      <Messages locale={locale} areas={["acts", "passkey"]}>
        <PasskeyHolder hasPasskey={hasPasskey}>{children}</PasskeyHolder>
      </Messages>
    </main>
  </div>
);
