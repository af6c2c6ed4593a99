import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { currentSession, pageDeps } from "../../page-context.ts";
import { PortalLayout } from "../portal-layout.tsx";

const links = [
  { href: "/operator", label: "Home" },
  { href: "/operator/charges", label: "Charges needing review" },
  { href: "/operator/merchants", label: "Merchants" },
  { href: "/operator/mandates", label: "Mandates" },
  { href: "/operator/outbox", label: "Outbox" },
  { href: "/operator/jobs", label: "Jobs" },
  { href: "/operator/keys", label: "Signing keys" },
  { href: "/operator/agents", label: "Agent tokens" },
];

/** The status page covers production, so these pages exist in production only. */
const statusLinks = [
  { href: "/operator/incidents", label: "Incidents" },
  { href: "/operator/maintenance", label: "Maintenance" },
  { href: "/operator/budgets", label: "Error budgets" },
];

const OperatorLayout = async ({ children }: { children: ReactNode }) => {
  const [{ config }, session] = await Promise.all([pageDeps(), currentSession()]);
  if (session && !session.account.isOperator) notFound();
  return (
    <PortalLayout portal="Operator" links={config.environment === "production" ? [...links, ...statusLinks] : links}>
      {children}
    </PortalLayout>
  );
};

export default OperatorLayout;
