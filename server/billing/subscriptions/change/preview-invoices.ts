import { createHash } from "node:crypto";
import { type BillingPeriodRow, findDraftPeriods } from "../../../data/billing/subscriptions/billing-periods.ts";
import type { SubscriptionRow } from "../../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../../data/client.ts";
import type { BusinessTime } from "../../../kernel/time/clock.ts";
import { findCredits } from "../../credits/find-credits.ts";
import { type InvoiceDocument, type InvoiceObject, toInvoiceObject } from "../../invoices/invoice.wire.ts";
import { computeInvoice } from "../../rules/invoice/compute-invoice.ts";
import type { ComputedInvoice, InvoiceInput } from "../../rules/invoice/types.ts";
import { dividePeriod, type Span, spanAfter } from "../../rules/subscriptions/divide-period.ts";
import type { ChosenPlan } from "../choose-plan.ts";
import { gatherInvoices } from "../gather/gather-invoices.ts";
import { toSpan } from "../period-span.ts";

export type Effective = "now" | "period_end";

export type ChangePreview = {
  asOf: Date;
  /**
   * covers the plan, `effective`, the planned end, and the invoices in the currency of the fees, even if the preview
   * shows another currency
   */
  hash: string;
  /** bills the old plan's part of the period; null if nothing is due */
  dueNow: InvoiceObject | null;
  /** the first invoice with the chosen plan */
  next: InvoiceObject;
};

export type PreviewQuery = {
  row: SubscriptionRow;
  open: BillingPeriodRow;
  chosen: ChosenPlan;
  effective: Effective;
  /** the currency of the invoices; null: for each invoice, the currency in which its period prices the fees */
  currency: string | null;
  at: BusinessTime;
};

/** What a change of plan costs, with the usage so far. It writes nothing. */
export const previewInvoices = async (sql: Sql, query: PreviewQuery): Promise<ChangePreview> => {
  const { chosen, effective, currency, at } = query;
  const shown = await computeInvoices(sql, query);
  // The hash is always computed in the currency of the fees, because the request for the change names no currency.
  const hashed = currency === null ? shown : await computeInvoices(sql, { ...query, currency: null });
  const plan = { id: chosen.plan.id, version: chosen.plan.version };
  return { asOf: at, hash: hashOf({ plan, effective, cancelAt: query.row.cancelAt, ...hashed }), ...shown };
};

const computeInvoices = async (sql: Sql, query: PreviewQuery): Promise<Pick<ChangePreview, "dueNow" | "next">> => {
  const { row } = query;
  const { before, next, isDueNow } = periodsOf(query);
  let earlier: InvoiceInput | null = null;
  let dueNow: InvoiceObject | null = null;
  for (const period of [...(await findDraftPeriods(sql, row.id)), ...(before ? [before] : [])]) {
    const computed: Computed = await computeNext(sql, { ...query, period, earlier });
    earlier = computed.left;
    if (period === before && isDueNow && computed.invoice.lines.length > 0) dueNow = toPreview(computed, period);
  }
  return { dueNow, next: toPreview(await computeNext(sql, { ...query, period: next, earlier }), next) };
};

type Periods = {
  /** the period whose invoice comes before the invoice of `next` */
  before: BillingPeriodRow | null;
  next: BillingPeriodRow;
  isDueNow: boolean;
};

const periodsOf = ({ row, open, chosen, effective, at }: PreviewQuery): Periods => {
  const { plan, currency } = chosen;
  if (plan.id === open.planId && plan.version === open.planVersion) {
    return { before: null, next: open, isDueNow: false };
  }
  const of = { planId: plan.id, planVersion: plan.version, currency };
  const { interval } = plan.terms;
  if (effective === "now") {
    const { cutAt, rest } = dividePeriod(row, toSpan(open), { at, interval, cancelAt: row.cancelAt });
    const before = cutAt && { ...open, to: cutAt };
    return { before, next: { ...open, ...of, ...toColumns(rest) }, isDueNow: true };
  }
  const whole = toSpan(open);
  const next =
    interval === row.interval
      ? spanAfter(row, { ...whole, to: whole.whole.to }, null)
      : dividePeriod(row, { ...whole, from: open.to }, { at: open.to, interval, cancelAt: null }).rest;
  if (!next) throw new Error("a period without an end has no next one");
  return { before: open, next: { ...open, ...of, ...toColumns(next) }, isDueNow: false };
};

const toColumns = ({ from, to, whole, number }: Span) => ({
  from,
  to,
  wholeFrom: whole.from,
  wholeTo: whole.to,
  number,
});

type Computed = { invoice: ComputedInvoice; plan: ChosenPlan["plan"]; left: InvoiceInput };
type Next = PreviewQuery & { period: BillingPeriodRow; earlier: InvoiceInput | null };

/** A page waits for the preview, so the time to compute a preview must not grow with the number of events. */
const maxPreviewedEvents = 10_000n;

/**
 * Late corrections and SLA credits are only on the first invoice. The next invoice has only the credits that remain.
 */
const computeNext = async (sql: Sql, { row, period, currency: wanted, at, earlier }: Next): Promise<Computed> => {
  const currency = wanted ?? period.currency;
  const { plan, inputs } = await gatherInvoices(
    sql,
    { row, period, asOf: at, maxEvents: maxPreviewedEvents },
    currency,
  );
  const [billable] = inputs;
  if (!billable) throw new Error(`no invoice in ${currency}`);
  const input =
    earlier?.currency === currency
      ? {
          ...billable,
          late: [],
          slaCredits: [],
          voided: [],
          creditBalance: earlier.creditBalance,
          prepaid: earlier.prepaid,
        }
      : { ...billable, ...(await findCredits(sql, { merchantId: row.merchantId, currency, at })) };
  const invoice = computeInvoice(input);
  const used = new Map(invoice.prepaidApplied.map(({ id, amount }) => [id, amount]));
  const prepaid = input.prepaid.map((grant) => ({ ...grant, remaining: grant.remaining - (used.get(grant.id) ?? 0n) }));
  const creditBalance = input.creditBalance - invoice.creditApplied + invoice.toCreditBalance;
  return {
    invoice,
    plan,
    left: { ...input, creditBalance, prepaid: prepaid.filter(({ remaining }) => remaining > 0n) },
  };
};

const toPreview = ({ invoice, plan }: Computed, period: BillingPeriodRow): InvoiceObject => {
  const document: InvoiceDocument = {
    ...invoice,
    id: "preview",
    number: null,
    type: "invoice",
    corrects: null,
    status: "draft",
    period: { from: period.from, to: period.to },
    plan: { id: plan.id, version: plan.version },
    issuedAt: null,
    dueAt: null,
    lines: invoice.lines.map((line, index) => ({ ...line, id: `line_${index + 1}` })),
    prepaidApplied: invoice.prepaidApplied.reduce((sum, { amount }) => sum + amount, 0n),
    amountPaid: 0n,
    pdfSha256: null,
  };
  return toInvoiceObject(document);
};

/** The hash doesn't cover the time of the preview. The same result therefore always has the same hash. */
const hashOf = (result: object): string => {
  const text = JSON.stringify(result, (name, value: unknown) => (name === "as_of" ? undefined : value));
  return createHash("sha256").update(text).digest("hex");
};
