import { type Sql, statement } from "../../client.ts";
import { billedRefunds, creditOfFailed, isCreditedBy, isFailedWithin, isGivenWithin } from "./credited-refunds.ts";
import { isFeeVoid } from "./void-fees.ts";

/** A refund, its charge, and the billing period in which the charge was billed. */
export type RefundForFee = {
  id: string;
  subscriptionId: string;
  amountMinor: bigint;
  currency: string;
  capturedMinor: bigint;
  chargedAt: Date;
  planId: string;
  planVersion: number;
  periodFrom: Date;
  periodTo: Date;
  trialEndsAt: Date | null;
  /** the percentage of the charge's fee that SLA credits gave back before the refund, as decimal text */
  slaPercent: string;
};

const columns = `r.id, s.id AS "subscriptionId", r.amount AS "amountMinor", c.currency, c.amount_captured AS "capturedMinor", c.final_at AS "chargedAt",
          p.plan_id AS "planId", p.plan_version AS "planVersion", p."from" AS "periodFrom", p."to" AS "periodTo",
          s.trial_ends_at AS "trialEndsAt",
          (SELECT least(coalesce(sum(b.percent), 0), 100)::text FROM billing_sla_credit b
            WHERE b.subscription_id = s.id AND b.month = date_trunc('month', c.final_at AT TIME ZONE 'UTC')::date
              AND b.currency = c.currency AND b.meter = 'successful_charges'
              AND b.period_from = greatest(p."from", s.trial_ends_at) AND b.created_at <= r.given_at) AS "slaPercent"`;
const refunds = `SELECT ${columns} FROM ${billedRefunds} WHERE r.merchant_id = $1 AND ${isGivenWithin("$2", "$3")}`;
const order = `ORDER BY c.currency, s.created_at, s.id, p."from", r.id`;
const list = statement<RefundForFee>(
  "list_refunds_for_fees",
  `${refunds} AND ${isCreditedBy("$4", "r.given_at")} ${order}`,
);

type Crediting = { merchantId: string; subscriptionId: string; period: { from: Date; to: Date } };

/**
 * The refunds that were given in a period of a subscription and whose fees this subscription credits. A refund that
 * failed within the period is left out.
 */
export const listRefundsForFees = (
  sql: Sql,
  { merchantId, subscriptionId, period }: Crediting,
): Promise<RefundForFee[]> => sql.query(list, [merchantId, period.from, period.to, subscriptionId]);

const listOfCharges = statement<RefundForFee>(
  "list_refunds_of_charges",
  `${refunds} AND c.final_at >= $2::timestamptz AND c.final_at < $4::timestamptz AND s.id = $5 ${order}`,
);

/**
 * The refunds that were given before `until`, for charges that were captured between `from` and `to` and billed by a
 * subscription. A refund that failed before `until` is left out.
 */
export const listRefundsOfCharges = (
  sql: Sql,
  { id, merchantId }: { id: string; merchantId: string },
  { from, to, until }: { from: Date; to: Date; until: Date },
): Promise<RefundForFee[]> => sql.query(listOfCharges, [merchantId, from, until, to, id]);

/**
 * A refund that failed after its fee was credited. `creditedBy`, `creditedFrom` and `creditedTo`: subscription and
 * period of the invoice that credited the fee. `creditedExact` and `creditedAmount`: amounts of the line that credits
 * the fee now, which may repeat the line of a void invoice.
 */
export type FailedRefund = RefundForFee & {
  creditedBy: string;
  creditedFrom: Date;
  creditedTo: Date;
  creditedExact: string;
  creditedAmount: bigint;
  /** the invoice of this line is void, and no final invoice has repeated the line yet */
  isVoid: boolean;
  /** the part of the line's amount that credit notes have reversed */
  reversedAmount: bigint;
  /** the invoice with the charge's fee is void, so nothing is credited or charged again */
  isFeeVoid: boolean;
};

const feePeriod = { currency: "c.currency", from: 'greatest(p."from", s.trial_ends_at)' };
const listFailed = statement<FailedRefund>(
  "list_failed_refunds",
  `SELECT ${columns}, l.*, ${isFeeVoid("s.id", feePeriod)} AS "isFeeVoid" FROM ${billedRefunds} CROSS JOIN LATERAL (${creditOfFailed}) l
    WHERE r.merchant_id = $1 AND ${isFailedWithin("$2", "$3")} AND ${isCreditedBy("$4", "r.updated_at")} ${order}`,
);

/** The refunds that failed in a period of a subscription, and whose fees this subscription charges again. */
export const listFailedRefunds = (
  sql: Sql,
  { merchantId, subscriptionId, period }: Crediting,
): Promise<FailedRefund[]> => sql.query(listFailed, [merchantId, period.from, period.to, subscriptionId]);
