import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./tokens.css";
import "./base.css";
import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { SandboxClock } from "#components/layout/sandbox-clock.tsx";
import { currentSandboxClock, currentTheme } from "./page-context.ts";

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
  const [theme, clock] = await Promise.all([currentTheme(), currentSandboxClock()]);
  return (
    <html lang="en" data-theme={theme === "system" ? undefined : theme} suppressHydrationWarning>
      <body>
        <a href="#main" className="skipLink">
          Skip to content
        </a>
        {clock ? <SandboxClock now={clock} /> : null}
        {children}
      </body>
    </html>
  );
};

export default RootLayout;
