import type { ReactNode } from "react";
import { PageFrame, SiteLinks } from "../layout/page-frame.tsx";
import type { Theme } from "../layout/theme-toggle.tsx";
import type { Group } from "./api/api-reference.ts";
import styles from "./docs-frame.module.css";
import { DocsNav } from "./docs-nav.tsx";
import { Prose } from "./prose.tsx";

export type Site = {
  environment: "production" | "sandbox";
  theme: Theme;
  statusUrl: string;
  demoUrl: string;
  isSignUpOpen: boolean;
  groups: readonly Group[];
};

type Props = {
  site: Site;
  /** address of this page */
  current: string;
  title: string;
  intro?: ReactNode;
  children: ReactNode;
};

/** One page of the documentation: its navigation, its heading, its content. */
export const DocsFrame = ({ site, current, title, intro, children }: Props) => (
  <PageFrame
    width="wide"
    environment={site.environment}
    theme={site.theme}
    statusUrl={site.statusUrl}
    aside={<SiteLinks demoUrl={site.demoUrl} isSignUpOpen={site.isSignUpOpen} />}
  >
    <div className={styles.columns}>
      <DocsNav groups={site.groups} current={current} />
      <div className={styles.content}>
        <header className={styles.head}>
          <h1>
            <Prose text={title} />
          </h1>
          {intro}
        </header>
        {children}
      </div>
    </div>
  </PageFrame>
);
