import type { ReactNode } from "react";
import { type Language, languageOf } from "#server/kernel/messages/languages.ts";
import { translator } from "#server/kernel/messages/translator.ts";
import { Pill } from "../ui/pill.tsx";
import { Brand } from "./brand.tsx";
import { DocumentLanguage } from "./document-language.tsx";
import frame from "./frame.module.css";
import { LanguageChoice } from "./language-choice.tsx";
import styles from "./page-frame.module.css";
import { themeLabels } from "./theme-labels.ts";
import { type Theme, ThemeToggle } from "./theme-toggle.tsx";

export type Environment = "production" | "sandbox";

/** Header, content and footer of the public pages. */
export const PageFrame = ({
  width,
  aside,
  environment,
  theme,
  statusUrl,
  locale = "en-GB",
  languageChoice,
  origin = "",
  children,
}: {
  width: "narrow" | "wide";
  /** the right part of the header: the signed-in account, or the site's links */
  aside?: ReactNode;
  environment: Environment;
  theme: Theme;
  statusUrl: string;
  /** the locale of a payer-facing page; other pages are in English */
  locale?: string;
  /** only on payer-facing pages */
  languageChoice?: { current: Language; returnTo: string };
  /** prefix of the links to the service's other pages, if they are on another host */
  origin?: string;
  children: ReactNode;
}) => (
  <div className={frame.page}>
    <DocumentLanguage language={languageOf(locale)} />
    <header className={frame.header}>
      <div className={styles.start}>
        <Brand href={`${origin}/`} />
        {environment === "sandbox" ? <Pill tone="note">Sandbox</Pill> : null}
      </div>
      {aside}
    </header>
    <main id="main" className={styles[width]}>
      {children}
    </main>
    <Footer
      environment={environment}
      theme={theme}
      statusUrl={statusUrl}
      locale={locale}
      origin={origin}
      choice={languageChoice}
    />
  </div>
);

export const SignedInAs = ({ email }: { email: string }) => <span className={styles.who}>{email}</span>;

export const SiteLinks = ({
  demoUrl,
  isSignUpOpen,
  origin = "",
  locale = "en-GB",
}: {
  demoUrl: string;
  /** whether everyone may sign up */
  isSignUpOpen: boolean;
  origin?: string;
  locale?: string;
}) => {
  const t = translator(locale, "frame");
  return (
    <nav aria-label={t("site")}>
      <a href={demoUrl}>{t("demo")}</a>
      <a href={`${origin}/pricing`}>{t("pricing")}</a>
      <a href={`${origin}/docs`}>{t("api")}</a>
      <a href={`${origin}/wallet`}>{t("wallet")}</a>
      {isSignUpOpen ? <a href={`${origin}/sign-up`}>{t("signUp")}</a> : null}
    </nav>
  );
};

const Footer = ({
  environment,
  theme,
  statusUrl,
  locale,
  choice,
  origin,
}: {
  environment: Environment;
  theme: Theme;
  statusUrl: string;
  locale: string;
  choice: { current: Language; returnTo: string } | undefined;
  origin: string;
}) => {
  const t = translator(locale, "frame");
  return (
    <footer className={frame.footer}>
      <span>{environment === "sandbox" ? t("sandboxNotice") : "Paygrant"}</span>
      <nav aria-label={t("service")}>
        {choice ? <LanguageChoice label={t("language")} {...choice} /> : null}
        <a href={statusUrl}>{t("status")}</a>
        <a href={`${origin}/docs`}>{t("api")}</a>
        <a href={`${origin}/docs/errors`}>{t("errors")}</a>
        <ThemeToggle initial={theme} labels={themeLabels(locale)} />
      </nav>
    </footer>
  );
};
