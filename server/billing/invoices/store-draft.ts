import { type InvoiceKind, type InvoiceRow, lockInvoicesOfPeriod } from "../../data/billing/invoices/invoices.ts";
import { type InvoiceLineRow, insertInvoiceLines, replaceInvoiceLines } from "../../data/billing/invoices/lines.ts";
import { deleteDraft, insertInvoice, lockDraftsOf, replaceDraft } from "../../data/billing/invoices/write-invoice.ts";
import type { Sql } from "../../data/client.ts";
import { newId } from "../../kernel/ids.ts";
import { findCredits } from "../credits/find-credits.ts";
import { formatExact } from "../rules/exact/exact.ts";
import { computeInvoice } from "../rules/invoice/compute-invoice.ts";
import type { ComputedInvoice, ComputedLine, InvoiceInput } from "../rules/invoice/types.ts";
import type { PlanRef } from "../rules/plans/terms.ts";
import type { Period } from "../rules/usage-period.ts";

type DraftSubject = {
  merchantId: string;
  subscriptionId: string;
  kind: InvoiceKind;
  period: Period;
  /** the plan at the end of the period */
  plan: PlanRef;
};

type Input = DraftSubject & {
  /** `storeDraft` reads the credits itself */
  input: Omit<InvoiceInput, "creditBalance" | "prepaid">;
  /** the time from which the lines could be billed; default: the end of the period */
  invoiceAt?: Date;
  /** business time */
  at: Date;
};

/** `final`: the period is already billed, and the result of this call isn't stored. */
export type StoredDraft = { outcome: "stored" | "final"; invoiceId: string } | { outcome: "nothing_to_bill" };

/**
 * Computes and stores the draft of a period, or refreshes it. Repeated and concurrent calls store one invoice per
 * subscription, currency, kind and period. An invoice without lines isn't stored (docs/spec/billing.md, Invoices).
 * Runs in the caller's transaction.
 */
export const storeDraft = async (sql: Sql, draft: Input): Promise<StoredDraft> => {
  const { merchantId, subscriptionId, kind, period, input, at } = draft;
  const { currency } = input;
  await lockDraftsOf(sql, subscriptionId);
  const [current] = await lockInvoicesOfPeriod(sql, { subscriptionId, currency, kind, ...period });
  if (current && current.status !== "draft") return { outcome: "final", invoiceId: current.id };
  const computed = computeInvoice({ ...input, ...(await findCredits(sql, { merchantId, currency, at })) });
  if (computed.lines.length === 0) {
    if (current) await deleteDraft(sql, current.id);
    return { outcome: "nothing_to_bill" };
  }
  const row = toDraftRow(draft, computed, current ?? null);
  const lines = toLineRows(computed.lines, { invoiceAt: draft.invoiceAt ?? period.to });
  if (current) {
    await replaceDraft(sql, row);
    await replaceInvoiceLines(sql, row.id, lines);
  } else {
    await insertInvoice(sql, row);
    await insertInvoiceLines(sql, row.id, lines);
  }
  return { outcome: "stored", invoiceId: row.id };
};

const toDraftRow = (draft: Input, computed: ComputedInvoice, current: InvoiceRow | null) => ({
  id: current?.id ?? newId("inv"),
  merchantId: draft.merchantId,
  subscriptionId: draft.subscriptionId,
  type: "invoice" as const,
  kind: draft.kind,
  corrects: null,
  reason: null,
  requestKey: null,
  status: "draft" as const,
  currency: computed.currency,
  number: null,
  periodFrom: draft.period.from,
  periodTo: draft.period.to,
  planId: draft.plan.id,
  planVersion: draft.plan.version,
  taxBehaviour: draft.input.tax.behaviour,
  subtotal: computed.subtotal,
  discount: computed.discount,
  tax: computed.tax,
  total: computed.total,
  creditApplied: computed.creditApplied,
  prepaidApplied: computed.prepaidApplied.reduce((sum, { amount }) => sum + amount, 0n),
  toCreditBalance: computed.toCreditBalance,
  amountCredited: 0n,
  amountPaid: 0n,
  amountDue: computed.amountDue,
  discounts: computed.discounts.map(({ coupon, amount }) => ({ coupon, amount: String(amount) })),
  taxes: computed.taxes.map(({ category, rate, base, amount }) => ({
    category,
    rate: formatExact(rate),
    base: String(base),
    amount: String(amount),
  })),
  lineCount: computed.lines.length,
  createdAt: current?.createdAt ?? draft.at,
  updatedAt: draft.at,
  issuedAt: null,
  dueAt: null,
  closedAt: null,
  snapshot: null,
});

const toLineRows = (lines: readonly ComputedLine[], { invoiceAt }: { invoiceAt: Date }): InvoiceLineRow[] =>
  lines.map((line, index) => ({
    id: newId("il"),
    position: index + 1,
    corrects: null,
    replaces: line.replaces ?? null,
    kind: line.kind,
    meter: line.meter,
    description: line.description,
    planId: line.plan?.id ?? null,
    planVersion: line.plan?.version ?? null,
    periodFrom: line.period.from,
    periodTo: line.period.to,
    quantity: String(line.quantity),
    exact: formatExact(line.exact),
    pricedExact: formatExact(line.pricedExact),
    amount: line.amount,
    discount: line.discount,
    net: line.net,
    taxCategory: line.tax.category,
    taxRate: formatExact(line.tax.rate),
    invoiceAt,
    cutOff: line.period.to,
    eventCount: line.events?.count ?? null,
    eventSetHash: line.events?.setHash ?? null,
    eventsAsOf: line.events?.asOf ?? null,
    eventsReceivedFrom: line.events?.receivedFrom ?? null,
    eventMonths:
      line.events?.months?.map(({ from, to }) => ({ from: from.toISOString(), to: to.toISOString() })) ?? null,
  }));
