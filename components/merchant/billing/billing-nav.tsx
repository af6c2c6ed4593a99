"use client";
import { usePathname } from "next/navigation";
import { ListTabs } from "../../portal/lists/list-tabs.tsx";

/** The pages of `/merchant/billing`. The first is the parent of the others. */
const overview = { href: "/merchant/billing", label: "Overview" };
const tabs = [
  overview,
  { href: "/merchant/billing/usage", label: "Usage" },
  { href: "/merchant/billing/alerts", label: "Budget alerts" },
  { href: "/merchant/billing/invoices", label: "Invoices" },
  { href: "/merchant/billing/credits", label: "Credits" },
  { href: "/merchant/billing/ledger", label: "Ledger" },
  { href: "/merchant/billing/plan", label: "Plan" },
  { href: "/merchant/billing/details", label: "Payment and tax" },
];

/** The pages of an invoice belong to the tab of invoices. */
const findCurrent = (pathname: string): string =>
  tabs.slice(1).find(({ href }) => pathname === href || pathname.startsWith(`${href}/`))?.href ?? overview.href;

export const BillingNav = () => <ListTabs label="Billing" tabs={tabs} current={findCurrent(usePathname())} />;
