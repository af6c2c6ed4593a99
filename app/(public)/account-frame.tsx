import type { ReactNode } from "react";
import { Messages } from "#components/format/messages.tsx";
import { PageFrame } from "#components/layout/page-frame.tsx";
import { WholeWords } from "#components/ui/whole-words.tsx";
import type { Area } from "#server/kernel/messages/catalogues.ts";
import { currentLanguageChoice, currentLocale, currentTheme, pageDeps } from "../page-context.ts";
import styles from "./account-frame.module.css";

/** The frame of the pages for sign-in, sign-up and account recovery: a title, an introduction and a form. */
export const AccountFrame = async ({
  title,
  intro,
  areas = ["account-access"],
  locale: ownLocale,
  children,
}: {
  title: string;
  intro: ReactNode;
  /** the message areas that the form uses */
  areas?: readonly Area[];
  /** a fixed locale, which the visitor can't change; if it is absent, the page uses the visitor's locale */
  locale?: string;
  children: ReactNode;
}) => {
  const [{ config }, theme, visitorsLocale, languageChoice] = await Promise.all([
    pageDeps(),
    currentTheme(),
    currentLocale(),
    currentLanguageChoice(),
  ]);
  const { environment, statusUrl } = config;
  const locale = ownLocale ?? visitorsLocale;
  const frame = { environment, statusUrl, theme, locale, ...(ownLocale === undefined ? { languageChoice } : {}) };
  return (
    <PageFrame width="narrow" {...frame}>
      <section className={`card ${styles.box}`}>
        <div>
          <h1>
            <WholeWords>{title}</WholeWords>
          </h1>
          <p className="muted small">
            <WholeWords>{intro}</WholeWords>
          </p>
        </div>
        <Messages locale={locale} areas={areas}>
          {children}
        </Messages>
      </section>
    </PageFrame>
  );
};
