import type { ReactNode } from "react";
import { Messages } from "#components/format/messages.tsx";
import { PageFrame } from "#components/layout/page-frame.tsx";
import { currentLanguageChoice, currentLocale, currentTheme, pageDeps } from "../../page-context.ts";
import styles from "../sign-in/page.module.css";

/** The frame of each page of the sign-up: a title, an introduction and a form. */
export const SignUpFrame = async ({
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
        <Messages locale={locale} areas={["sign-up", "passkey"]}>
          {children}
        </Messages>
      </section>
    </PageFrame>
  );
};
