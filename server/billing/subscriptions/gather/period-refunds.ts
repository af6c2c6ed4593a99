import {
  type FailedRefund,
  listFailedRefunds,
  listRefundsForFees,
} from "../../../data/billing/subscriptions/period-refunds.ts";
import type { SubscriptionRow } from "../../../data/billing/subscriptions/subscriptions.ts";
import { listCreditedVoidFees } from "../../../data/billing/subscriptions/void-fees.ts";
import type { Sql } from "../../../data/client.ts";
import { type Exact, multiplyRatio, parseExact } from "../../rules/exact/exact.ts";
import { chargesMeter } from "../../rules/plans/meters.ts";
import type { Period } from "../../rules/usage-period.ts";
import {
  addFee,
  creditsOf,
  feeOfGroup,
  groupRefunds,
  loadRefundedFees,
  type RefundedFees,
  refundGroupOf,
  toRefundedFee,
} from "./refunded-fees.ts";
import { loadSupplyTaxes } from "./tax-terms.ts";

type Input = { row: SubscriptionRow; asOf: Date };

/**
 * The fees of the refunds that were made in a period, and the fees of the refunds that failed in the period after their
 * fees had been credited.
 */
export const loadPeriodRefunds = async (sql: Sql, input: Input, period: Period): Promise<RefundedFees> => {
  const { merchantId, id: subscriptionId } = input.row;
  const subject = { merchantId, subscriptionId, period };
  const fees = await loadRefundedFees(sql, input, await listRefundsForFees(sql, subject));
  return addFeesOfFailed(sql, input, { fees, failed: await listFailedRefunds(sql, subject) });
};

/**
 * Adds the fees of refunds that failed after the fees were credited: one line for each period in which the charges were
 * billed. Each line charges exactly the amount that the credit lines gave back. If the invoice with the credit lines is
 * void, the line charges the amount that the next invoice will give back.
 */
const addFeesOfFailed = async (
  sql: Sql,
  input: Input,
  { fees, failed }: { fees: RefundedFees; failed: readonly FailedRefund[] },
): Promise<RefundedFees> => {
  for (const group of groupRefunds(failed)) {
    let exact = 0n;
    for (const ofLine of Map.groupBy(group, lineOf).values()) exact += await takenBack(sql, input, ofLine);
    if (exact > 0n) addFee(fees, group[0].currency, await toRefundedFee(sql, group, { exact, asOf: input.asOf }));
  }
  return fees;
};

const lineOf = ({ creditedBy, creditedFrom }: FailedRefund): string => `${creditedBy} ${creditedFrom.toISOString()}`;

/** The part of a credit line that belongs to the failed refunds, as a positive amount. */
const takenBack = async (sql: Sql, input: Input, failed: readonly FailedRefund[]): Promise<Exact> => {
  const [first] = failed;
  // If the invoice with the fees is void, `addCorrections` reverses the credit.
  if (!first || first.isFeeVoid) return 0n;
  const credited = { from: first.creditedFrom, to: first.creditedTo };
  const subject = { merchantId: input.row.merchantId, subscriptionId: first.creditedBy, period: credited };
  const all = (await listRefundsForFees(sql, subject)).filter((one) => refundGroupOf(one) === refundGroupOf(first));
  const [group] = groupRefunds(all);
  const credits = group && (await creditsOf(sql, input, group));
  if (!credits) return 0n;
  const ids = new Set(failed.map(({ id }) => id));
  const sumOf = (isWanted: (id: string) => boolean): Exact =>
    group.reduce((sum, { id }, index) => (isWanted(id) ? sum - (credits[index] ?? 0n) : sum), 0n);
  const whole = sumOf(() => true);
  const share = sumOf((id) => ids.has(id));
  const given = first.isVoid ? -((await feeOfGroup(sql, input, group))?.exact ?? 0n) : keptCredit(first);
  return whole === 0n ? 0n : multiplyRatio(given, share, whole);
};

/** The credit without the part that credit notes have reversed, as a positive amount. */
const keptCredit = ({ creditedExact, creditedAmount, reversedAmount }: FailedRefund): Exact => {
  const exact = -parseExact(creditedExact);
  return creditedAmount === 0n ? exact : multiplyRatio(exact, reversedAmount - creditedAmount, -creditedAmount);
};

/**
 * Adds a line for each period whose fees were credited because of refunds, and whose invoice then became void. The void
 * invoice already gives the fees back, so the line charges the credited amount. If an invoice with such a credit later
 * becomes void too, the next line credits the excess (docs/spec/billing.md, The billing run).
 */
export const addCorrections = async (sql: Sql, subscriptionId: string, fees: RefundedFees): Promise<RefundedFees> => {
  const credited = await listCreditedVoidFees(sql, subscriptionId);
  const starts = credited.map(({ from }) => from);
  const taxOf = await loadSupplyTaxes(sql, subscriptionId, starts);
  for (const { currency, from, to, planId, planVersion, exact } of credited) {
    const period = { from, to };
    addFee(fees, currency, {
      ...taxOf(period, currency),
      meter: chargesMeter,
      period,
      plan: { id: planId, version: planVersion },
      exact: -parseExact(exact),
      quantity: 1n,
      isCorrection: true,
    });
  }
  return fees;
};
