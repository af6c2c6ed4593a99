import { demoIssuer } from "../../platform/settings/billing-issuer.ts";
import { toInvoiceObject } from "../invoices/invoice.wire.ts";
import { parseExact } from "../rules/exact/exact.ts";
import { computeInvoice } from "../rules/invoice/compute-invoice.ts";
import { onlyParts } from "../rules/invoice/invoice-input.fixture.ts";
import type { InvoiceInput } from "../rules/invoice/types.ts";
import type { CurrencyTerms } from "../rules/plans/terms.ts";
import type { IssuedInvoice } from "./issued-invoice.ts";

const period = { from: new Date("2026-10-01T00:00:00.000Z"), to: new Date("2026-11-01T00:00:00.000Z") };
const plan = { id: "pro", version: 3 };
const terms: CurrencyTerms = {
  flat: 4_900n,
  minimum: 10_000n,
  maximum: null,
  prices: new Map([
    ["tokens_issued", { model: "per_unit", unit: parseExact("0.8"), freeUnits: 0n }],
    ["successful_charges", { model: "basis_points", rate: parseExact("29"), min: parseExact("5"), max: null }],
    ["own:sms_sent", { model: "package", size: 100n, amount: 500n, freeUnits: 200n }],
  ]),
};

type Change = Partial<Pick<InvoiceInput, "currency" | "tax" | "coupons" | "slaCredits" | "prepaid" | "creditBalance">>;

/** An issued invoice for one month, computed from usage. */
export const makeIssuedInvoice = (change: Change = {}, fields: Partial<IssuedInvoice> = {}): IssuedInvoice => {
  const computed = computeInvoice({
    currency: "EUR",
    tax: { category: "S", rate: parseExact("19"), behaviour: "exclusive" },
    parts: [
      {
        plan,
        terms,
        period,
        days: { used: 31, of: 31 },
        usage: new Map([
          ["tokens_issued", { quantity: 12_345n, amounts: [] }],
          ["successful_charges", { quantity: 3n, amounts: [{ amountMinor: 1_999n, count: 3n }] }],
          ["own:sms_sent", { quantity: 421n, amounts: [] }],
        ]),
      },
    ],
    ...onlyParts,
    ...change,
  });
  const invoice = toInvoiceObject({
    ...computed,
    id: "inv_5sYd2hKpLm3vZq1WcXb5nRt9",
    number: "INV-2026-000042",
    type: "invoice",
    corrects: null,
    status: "open",
    period,
    plan,
    issuedAt: new Date("2026-11-02T00:00:00.000Z"),
    dueAt: new Date("2026-11-16T00:00:00.000Z"),
    lines: computed.lines.map((line, index) => ({ ...line, id: `il_${index + 1}` })),
    prepaidApplied: computed.prepaidApplied.reduce((sum, { amount }) => sum + amount, 0n),
    amountPaid: 0n,
    pdfSha256: null,
  });
  return {
    invoice: { ...invoice, number: "INV-2026-000042", issued_at: "2026-11-02T00:00:00.000Z" },
    issuer: demoIssuer,
    customer: {
      name: "Bean & Leaf SARL",
      merchantId: "mch_7Qm4xTzKc9WvBn2rYsHd6gJp",
      vatNumber: "FR12345678901",
      address: { line1: "12 rue du Café", line2: null, postalCode: "75002", city: "Paris" },
      country: "FR",
    },
    corrects: null,
    reason: null,
    planName: "Pro",
    timeZone: "UTC",
    pricesIncludeTax: change.tax?.behaviour === "inclusive",
    isTest: false,
    ...fields,
  };
};
