import type { ReactNode } from "react";
import { Brand } from "../ui/brand.tsx";
import { SubmitButton } from "../ui/button.tsx";
import { Pill } from "../ui/pill.tsx";
import { type Theme, ThemeToggle } from "../ui/theme-toggle.tsx";
import type { Environment } from "./page-frame.tsx";
import { WalletNav } from "./wallet-nav.tsx";
import styles from "./wallet-shell.module.css";
import { WalletSkeleton } from "./wallet-skeleton.tsx";

export const WalletShell = ({
  email,
  environment,
  theme,
  children,
}: {
  email: string | null;
  environment: Environment;
  theme: Theme;
  children: ReactNode;
}) => (
  <div className={styles.shell}>
    <header className={styles.side}>
      <div className={styles.top}>
        <Brand href="/" label="Wallet" />
        {environment === "sandbox" ? <Pill tone="note">Sandbox</Pill> : null}
      </div>
      <WalletNav />
      <div className={styles.account}>
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
        <ThemeToggle initial={theme} />
      </div>
    </header>
    <main id="main" className={styles.main}>
      <WalletSkeleton />
      {children}
    </main>
  </div>
);
