import type { BillingIssuer, BillingParty } from "../../kernel/billing/party.ts";
import type { InvoiceObject } from "../invoices/invoice.wire.ts";

/** The customer as shown on documents. In the sandbox, a merchant without tax details has no address. */
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
  pricesIncludeTax: boolean;
  /** true in the sandbox */
  isTest: boolean;
};

type Line = InvoiceObject["lines"][number];

/**
 * The amount of a line before discounts and without tax. If prices include tax, it is the net amount after discounts,
 * because the discounts of such a line include tax.
 */
export const grossOfLine = ({ net, discount }: Line, pricesIncludeTax: boolean): number =>
  pricesIncludeTax ? net : net + discount;

/** The last day of a half-open period, in UTC. */
export const lastDayOf = ({ to }: { to: string }): string => new Date(Date.parse(to) - 1).toISOString().slice(0, 10);
