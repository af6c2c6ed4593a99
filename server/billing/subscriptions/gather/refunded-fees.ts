import { createHash } from "node:crypto";
import type { RefundForFee } from "../../../data/billing/subscriptions/period-refunds.ts";
import type { SubscriptionRow } from "../../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../../data/client.ts";
import { dayIn } from "../../../kernel/time/calendar.ts";
import { type Exact, multiplyRatio, parseExact, toExact } from "../../rules/exact/exact.ts";
import { earlierUsage, priceAfter } from "../../rules/invoice/shared-usage.ts";
import type { EventSet, RefundedFee } from "../../rules/invoice/types.ts";
import { chargesMeter } from "../../rules/plans/meters.ts";
import { type MeterUsage, noUsage, type Price } from "../../rules/plans/terms.ts";
import { refundedFee } from "../../rules/prices/refunded-fee.ts";
import type { Period } from "../../rules/usage-period.ts";
import { loadEarlierParts } from "./earlier-parts.ts";
import { getPlanOf } from "./get-plan-of.ts";
import { keptFees } from "./kept-fees.ts";
import { readPeriodUsage, type UsageQuery } from "./period-usage.ts";
import { loadSupplyTaxes } from "./tax-terms.ts";

type Input = { row: SubscriptionRow; asOf: Date };
const wholePercent = toExact(100n);
type Group<One extends RefundForFee = RefundForFee> = readonly [One, ...One[]];

/**
 * The fees that are credited because charges were refunded, by currency. There is one line for each period in which
 * refunded charges were billed. Charges of a trial had no fee. The part of a fee that a void invoice, a credit note or
 * an SLA credit already gave back isn't credited again.
 */
export const loadRefundedFees = async (
  sql: Sql,
  input: Input,
  refunds: readonly RefundForFee[],
): Promise<RefundedFees> => {
  const fees: RefundedFees = new Map();
  for (const group of groupRefunds(refunds)) {
    const fee = await feeOfGroup(sql, input, group);
    if (fee) addFee(fees, group[0].currency, fee);
  }
  return fees;
};

/** By currency. */
export type RefundedFees = Map<string, RefundedFee[]>;

export const addFee = (fees: RefundedFees, currency: string, fee: RefundedFee): void => {
  fees.set(currency, [...(fees.get(currency) ?? []), fee]);
};

/** The refunds of charges with fees, by the period in which the charges were billed and by currency. */
export const groupRefunds = <One extends RefundForFee>(refunds: readonly One[]): Group<One>[] => {
  const billed = refunds.filter(({ trialEndsAt, chargedAt }) => trialEndsAt === null || chargedAt >= trialEndsAt);
  const groups = Map.groupBy(billed, refundGroupOf);
  return [...groups.values()].flatMap(([first, ...others]) => (first ? [[first, ...others] as const] : []));
};

export const refundGroupOf = ({ subscriptionId, currency, periodFrom }: RefundForFee): string =>
  [subscriptionId, currency, periodFrom.toISOString()].join(" ");

/**
 * The amount that is credited for the refunds of one group; null if the plan has no price for charges, or if no part of
 * the fees is left.
 */
export const feeOfGroup = async (sql: Sql, input: Input, refunds: Group): Promise<RefundedFee | null> => {
  const fees = await creditsOf(sql, input, refunds);
  if (!fees) return null;
  const [{ subscriptionId, currency }] = refunds;
  const fee = fees.reduce((sum, one) => sum + one, 0n);
  const supply = { currency, meter: chargesMeter, periodFrom: chargedPeriod(refunds[0]).from, fee };
  const [left] = await keptFees(sql, subscriptionId, [supply]);
  const exact = left?.fee ?? 0n;
  if (exact === 0n && fee !== 0n) return null;
  return toRefundedFee(sql, refunds, { exact, asOf: input.asOf });
};

export const toRefundedFee = async (
  sql: Sql,
  refunds: Group,
  { exact, asOf }: { exact: Exact; asOf: Date },
): Promise<RefundedFee> => {
  const [{ subscriptionId, currency, planId, planVersion }] = refunds;
  const period = chargedPeriod(refunds[0]);
  const taxOf = await loadSupplyTaxes(sql, subscriptionId, [period.from]);
  return {
    ...taxOf(period, currency),
    meter: chargesMeter,
    period,
    plan: { id: planId, version: planVersion },
    exact,
    quantity: BigInt(refunds.length),
    events: eventsOf(refunds, asOf),
  };
};

/**
 * The negative amount that is credited for each refund of one group. Doesn't consider that an invoice with the fee may
 * have been voided or credited. Null if the plan has no price for charges.
 */
export const creditsOf = async (sql: Sql, { row, asOf }: Input, refunds: Group): Promise<Exact[] | null> => {
  const [first] = refunds;
  const { subscriptionId, planId, planVersion, currency, periodFrom, trialEndsAt } = first;
  const { terms } = await getPlanOf(sql, { planId, planVersion, from: periodFrom });
  const price = terms.currencies.get(currency)?.prices.get(chargesMeter);
  if (!price) return null;
  const charged = { row: { ...row, id: subscriptionId, trialEndsAt }, plan: { terms }, currency, asOf };
  const { usage, price: whole } = await priceCharges(sql, price, {
    ...charged,
    period: { planId, planVersion, from: periodFrom },
    query: {
      merchantId: row.merchantId,
      period: chargedPeriod(first),
      timeZone: row.timeZone,
      firstDay: dayIn(row.timeZone, row.createdAt),
      currency,
      isMain: false,
      receivedBefore: asOf,
      meters: [chargesMeter],
    },
  });
  return refunds.map(({ capturedMinor, amountMinor, slaPercent }) => {
    const credited = refundedFee(price, { capturedMinor, refundedMinor: amountMinor, usage, fee: whole });
    return multiplyRatio(credited, wholePercent - parseExact(slaPercent), wholePercent);
  });
};

/** With basis points, the fee of a charge doesn't depend on the other charges of its period. */
const priceCharges = async (
  sql: Sql,
  price: Price,
  { query, ...part }: Parameters<typeof loadEarlierParts>[1] & { query: UsageQuery },
): Promise<{ usage: MeterUsage; price: Exact }> => {
  if (price.model === "basis_points") return { usage: noUsage, price: 0n };
  const usage = (await readPeriodUsage(sql, query)).get(chargesMeter) ?? noUsage;
  const earlier = await loadEarlierParts(sql, part);
  return { usage, price: priceAfter(price, usage, earlierUsage(earlier, chargesMeter)) };
};

const chargedPeriod = ({ periodFrom, periodTo, trialEndsAt }: RefundForFee): Period => ({
  from: trialEndsAt !== null && trialEndsAt > periodFrom ? trialEndsAt : periodFrom,
  to: periodTo,
});

const eventsOf = (refunds: Group, asOf: Date): EventSet => {
  const ids = refunds.map(({ id }) => id).sort();
  const setHash = createHash("sha256").update(ids.join("\n")).digest("hex");
  return { count: BigInt(ids.length), setHash, asOf };
};
