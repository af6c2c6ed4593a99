import type { BillingIssuer, BillingParty } from "../../kernel/billing/party.ts";
import { dayIn } from "../../kernel/time/calendar.ts";
import type { InvoiceObject } from "../invoices/invoice.wire.ts";

/**
 * The customer as shown on documents. A merchant without tax details has no address. In production, its invoices are
 * issued only after an operator's decision.
 */
export type InvoiceCustomer = Pick<BillingParty, "name" | "vatNumber"> & {
  merchantId: string;
  address: Pick<BillingParty, "line1" | "line2" | "postalCode" | "city"> | null;
  country: string | null;
};

/** An invoice or credit note with its parties, as it was issued. */
export type IssuedInvoice = {
  invoice: InvoiceObject & { number: string; issued_at: string };
  issuer: BillingIssuer;
  customer: InvoiceCustomer;
  /** number of the invoice that a credit note corrects */
  corrects: string | null;
  /** why a credit note was created; null for an invoice */
  reason: string | null;
  planName: string;
  /** the subscription's time zone, in which its periods start and end */
  timeZone: string;
  pricesIncludeTax: boolean;
  /** true in the sandbox */
  isTest: boolean;
};

type Line = InvoiceObject["lines"][number];

/**
 * The amount of a line before discounts and without tax. If prices include tax, the discounts of the line include tax
 * too and can't be added to the net amount, so the amount is the net amount after discounts.
 */
export const grossOfLine = ({ net, discount }: Line, pricesIncludeTax: boolean): number =>
  pricesIncludeTax ? net : net + discount;

type Zoned = Pick<IssuedInvoice, "timeZone">;

/**
 * The first and the last day of a half-open period, as ISO 8601 dates. A month of SLA credits is a month in UTC; every
 * other period is in the time zone of the subscription.
 */
export const daysOf = (
  { period: { from, to }, kind }: { period: Line["period"]; kind?: Line["kind"] },
  { timeZone }: Zoned,
): { first: string; last: string } => {
  const zone = kind === "sla_credit" ? "UTC" : timeZone;
  return { first: dayIn(zone, new Date(from)), last: dayIn(zone, new Date(Date.parse(to) - 1)) };
};

/** The day of issue and the due date are in UTC, like the year in the document's number. */
export const issueDateOf = (instant: string): string => instant.slice(0, 10);
