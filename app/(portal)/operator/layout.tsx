import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { AllowedActions } from "#components/operator/if-allowed.tsx";
import type { OperatorAction } from "#server/accounts/authorize.ts";
import { currentSession, pageDeps } from "../../page-context.ts";
import { PortalLayout } from "../portal-layout.tsx";
import { allowedActions } from "./operator-context.ts";

/** @property action what the page reads: the link is shown to the roles that may */
type Link = { href: string; label: string; action: OperatorAction };

const links: readonly Link[] = [
  { href: "/operator", label: "Home", action: "attention.read" },
  { href: "/operator/charges", label: "Charges needing review", action: "charge_under_review.list" },
  { href: "/operator/merchants", label: "Merchants", action: "registered_merchant.list" },
  { href: "/operator/mandates", label: "Mandates", action: "granted_mandate.list" },
  { href: "/operator/outbox", label: "Outbox", action: "mail.list" },
  { href: "/operator/mails", label: "E-mail preview", action: "mail.read" },
  { href: "/operator/jobs", label: "Jobs", action: "job.list" },
  { href: "/operator/keys", label: "Signing keys", action: "signing_key.list" },
  { href: "/operator/agents", label: "Agent tokens", action: "agent_token.list" },
  { href: "/operator/operators", label: "Operators", action: "operator.list" },
  { href: "/operator/audit", label: "Audit log", action: "audit.read" },
  { href: "/operator/settings", label: "Settings", action: "setting.list" },
];

/** The status page covers production, so these pages exist in production only. */
const statusLinks: readonly Link[] = [
  { href: "/operator/incidents", label: "Incidents", action: "incident.list" },
  { href: "/operator/maintenance", label: "Maintenance", action: "maintenance.list" },
  { href: "/operator/budgets", label: "Error budgets", action: "error_budget.read" },
];

export const metadata: Metadata = { title: { default: "Operator", template: "%s · Operator · Paygrant" } };

const OperatorLayout = async ({ children }: { children: ReactNode }) => {
  const [{ config }, session] = await Promise.all([pageDeps(), currentSession()]);
  if (session && session.account.operatorRole === null) notFound();
  const actions = session ? allowedActions(session) : [];
  const all = config.environment === "production" ? [...links, ...statusLinks] : links;
  return (
    <PortalLayout portal="Operator" links={all.filter(({ action }) => actions.includes(action))}>
      <AllowedActions actions={actions}>{children}</AllowedActions>
    </PortalLayout>
  );
};

export default OperatorLayout;
