import type { BillingPeriodRow } from "../../../data/billing/subscriptions/billing-periods.ts";
import type { SubscriptionRow } from "../../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../../data/client.ts";
import type { PlanVersion } from "../../catalogue/plan-version.ts";
import type { InvoiceInput, PeriodPart } from "../../rules/invoice/types.ts";
import type { Meter } from "../../rules/plans/terms.ts";
import { type BilledPart, billedPart } from "../../rules/subscriptions/divide-period.ts";
import { toSpan } from "../period-span.ts";
import { loadCoupons } from "./applied-coupons.ts";
import { loadEarlierParts } from "./earlier-parts.ts";
import { eventsBehind } from "./events-behind.ts";
import { getPlanOf } from "./get-plan-of.ts";
import { loadLatePeriods } from "./late-periods.ts";
import { addCorrections, loadPeriodRefunds } from "./period-refunds.ts";
import { readPeriodUsage } from "./period-usage.ts";
import { pricedUsageOf } from "./priced-usage.ts";
import { loadSlaCredits } from "./sla-credits.ts";
import { loadTaxTerms } from "./tax-terms.ts";
import { loadVoidedCredits } from "./voided-credits.ts";

export type GatherQuery = {
  row: SubscriptionRow;
  /** a stored period, or one that a change of plan would create */
  period: BillingPeriodRow;
  /** events that were received at this time or later don't count */
  asOf: Date;
  /** a line with a larger quantity doesn't list its events, because reading many events is slow; default: no limit */
  maxEvents?: bigint;
};

/** The input without credits. Credits are read when an invoice is stored or shown. */
type BillableInput = Omit<InvoiceInput, "creditBalance" | "prepaid">;
export type GatheredInputs = { plan: PlanVersion; inputs: readonly BillableInput[] };

/**
 * The input of the invoices of a period, one for each currency. Previews, drafts and final invoices are all computed
 * from it, so equal data gives equal invoices (docs/spec/billing.md, The billing run).
 * @param currency only the invoice in this currency
 */
export const gatherInvoices = async (sql: Sql, query: GatherQuery, currency?: string): Promise<GatheredInputs> => {
  const plan = await getPlanOf(sql, query.period);
  const shared = await loadShared(sql, { ...query, plan });
  const billed = new Set([
    ...plan.terms.currencies.keys(),
    ...shared.late.keys(),
    ...shared.refunds.keys(),
    ...shared.slaCredits.keys(),
    ...shared.voided.keys(),
  ]);
  const inputs: BillableInput[] = [];
  for (const each of currency === undefined ? billed : [currency]) {
    inputs.push(await gatherInput(sql, { ...query, plan, shared, currency: each }));
  }
  return { plan, inputs };
};

type Planned = GatherQuery & { plan: PlanVersion };
type Shared = Awaited<ReturnType<typeof loadShared>>;

const loadShared = async (sql: Sql, { row, period, asOf, plan, maxEvents }: Planned) => ({
  tax: await loadTaxTerms(sql, row.merchantId),
  part: period.kind === "late" ? null : billedPart(toSpan(period), row),
  late: await loadLatePeriods(sql, { row, until: period.from, asOf, maxEvents }),
  refunds: await addCorrections(sql, row.id, await loadPeriodRefunds(sql, { row, asOf }, period)),
  slaCredits: await loadSlaCredits(sql, row.id),
  voided: await loadVoidedCredits(sql, { row, asOf }),
  coupons: await loadCoupons(sql, { row, period, planId: plan.id }),
});

const gatherInput = async (sql: Sql, query: Planned & { shared: Shared; currency: string }): Promise<BillableInput> => {
  const { shared, currency } = query;
  const part = shared.part && (await gatherPart(sql, query, shared.part));
  return {
    currency,
    tax: shared.tax,
    parts: part ? [part] : [],
    late: shared.late.get(currency) ?? [],
    refunds: shared.refunds.get(currency) ?? [],
    slaCredits: shared.slaCredits.get(currency) ?? [],
    voided: shared.voided.get(currency) ?? [],
    coupons: shared.coupons(currency),
  };
};

const gatherPart = async (
  sql: Sql,
  { row, period, plan, currency, asOf, maxEvents }: Planned & { currency: string },
  { period: billed, days }: BilledPart,
): Promise<PeriodPart | null> => {
  const priced = pricedUsageOf({ row, period, plan, currency, billed, asOf });
  if (!priced) return null;
  const { terms, query } = priced;
  const usage = await readPeriodUsage(sql, query);
  const used = [...terms.prices.keys()].flatMap((meter) => {
    const { quantity } = usage.get(meter) ?? {};
    return quantity !== undefined && isNamed(meter, quantity, maxEvents) ? [meter] : [];
  });
  const events = await eventsBehind(sql, query, used);
  const earlier = await loadEarlierParts(sql, { row, period, plan, currency, asOf });
  return { plan: { id: plan.id, version: plan.version }, terms, period: billed, days, usage, earlier, events };
};

/** To find the events of active mandates, all charges are read, even if there are few events. */
const isNamed = (meter: Meter, quantity: bigint, maxEvents: bigint | undefined): boolean =>
  maxEvents === undefined || (quantity <= maxEvents && meter !== "active_mandates");
