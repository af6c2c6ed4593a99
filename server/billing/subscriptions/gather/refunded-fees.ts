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
import { loadEarlierParts } from "./earlier-parts.ts";
import { getPlanOf } from "./get-plan-of.ts";
import { keptFees } from "./kept-fees.ts";
import { readPeriodUsage, type UsageQuery } from "./period-usage.ts";

type Input = { row: SubscriptionRow; asOf: Date };
const wholePercent = toExact(100n);
type Group = readonly [RefundForFee, ...RefundForFee[]];

/**
 * The fees that refunds credit, by currency: one line for each period in which the charges were billed. Charges of a
 * trial had no fee. The part of a fee that a void invoice, a credit note or an SLA credit already gave back isn't
 * credited again.
 */
export const loadRefundedFees = async (
  sql: Sql,
  input: Input,
  refunds: readonly RefundForFee[],
): Promise<Map<string, RefundedFee[]>> => {
  const billed = refunds.filter(({ trialEndsAt, chargedAt }) => trialEndsAt === null || chargedAt >= trialEndsAt);
  const groups = Map.groupBy(billed, ({ subscriptionId, currency, periodFrom }) =>
    [subscriptionId, currency, periodFrom.toISOString()].join(" "),
  );
  const fees = new Map<string, RefundedFee[]>();
  for (const [first, ...others] of groups.values()) {
    const fee = first && (await feeOfGroup(sql, input, [first, ...others]));
    if (fee) fees.set(first.currency, [...(fees.get(first.currency) ?? []), fee]);
  }
  return fees;
};

const feeOfGroup = async (sql: Sql, { row, asOf }: Input, refunds: Group): Promise<RefundedFee | null> => {
  const [{ subscriptionId, planId, planVersion, currency, periodFrom, periodTo, trialEndsAt }] = refunds;
  const { terms } = await getPlanOf(sql, { planId, planVersion, from: periodFrom });
  const price = terms.currencies.get(currency)?.prices.get(chargesMeter);
  if (!price) return null;
  const period = { from: laterOf(periodFrom, trialEndsAt), to: periodTo };
  const charged = { row: { ...row, id: subscriptionId, trialEndsAt }, plan: { terms }, currency, asOf };
  const { usage, price: whole } = await priceCharges(sql, price, {
    ...charged,
    period: { planId, planVersion, from: periodFrom },
    query: {
      merchantId: row.merchantId,
      period,
      timeZone: row.timeZone,
      firstDay: dayIn(row.timeZone, row.createdAt),
      currency,
      isMain: false,
      receivedBefore: asOf,
      meters: [chargesMeter],
    },
  });
  const fee = refunds.reduce((sum, { capturedMinor, amountMinor, slaPercent }) => {
    const credited = refundedFee(price, { capturedMinor, refundedMinor: amountMinor, usage, fee: whole });
    return sum + multiplyRatio(credited, wholePercent - parseExact(slaPercent), wholePercent);
  }, 0n);
  const supply = { currency, meter: chargesMeter, periodFrom: period.from, fee };
  const [left] = await keptFees(sql, subscriptionId, [supply]);
  const exact = left?.fee ?? 0n;
  if (exact === 0n && fee !== 0n) return null;
  return {
    meter: chargesMeter,
    period,
    plan: { id: planId, version: planVersion },
    exact,
    quantity: BigInt(refunds.length),
    events: eventsOf(refunds, asOf),
  };
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

const laterOf = (from: Date, trialEndsAt: Date | null): Date =>
  trialEndsAt !== null && trialEndsAt > from ? trialEndsAt : from;

const eventsOf = (refunds: Group, asOf: Date): EventSet => {
  const ids = refunds.map(({ id }) => id).sort();
  const setHash = createHash("sha256").update(ids.join("\n")).digest("hex");
  return { count: BigInt(ids.length), setHash, asOf };
};
