import type { ReactNode } from "react";
import { WalletShell } from "#components/layout/wallet-shell.tsx";
import { currentSession, currentTheme, pageDeps } from "../../page-context.ts";

const WalletLayout = async ({ children }: { children: ReactNode }) => {
  const { config } = await pageDeps();
  const session = await currentSession();
  return (
    <WalletShell email={session?.account.email ?? null} environment={config.environment} theme={await currentTheme()}>
      {children}
    </WalletShell>
  );
};

export default WalletLayout;
