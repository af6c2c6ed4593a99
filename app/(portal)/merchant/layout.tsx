import type { Metadata } from "next";
import type { ReactNode } from "react";
import { MerchantBanner } from "#components/merchant/merchant-banner.tsx";
import { SelectNamedMerchant } from "#components/merchant/select-named-merchant.tsx";
import { StandingNotice } from "#components/merchant/standing-notice.tsx";
import { type MerchantRole, merchantActions } from "#server/accounts/authorize.ts";
import { listUnpaidInvoices } from "#server/billing/collection/review/list-unpaid-invoices.ts";
import type { MerchantStanding } from "#server/kernel/merchant-standing.ts";
import { getProcessorAccount } from "#server/merchants/processor/get-processor-account.ts";
import { pageDeps } from "../../page-context.ts";
import { currentMembership } from "../portal-context.ts";
import { PortalLayout } from "../portal-layout.tsx";

const links = [
  { href: "/merchant", label: "Overview" },
  { href: "/merchant/payments", label: "Payments" },
  { href: "/merchant/mandates", label: "Mandates" },
  { href: "/merchant/disputes", label: "Disputes" },
  { href: "/merchant/billing", label: "Billing" },
  { href: "/merchant/webhooks", label: "Webhooks", group: "Developers" },
  { href: "/merchant/apps", label: "Apps & keys", group: "Developers" },
  { href: "/merchant/logs", label: "API logs", group: "Developers" },
  { href: "/merchant/directory", label: "Directory", group: "Developers" },
  { href: "/merchant/getting-started", label: "Getting started", group: "Developers" },
  { href: "/merchant/team", label: "Team" },
  { href: "/merchant/settings", label: "Settings" },
];
/** A page that some roles can't open. */
const auditLink = { href: "/merchant/audit", label: "Audit log" };
const linksOf = (role: MerchantRole) => (merchantActions["audit.list"].includes(role) ? [...links, auditLink] : links);

export const metadata: Metadata = { title: { default: "Merchant", template: "%s · Merchant · Paygrant" } };
/** The navigation of an account without a merchant. */
const newMerchantLinks = [{ href: "/merchant/new", label: "Start selling" }];

/** The account's state at the processor, if this state is the reason why charges are refused; otherwise null. */
const processorStateOf = async ({ merchantId, standing }: { merchantId: string; standing: MerchantStanding }) => {
  if (standing !== "not_connected") return null;
  const { state } = await getProcessorAccount(await pageDeps(), { merchantId });
  return state === "enabled" ? null : state;
};

/** An unpaid invoice that causes charges to be refused; null if there is none. */
const unpaidInvoiceOf = async ({ merchantId, standing }: { merchantId: string; standing: MerchantStanding }) => {
  if (standing !== "unpaid") return null;
  const [invoice] = await listUnpaidInvoices(await pageDeps(), { merchantId });
  return invoice?.invoiceId ?? null;
};

const MerchantLayout = async ({ children }: { children: ReactNode }) => {
  const [{ config }, membership] = await Promise.all([pageDeps(), currentMembership()]);
  const otherUrl = config.environment === "sandbox" ? config.productionUrl : config.sandboxUrl;
  return (
    <PortalLayout portal="Merchant" links={membership ? linksOf(membership.current.role) : newMerchantLinks}>
      {membership?.isNamed ? <SelectNamedMerchant merchantId={membership.current.merchantId} /> : null}
      {membership ? (
        <MerchantBanner
          current={membership.current}
          merchants={membership.all}
          environment={config.environment}
          isSimulated={config.simulatorUrl !== null && config.stripe === null}
          otherUrl={otherUrl && `${otherUrl}/merchant`}
        />
      ) : null}
      {membership ? (
        <StandingNotice
          name={membership.current.name}
          standing={membership.current.standing}
          processorState={await processorStateOf(membership.current)}
          unpaidInvoiceId={await unpaidInvoiceOf(membership.current)}
        />
      ) : null}
      {children}
    </PortalLayout>
  );
};

export default MerchantLayout;
