import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./tokens.css";
import "./base.css";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { SandboxClock } from "#components/layout/sandbox-clock.tsx";
import { languageOf } from "#server/kernel/messages/languages.ts";
import { translator } from "#server/kernel/messages/translator.ts";
import { currentPageLocale, currentSandboxClock, currentTheme } from "./page-context.ts";

export const metadata: Metadata = {
  title: { default: "Paygrant", template: "%s · Paygrant" },
  description: "Let an app or agent spend within limits that you set, and stop it at any time.",
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#faf9f7" },
    { media: "(prefers-color-scheme: dark)", color: "#0e1014" },
  ],
};

const RootLayout = async ({ children }: { children: ReactNode }) => {
  const [theme, clock, locale, requestHeaders] = await Promise.all([
    currentTheme(),
    currentSandboxClock(),
    currentPageLocale(),
    headers(),
  ]);
  const t = translator(locale, "frame");
  return (
    <html
      lang={languageOf(locale)}
      data-theme={theme === "system" ? undefined : theme}
      data-request-id={requestHeaders.get("x-request-id")}
      suppressHydrationWarning
    >
      <body>
        <a href="#main" className="skipLink">
          {t("skip")}
        </a>
        {clock ? <SandboxClock now={clock} locale={locale} /> : null}
        {children}
      </body>
    </html>
  );
};

export default RootLayout;
