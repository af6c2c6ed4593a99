import type { ReactNode } from "react";
import { PortalShell } from "#components/portal/portal-shell.tsx";
import { currentHasPasskey, currentSession, currentTheme, pageDeps } from "../../page-context.ts";
import { currentMembership } from "../merchant/merchant-context.ts";

const links = [
  { href: "/wallet", label: "Home" },
  { href: "/wallet/mandates", label: "Mandates" },
  { href: "/wallet/activity", label: "Activity" },
  { href: "/wallet/approvals", label: "Approvals" },
  { href: "/wallet/payment-methods", label: "Payment methods" },
  { href: "/wallet/security", label: "Security" },
];

const WalletLayout = async ({ children }: { children: ReactNode }) => {
  const { config } = await pageDeps();
  const session = await currentSession();
  const elsewhere = [
    ...((await currentMembership()) ? [{ href: "/merchant", label: "Merchant dashboard" }] : []),
    ...(session?.account.isOperator ? [{ href: "/operator", label: "Operator console" }] : []),
  ];
  return (
    <PortalShell
      label="Wallet"
      links={links}
      elsewhere={elsewhere}
      email={session?.account.email ?? null}
      hasPasskey={await currentHasPasskey()}
      environment={config.environment}
      theme={await currentTheme()}
    >
      {children}
    </PortalShell>
  );
};

export default WalletLayout;
