import type { ReactNode } from "react";
import { Pill } from "../ui/pill.tsx";
import { Brand } from "./brand.tsx";
import frame from "./frame.module.css";
import styles from "./page-frame.module.css";
import { type Theme, ThemeToggle } from "./theme-toggle.tsx";

export type Environment = "production" | "sandbox";

/** Header, content and footer of the public pages. */
export const PageFrame = ({
  width,
  aside,
  environment,
  theme,
  statusUrl,
  children,
}: {
  width: "narrow" | "wide";
  /** at the right of the header: the signed-in account, or the site's links */
  aside?: ReactNode;
  environment: Environment;
  theme: Theme;
  statusUrl: string;
  children: ReactNode;
}) => (
  <div className={frame.page}>
    <header className={frame.header}>
      <div className={styles.start}>
        <Brand />
        {environment === "sandbox" ? <Pill tone="note">Sandbox</Pill> : null}
      </div>
      {aside}
    </header>
    <main id="main" className={styles[width]}>
      {children}
    </main>
    <Footer environment={environment} theme={theme} statusUrl={statusUrl} />
  </div>
);

export const SignedInAs = ({ email }: { email: string }) => <span className={styles.who}>{email}</span>;

export const SiteLinks = ({ demoUrl }: { demoUrl: string }) => (
  <nav aria-label="Site">
    <a href={demoUrl}>Demo</a>
    <a href="/docs">API</a>
    <a href="/wallet">Wallet</a>
  </nav>
);

const Footer = ({ environment, theme, statusUrl }: { environment: Environment; theme: Theme; statusUrl: string }) => (
  <footer className={frame.footer}>
    <span>{environment === "sandbox" ? "Sandbox: no real money moves" : "Paygrant"}</span>
    <nav aria-label="Service">
      <a href={statusUrl}>Status</a>
      <a href="/docs">API</a>
      <a href="/docs/errors">Errors</a>
      <ThemeToggle initial={theme} />
    </nav>
  </footer>
);
