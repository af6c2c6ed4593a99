import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { PortalShell } from "#components/portal/portal-shell.tsx";
import { currentHasPasskey, currentSession, currentTheme, pageDeps } from "../../page-context.ts";

const links = [
  { href: "/operator", label: "Home" },
  { href: "/operator/charges", label: "Charges handed over" },
  { href: "/operator/merchants", label: "Merchants" },
  { href: "/operator/mandates", label: "Mandates" },
  { href: "/operator/outbox", label: "Outbox" },
  { href: "/operator/jobs", label: "Jobs" },
  { href: "/operator/keys", label: "Signing keys" },
  { href: "/operator/agents", label: "Agents’ tokens" },
];

/** The status page is told of production alone. */
const statusLinks = [
  { href: "/operator/incidents", label: "Incidents" },
  { href: "/operator/maintenance", label: "Maintenance" },
  { href: "/operator/budgets", label: "Error budgets" },
];

const OperatorLayout = async ({ children }: { children: ReactNode }) => {
  const { config } = await pageDeps();
  const session = await currentSession();
  if (session && !session.account.isOperator) notFound();
  return (
    <PortalShell
      label="Operator"
      links={config.environment === "production" ? [...links, ...statusLinks] : links}
      elsewhere={[{ href: "/wallet", label: "Wallet" }]}
      email={session?.account.email ?? null}
      hasPasskey={await currentHasPasskey()}
      environment={config.environment}
      theme={await currentTheme()}
    >
      {children}
    </PortalShell>
  );
};

export default OperatorLayout;
