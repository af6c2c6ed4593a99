import { z } from "zod";
import { formatExact } from "../rules/exact/exact.ts";
import type { ComputedInvoice, ComputedLine } from "../rules/invoice/types.ts";
import type { PlanRef, TaxRate } from "../rules/plans/terms.ts";
import type { Period } from "../rules/usage-period.ts";

const amount = z.int().describe("In the currency's minor unit");
const exact = z.string().describe("Decimal in minor units, at most 12 fraction digits");
const instant = z.string();
const period = z.object({ from: instant, to: instant }).describe("Half-open: includes `from`, excludes `to`");
const tax = z.object({
  category: z.string().describe("UNCL5305 code, as in EN 16931"),
  rate: z.string().describe("Percentage, as a decimal number"),
});

const lineKinds = ["flat", "usage", "true_up", "late", "refund", "sla_credit", "proration"] as const;
const invoiceStatuses = ["draft", "open", "paid", "void", "uncollectible"] as const;

const lineSchema = z.object({
  id: z.string(),
  kind: z.enum(lineKinds),
  meter: z.string().nullable(),
  description: z.string(),
  period,
  quantity: z
    .union([z.int(), z.string()])
    .describe("Whole units. A string of decimal digits if the number exceeds the range of JSON numbers"),
  exact,
  amount: amount.describe("`exact`, rounded to a whole minor unit"),
  discount: amount,
  net: amount.describe("`amount` minus `discount` and, if prices include tax, minus the tax"),
  tax,
  events: z
    .object({ count: z.int(), set_hash: z.string(), as_of: instant })
    .nullable()
    .describe("The events behind the line"),
});

export const invoiceSummarySchema = z.object({
  id: z.string(),
  number: z.string().nullable(),
  type: z.enum(["invoice", "credit_note"]),
  corrects: z.string().nullable().describe("The invoice that a credit note corrects"),
  status: z.enum(invoiceStatuses),
  currency: z.string(),
  period,
  plan: z.object({ id: z.string(), version: z.int() }),
  issued_at: instant.nullable(),
  due_at: instant.nullable(),
  discounts: z.array(
    z.object({ coupon: z.string().nullable().describe("Null if the discount comes from the plan's maximum"), amount }),
  ),
  taxes: z.array(tax.extend({ base: amount, amount })),
  subtotal: amount.describe("Sum of the lines' amounts"),
  discount: amount,
  tax: amount,
  total: amount.describe("Total before credit balance and prepaid credits are applied"),
  credit_applied: amount,
  prepaid_applied: amount,
  amount_paid: amount,
  amount_due: amount,
  pdf_sha256: z.string().nullable(),
});

export const invoiceSchema = invoiceSummarySchema.extend({ lines: z.array(lineSchema) });

export type InvoiceObject = z.infer<typeof invoiceSchema>;
type LineObject = z.infer<typeof lineSchema>;

/** A line with its id: `line_1`, `line_2` … in estimates and previews, `il_…` once stored. */
export type InvoiceLine = Omit<ComputedLine, "pricedExact" | "plan"> & { id: string };

/** An invoice or credit note as the API returns it: computed for an estimate or preview, or stored. */
export type InvoiceDocument = Omit<ComputedInvoice, "lines" | "prepaidApplied" | "toCreditBalance"> & {
  id: string;
  number: string | null;
  type: InvoiceObject["type"];
  corrects: string | null;
  status: InvoiceObject["status"];
  period: Period;
  plan: PlanRef;
  issuedAt: Date | null;
  dueAt: Date | null;
  lines: readonly InvoiceLine[];
  /** the sum over all grants */
  prepaidApplied: bigint;
  amountPaid: bigint;
  pdfSha256: string | null;
};

/** @throws RangeError for an amount that a JSON number can't represent exactly. */
const toAmount = (amountMinor: bigint): number => {
  const number = Number(amountMinor);
  if (!Number.isSafeInteger(number)) throw new RangeError("the amount exceeds the range of JSON numbers");
  return number;
};

/** The sum of a merchant's own meter can exceed the range of JSON numbers. */
const toQuantity = (quantity: bigint): number | string =>
  Number.isSafeInteger(Number(quantity)) ? Number(quantity) : quantity.toString();

const toPeriodObject = ({ from, to }: Period) => ({ from: from.toISOString(), to: to.toISOString() });
const toTaxObject = ({ category, rate }: TaxRate) => ({ category, rate: formatExact(rate) });
const toInstantOrNull = (date: Date | null): string | null => date?.toISOString() ?? null;

const toLineObject = (line: InvoiceLine): LineObject => ({
  id: line.id,
  kind: line.kind,
  meter: line.meter,
  description: line.description,
  period: toPeriodObject(line.period),
  quantity: toQuantity(line.quantity),
  exact: formatExact(line.exact),
  amount: toAmount(line.amount),
  discount: toAmount(line.discount),
  net: toAmount(line.net),
  tax: toTaxObject(line.tax),
  events: line.events && {
    count: toAmount(line.events.count),
    set_hash: line.events.setHash,
    as_of: line.events.asOf.toISOString(),
  },
});

/** An invoice without its lines, as in lists. */
export const toInvoiceSummary = (invoice: Omit<InvoiceDocument, "lines">): z.infer<typeof invoiceSummarySchema> => ({
  id: invoice.id,
  number: invoice.number,
  type: invoice.type,
  corrects: invoice.corrects,
  status: invoice.status,
  currency: invoice.currency,
  period: toPeriodObject(invoice.period),
  plan: { id: invoice.plan.id, version: invoice.plan.version },
  issued_at: toInstantOrNull(invoice.issuedAt),
  due_at: toInstantOrNull(invoice.dueAt),
  discounts: invoice.discounts.map(({ coupon, amount: taken }) => ({ coupon, amount: toAmount(taken) })),
  taxes: invoice.taxes.map((one) => ({ ...toTaxObject(one), base: toAmount(one.base), amount: toAmount(one.amount) })),
  subtotal: toAmount(invoice.subtotal),
  discount: toAmount(invoice.discount),
  tax: toAmount(invoice.tax),
  total: toAmount(invoice.total),
  credit_applied: toAmount(invoice.creditApplied),
  prepaid_applied: toAmount(invoice.prepaidApplied),
  amount_paid: toAmount(invoice.amountPaid),
  amount_due: toAmount(invoice.amountDue),
  pdf_sha256: invoice.pdfSha256,
});

export const toInvoiceObject = (invoice: InvoiceDocument): InvoiceObject => ({
  ...toInvoiceSummary(invoice),
  lines: invoice.lines.map(toLineObject),
});
