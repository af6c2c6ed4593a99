import { makeMerchant } from "#e2e/support/factories.ts";
import type { TestDeps } from "#e2e/support/test-deps.ts";
import { newId } from "../../kernel/ids.ts";
import { parseExact } from "../rules/exact/exact.ts";
import type { InvoiceInput } from "../rules/invoice/types.ts";
import type { Price } from "../rules/plans/terms.ts";
import { finalizeInvoice } from "./finalize-invoice.ts";
import { type StoredDraft, storeDraft } from "./store-draft.ts";

export const standardTax: InvoiceInput["tax"] = { category: "S", rate: parseExact("19"), behaviour: "exclusive" };
const period = { from: new Date("2026-10-01T00:00:00Z"), to: new Date("2026-11-01T00:00:00Z") };
const perToken: Price = { model: "per_unit", unit: parseExact("0.5"), freeUnits: 0n };

type Wanted = {
  merchantId?: string;
  subscriptionId?: string;
  currency?: string;
  flat?: bigint;
  tokens?: bigint;
  tax?: InvoiceInput["tax"];
  refunds?: InvoiceInput["refunds"];
  coupons?: InvoiceInput["coupons"];
};

export const inputOf = ({
  currency = "EUR",
  flat = 4900n,
  tokens = 0n,
  tax = standardTax,
  refunds = [],
  coupons = [],
}: Wanted) => ({
  currency,
  tax,
  parts: [
    {
      plan: { id: "pro", version: 1 },
      terms: { flat, minimum: 0n, maximum: null, prices: new Map([["tokens_issued", perToken]]) },
      period,
      days: { used: 31, of: 31 },
      usage: new Map([["tokens_issued", { quantity: tokens, amounts: [] }]]),
    },
  ],
  late: [],
  refunds,
  slaCredits: [],
  coupons,
});

/** Stores a draft for October 2026, by default for a new merchant with a flat fee of 49.00 EUR and 19% tax. */
export const storeTestDraft = async (
  deps: TestDeps,
  wanted: Wanted = {},
): Promise<StoredDraft & { merchantId: string }> => {
  const merchantId = wanted.merchantId ?? (await makeMerchant(deps)).id;
  const subscriptionId = wanted.subscriptionId ?? newId("sub");
  const subject = { merchantId, subscriptionId, kind: "period" as const, period, plan: { id: "pro", version: 1 } };
  const stored = await deps.db.sqlTransaction((sql) =>
    storeDraft(sql, { ...subject, input: inputOf(wanted), at: deps.clock.now() }),
  );
  return { ...stored, merchantId };
};

export const makeDraft = async (
  deps: TestDeps,
  wanted: Wanted = {},
): Promise<{ invoiceId: string; merchantId: string }> => {
  const stored = await storeTestDraft(deps, wanted);
  if (stored.outcome !== "stored") throw new Error(`the draft was not stored: ${stored.outcome}`);
  return { invoiceId: stored.invoiceId, merchantId: stored.merchantId };
};

export const makeFinalInvoice = async (
  deps: TestDeps,
  wanted: Wanted = {},
): Promise<{ invoiceId: string; merchantId: string }> => {
  const draft = await makeDraft(deps, wanted);
  await finalizeInvoice(deps, draft);
  return draft;
};
