import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { PortalShell } from "#components/layout/portal-shell.tsx";
import { currentSession, currentTheme, pageDeps } from "../../page-context.ts";

const links = [
  { href: "/operator", label: "Home" },
  { href: "/operator/charges", label: "Charges handed over" },
  { href: "/operator/outbox", label: "Outbox" },
];

const OperatorLayout = async ({ children }: { children: ReactNode }) => {
  const { config } = await pageDeps();
  const session = await currentSession();
  if (session && !session.account.isOperator) notFound();
  return (
    <PortalShell
      label="Operator"
      links={links}
      elsewhere={[{ href: "/wallet", label: "Wallet" }]}
      email={session?.account.email ?? null}
      environment={config.environment}
      theme={await currentTheme()}
    >
      {children}
    </PortalShell>
  );
};

export default OperatorLayout;
