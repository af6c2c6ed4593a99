import type { ReactNode } from "react";
import { Brand } from "../layout/brand.tsx";
import frame from "../layout/frame.module.css";
import { themeLabels } from "../layout/theme-labels.ts";
import { type Theme, ThemeToggle } from "../layout/theme-toggle.tsx";
import { ButtonLink } from "../ui/button.tsx";
import styles from "./status-frame.module.css";

/** Header, content and footer of the status page. Its only link to the service is the production URL. */
export const StatusFrame = ({
  theme,
  productionUrl,
  children,
}: {
  theme: Theme;
  productionUrl: string;
  children: ReactNode;
}) => (
  <div className={`${frame.page} ${styles.page}`}>
    <header className={frame.header}>
      <Brand href="/status" label="Paygrant status" />
      <nav aria-label="Status">
        <a href="/status/history">History</a>
        <a href="/status/uptime">Uptime</a>
        <ButtonLink href="/status/subscribe" size="small" variant="primary">
          Get updates
        </ButtonLink>
      </nav>
    </header>
    <main id="main" className={styles.main}>
      {children}
    </main>
    <footer className={frame.footer}>
      <span>All times are UTC</span>
      <nav aria-label="Service">
        <a href="/status/feed.rss">RSS</a>
        <a href="/status/feed.atom">Atom</a>
        <a href={productionUrl}>Paygrant</a>
        <ThemeToggle initial={theme} labels={themeLabels("en-GB")} />
      </nav>
    </footer>
  </div>
);
