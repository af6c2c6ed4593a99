import { readLateUsage } from "../../../data/billing/meters/late-usage.ts";
import { type BilledRow, listBilled } from "../../../data/billing/subscriptions/billed.ts";
import {
  type FinalPeriodRow,
  findEarlierParts,
  findFinalPeriods,
} from "../../../data/billing/subscriptions/billing-periods.ts";
import type { SubscriptionRow } from "../../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../../data/client.ts";
import type { PlanVersion } from "../../catalogue/plan-version.ts";
import { parseExact, toExact } from "../../rules/exact/exact.ts";
import { exactFees, partMinimum } from "../../rules/invoice/part-lines.ts";
import { earlierUsage, priceAfter } from "../../rules/invoice/shared-usage.ts";
import type { EventSet, LatePeriod, PeriodPart } from "../../rules/invoice/types.ts";
import { noUsage } from "../../rules/plans/terms.ts";
import { type BilledPart, billedPart } from "../../rules/subscriptions/divide-period.ts";
import { toSpan } from "../period-span.ts";
import { loadEarlierParts } from "./earlier-parts.ts";
import { eventsBehind } from "./events-behind.ts";
import { getPlanOf } from "./get-plan-of.ts";
import { readPeriodUsage } from "./period-usage.ts";
import { pricedUsageOf } from "./priced-usage.ts";
import { loadSupplyTaxes } from "./tax-terms.ts";

/** Events are accepted for 35 days after their time. The additional day is a margin. */
const acceptedSeconds = 36 * 24 * 3_600;

type Input = { row: SubscriptionRow; until: Date; asOf: Date; maxEvents: bigint | undefined };
type TaxOf = Awaited<ReturnType<typeof loadSupplyTaxes>>;
type Late = { period: FinalPeriodRow; part: BilledPart; plan: PlanVersion; billed: readonly BilledRow[]; taxOf: TaxOf };

/**
 * Corrections for events that were received after the invoices of their period, by currency.
 */
export const loadLatePeriods = async (sql: Sql, input: Input): Promise<Map<string, LatePeriod[]>> => {
  const late = new Map<string, LatePeriod[]>();
  for (const one of await loadRecent(sql, input)) {
    for (const currency of one.plan.terms.currencies.keys()) {
      const corrected = await correctPeriod(sql, input, { ...one, currency });
      if (corrected) late.set(currency, [...(late.get(currency) ?? []), corrected]);
    }
  }
  return late;
};

/**
 * Periods whose invoices are final, if events of the period or of an earlier part were received after the last cut-off.
 */
const loadRecent = async (sql: Sql, { row, until, asOf }: Input): Promise<Late[]> => {
  const parts: { period: FinalPeriodRow; part: BilledPart }[] = [];
  for (const period of await findFinalPeriods(sql, row.id, { until, acceptedSeconds })) {
    const part = billedPart(toSpan(period), row);
    if (!part) continue;
    const receivedFrom = period.lastCutOffAt;
    // Late usage of an earlier part uses up free units and tiers, so it also changes the price of this part.
    for (const one of [period, ...(await findEarlierParts(sql, row.id, period))]) {
      const received = { merchantId: row.merchantId, period: one, receivedFrom, receivedBefore: asOf };
      if ((await readLateUsage(sql, received)).length === 0) continue;
      parts.push({ period, part });
      break;
    }
  }
  if (parts.length === 0) return [];
  const starts = parts.map(({ part }) => part.period.from);
  const billed = Map.groupBy(await listBilled(sql, row.id, starts), ({ periodFrom }) => periodFrom.getTime());
  const taxOf = await loadSupplyTaxes(sql, row.id, starts);
  const late: Late[] = [];
  for (const { period, part } of parts) {
    const plan = await getPlanOf(sql, period);
    late.push({ period, part, plan, billed: billed.get(part.period.from.getTime()) ?? [], taxOf });
  }
  return late;
};

const correctPeriod = async (
  sql: Sql,
  { row, asOf, maxEvents }: Input,
  { period, part, plan, billed, taxOf, currency }: Late & { currency: string },
): Promise<LatePeriod | null> => {
  const priced = pricedUsageOf({ row, period, plan, currency, billed: part.period, asOf });
  if (!priced) return null;
  const { terms, query } = priced;
  const usage = await readPeriodUsage(sql, query);
  const rows = new Map(billed.filter((one) => one.currency === currency).map((one) => [one.meter, one]));
  const earlier = await loadEarlierParts(sql, { row, period, plan, currency, asOf });
  const corrections = correctMeters({ terms, usage, earlier }, rows);
  const maximum = await maximumLeft(sql, { row, period, currency, maximum: terms.maximum }, earlier);
  if (corrections.length === 0 && maximum?.before === maximum?.after) return null;
  const meters = corrections.flatMap(({ meter, quantity }) =>
    quantity !== 0n && (maxEvents === undefined || quantity <= maxEvents) ? [meter] : [],
  );
  const events = await eventsBehind(sql, { ...query, receivedFrom: period.lastCutOffAt }, meters);
  return {
    ...taxOf(part.period, currency),
    period: part.period,
    plan: { id: plan.id, version: plan.version },
    minimum: partMinimum({ terms, days: part.days }),
    maximum,
    pricedExact: [...rows.values()].reduce((sum, { exact }) => sum + parseExact(exact), 0n),
    corrections: corrections.map((one) => withEvents(one, events.get(one.meter))),
  };
};

type Shared = { row: SubscriptionRow; period: FinalPeriodRow; currency: string; maximum: bigint | null };

/**
 * The maximum minus the fees of the earlier parts. `before`: with the fees as they were billed. `after`: with the fees
 * after late usage of the earlier parts is added.
 */
const maximumLeft = async (
  sql: Sql,
  { row, period, currency, maximum }: Shared,
  earlier: readonly PeriodPart[],
): Promise<LatePeriod["maximum"]> => {
  if (maximum === null) return null;
  const after = toExact(maximum) - exactFees(earlier);
  // If the invoice of an earlier part isn't final yet, it will contain the late usage of that part.
  const isBilled = (await findEarlierParts(sql, row.id, period)).every(({ state }) => state === "final");
  if (!isBilled || earlier.length === 0) return { before: after, after };
  const starts = earlier.map((part) => part.period.from);
  const billed = (await listBilled(sql, row.id, starts)).filter((one) => one.currency === currency);
  return { before: billed.reduce((left, { exact }) => left - parseExact(exact), toExact(maximum)), after };
};

type Correction = LatePeriod["corrections"][number];

const withEvents = (correction: Correction, events: EventSet | undefined): Correction =>
  events ? { ...correction, events } : correction;

const correctMeters = (
  { terms: { prices }, usage: used, earlier }: Pick<PeriodPart, "terms" | "usage" | "earlier">,
  billed: ReadonlyMap<string | null, BilledRow>,
): Correction[] =>
  [...prices].flatMap(([meter, price]) => {
    const usage = used.get(meter) ?? noUsage;
    const before = billed.get(meter);
    const quantity = usage.quantity - BigInt(before?.quantity ?? 0);
    const pricedExact = before ? parseExact(before.exact) : 0n;
    const shared = earlierUsage(earlier, meter);
    // Without earlier parts, only late events change the price.
    if (quantity === 0n && shared === null) return [];
    const trueExact = priceAfter(price, usage, shared);
    return quantity === 0n && trueExact === pricedExact ? [] : [{ meter, trueExact, pricedExact, quantity }];
  });
