import { type Sql, statement } from "../../client.ts";
import { isCreditedBy } from "./crediting-subscription.ts";

/** A successful refund, its charge, and the billing period in which the charge was billed. */
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

const refunds = `SELECT r.id, s.id AS "subscriptionId", r.amount AS "amountMinor", c.currency, c.amount_captured AS "capturedMinor", c.final_at AS "chargedAt",
          p.plan_id AS "planId", p.plan_version AS "planVersion", p."from" AS "periodFrom", p."to" AS "periodTo",
          s.trial_ends_at AS "trialEndsAt",
          (SELECT least(coalesce(sum(b.percent), 0), 100)::text FROM billing_sla_credit b
            WHERE b.subscription_id = s.id AND b.month = date_trunc('month', c.final_at AT TIME ZONE 'UTC')::date
              AND b.currency = c.currency AND b.meter = 'successful_charges'
              AND b.period_from = greatest(p."from", s.trial_ends_at) AND b.created_at <= r.given_at) AS "slaPercent"
     FROM refund r
     JOIN charge c ON c.id = r.charge_id AND c.merchant_id = r.merchant_id AND c.created_at <= r.created_at
     JOIN billing_subscription s ON s.merchant_id = r.merchant_id
     JOIN billing_period p ON p.subscription_id = s.id AND p.kind = 'regular' AND p."from" <= c.final_at AND c.final_at < p."to"
    WHERE r.merchant_id = $1 AND r.given_at >= $2::timestamptz AND r.given_at < $3::timestamptz AND r.status = 'succeeded'`;
const order = `ORDER BY c.currency, s.created_at, s.id, p."from", r.id`;
const list = statement<RefundForFee>(
  "list_refunds_for_fees",
  `${refunds} AND ${isCreditedBy("$4", "r.given_at")} ${order}`,
);

type Crediting = { merchantId: string; subscriptionId: string; period: { from: Date; to: Date } };

/** The refunds that were given in a period of a subscription and whose fees this subscription credits. */
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
 * subscription.
 */
export const listRefundsOfCharges = (
  sql: Sql,
  { id, merchantId }: { id: string; merchantId: string },
  { from, to, until }: { from: Date; to: Date; until: Date },
): Promise<RefundForFee[]> => sql.query(listOfCharges, [merchantId, from, until, to, id]);
