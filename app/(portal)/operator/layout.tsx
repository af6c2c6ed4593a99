import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { AllowedActions } from "#components/operator/if-allowed.tsx";
import type { PortalLink } from "#components/portal/portal-nav.tsx";
import type { OperatorAction } from "#server/accounts/authorize.ts";
import { currentSession, pageDeps } from "../../page-context.ts";
import { PortalLayout } from "../portal-layout.tsx";
import { allowedActions } from "./operator-context.ts";

/** @property action the link is shown to roles that may perform this action */
type Link = PortalLink & { action: OperatorAction };

const links: readonly Link[] = [
  { href: "/operator", label: "Home", action: "attention.read" },
  { href: "/operator/charges", label: "Charges", action: "recorded_charge.list", group: "Payments" },
  { href: "/operator/disputes", label: "Disputes", action: "reported_dispute.list", group: "Payments" },
  { href: "/operator/mandates", label: "Mandates", action: "granted_mandate.list", group: "Payments" },
  { href: "/operator/payers", label: "Payers", action: "payer.list", group: "Customers" },
  { href: "/operator/merchants", label: "Merchants", action: "registered_merchant.list", group: "Customers" },
  { href: "/operator/clients", label: "Clients", action: "oauth_client.list", group: "Customers" },
  { href: "/operator/directory", label: "Directory", action: "directory_entry.list", group: "Customers" },
  { href: "/operator/invoices", label: "Invoices", action: "billing_invoice.list", group: "Billing" },
  { href: "/operator/dunning", label: "Dunning", action: "dunning_case.list", group: "Billing" },
  { href: "/operator/revenue", label: "Revenue", action: "billing_revenue.read", group: "Billing" },
  { href: "/operator/plans", label: "Plans", action: "catalogue_plan.list", group: "Billing" },
  { href: "/operator/reconciliation", label: "Reconciliation", action: "reconciliation.list", group: "Billing" },
  { href: "/operator/agents", label: "Agent tokens", action: "agent_token.list", group: "Access" },
  { href: "/operator/keys", label: "Signing keys", action: "signing_key.list", group: "Access" },
  { href: "/operator/blocklist", label: "Client-key blocklist", action: "blocked_key.list", group: "Access" },
  { href: "/operator/operators", label: "Operators", action: "operator.list", group: "Access" },
  { href: "/operator/audit", label: "Audit log", action: "audit.read", group: "Access" },
  { href: "/operator/outbox", label: "Outbox", action: "mail.list", group: "Service" },
  { href: "/operator/mails", label: "E-mail preview", action: "mail_sample.read", group: "Service" },
  { href: "/operator/jobs", label: "Jobs", action: "job.list", group: "Service" },
  { href: "/operator/settings", label: "Settings", action: "setting.list", group: "Service" },
];

/** The status page covers production, so these pages exist in production only. */
const statusLinks: readonly Link[] = [
  { href: "/operator/incidents", label: "Incidents", action: "incident.list", group: "Status page" },
  { href: "/operator/maintenance", label: "Maintenance", action: "maintenance.list", group: "Status page" },
  { href: "/operator/budgets", label: "Error budgets", action: "error_budget.read", group: "Status page" },
];

export const metadata: Metadata = { title: { default: "Operator", template: "%s · Operator · Paygrant" } };

const OperatorLayout = async ({ children }: { children: ReactNode }) => {
  const [{ config }, session] = await Promise.all([pageDeps(), currentSession()]);
  if (session && session.account.operatorRole === null) notFound();
  const actions = session ? allowedActions(session) : [];
  const all = config.environment === "production" ? [...links, ...statusLinks] : links;
  // A visitor at an unknown path sees only the Home link, which redirects to the sign-in form.
  const shown = session ? all.filter(({ action }) => actions.includes(action)) : all.slice(0, 1);
  return (
    <PortalLayout portal="Operator" links={shown}>
      <AllowedActions actions={actions}>{children}</AllowedActions>
    </PortalLayout>
  );
};

export default OperatorLayout;
