import type { ReactNode } from "react";
import { Messages } from "#components/format/messages.tsx";
import { PageFrame } from "#components/layout/page-frame.tsx";
import { currentLanguageChoice, currentLocale, currentTheme, pageDeps } from "../page-context.ts";
import styles from "./sign-in/page.module.css";

/** The frame of the pages that get a person back into an account: a title, an introduction and a form. */
export const AccountFrame = async ({
  title,
  intro,
  children,
}: {
  title: string;
  intro: ReactNode;
  children: ReactNode;
}) => {
  const [{ config }, theme, locale, languageChoice] = await Promise.all([
    pageDeps(),
    currentTheme(),
    currentLocale(),
    currentLanguageChoice(),
  ]);
  const { environment, statusUrl } = config;
  const frame = { environment, statusUrl, theme, locale, languageChoice };
  return (
    <PageFrame width="narrow" {...frame}>
      <section className={`card ${styles.box}`}>
        <div>
          <h1>{title}</h1>
          <p className="muted small">{intro}</p>
        </div>
        <Messages locale={locale} areas={["account-access", "sign-in", "passkey"]}>
          {children}
        </Messages>
      </section>
    </PageFrame>
  );
};
