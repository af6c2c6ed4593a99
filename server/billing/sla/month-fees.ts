import { type BillingPeriodRow, findPeriodsWithin } from "../../data/billing/subscriptions/billing-periods.ts";
import { listRefundsOfCharges } from "../../data/billing/subscriptions/period-refunds.ts";
import type { SubscriptionRow } from "../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../data/client.ts";
import { earlierUsage, priceAfter } from "../rules/invoice/shared-usage.ts";
import type { PeriodPart } from "../rules/invoice/types.ts";
import { type CurrencyTerms, noUsage, type Usage } from "../rules/plans/terms.ts";
import type { MonthFee } from "../rules/sla/sla-credits.ts";
import { billedPart } from "../rules/subscriptions/divide-period.ts";
import type { Period } from "../rules/usage-period.ts";
import { loadEarlierParts } from "../subscriptions/gather/earlier-parts.ts";
import { getPlanOf } from "../subscriptions/gather/get-plan-of.ts";
import { keptFees } from "../subscriptions/gather/kept-fees.ts";
import { readPeriodUsage } from "../subscriptions/gather/period-usage.ts";
import { pricedUsageOf } from "../subscriptions/gather/priced-usage.ts";
import { loadRefundedFees } from "../subscriptions/gather/refunded-fees.ts";
import { toSpan } from "../subscriptions/period-span.ts";

type Input = { row: SubscriptionRow; month: Period; asOf: Date };

/**
 * The exact fees of a subscription's meters in a month, without the refunded fees of that month's charges and without
 * the fees that void invoices and credit notes have canceled. A billing period may span several months. A month's share
 * of the fee is the price of the usage up to the end of the month, less the price of the usage up to the start of the
 * month. So the shares of all months sum to the fee of the period.
 */
export const loadMonthFees = async (sql: Sql, input: Input): Promise<MonthFee[]> => {
  const { row, month, asOf } = input;
  const fees: MonthFee[] = [];
  for (const period of await findPeriodsWithin(sql, row.id, month))
    fees.push(...(await feesOfPeriod(sql, input, period)));
  const kept = await keptFees(sql, row.id, fees);
  const charged = { from: month.from, to: month.to, until: asOf };
  const refunds = await listRefundsOfCharges(sql, row, charged);
  const refunded = await loadRefundedFees(sql, { row, asOf }, refunds);
  return kept.map((fee) => {
    const taken = (refunded.get(fee.currency) ?? []).filter(
      ({ meter, period }) => meter === fee.meter && period.from.getTime() === fee.periodFrom.getTime(),
    );
    return { ...fee, fee: taken.reduce((left, { exact }) => left + exact, fee.fee) };
  });
};

const feesOfPeriod = async (sql: Sql, { row, month, asOf }: Input, period: BillingPeriodRow): Promise<MonthFee[]> => {
  const part = billedPart(toSpan(period), row)?.period;
  if (!part || part.from >= month.to || part.to <= month.from) return [];
  const plan = await getPlanOf(sql, period);
  const fees: MonthFee[] = [];
  for (const currency of plan.terms.currencies.keys()) {
    const priced = pricedUsageOf({ row, period, plan, currency, billed: part, asOf });
    if (!priced) continue;
    const { terms, query } = priced;
    const usageUntil = (to: Date) => readPeriodUsage(sql, { ...query, period: { from: part.from, to } });
    const before = part.from < month.from ? await usageUntil(month.from) : null;
    const used = await usageUntil(part.to < month.to ? part.to : month.to);
    const earlier = await loadEarlierParts(sql, { row, period, plan, currency, asOf });
    fees.push(...feesBetween({ currency, periodFrom: part.from, terms, earlier, before, used }));
  }
  return fees;
};

type Used = {
  currency: string;
  periodFrom: Date;
  terms: CurrencyTerms;
  earlier: readonly PeriodPart[];
  before: Usage | null;
  used: Usage;
};

const feesBetween = ({ currency, periodFrom, terms, earlier, before, used }: Used): MonthFee[] =>
  [...terms.prices].map(([meter, price]) => {
    const shared = earlierUsage(earlier, meter);
    const priceOf = (usage: Usage) => priceAfter(price, usage.get(meter) ?? noUsage, shared);
    return { currency, meter, periodFrom, fee: priceOf(used) - (before ? priceOf(before) : 0n) };
  });
