import type { JsonObject } from "../../kernel/text/json.ts";
import { holding, using } from "../charges/charges.ts";
import { type Sql, statement } from "../client.ts";
import { type Terms, toStored } from "./mandates.ts";

const replaceTerms = statement<never>(
  "replace_mandate_terms",
  `UPDATE mandate SET version = $2::int, details = $3::jsonb, max_amount_per_payment = $4::bigint, max_total_amount = $5::bigint,
     max_payments = $6::bigint, periodic_limits = $7::jsonb, valid_until = $8::timestamptz, actions = $9::text[],
     payee_merchant_ids = $10::text[], payee_categories = $11::text[], payer_presence = $12::text[], step_up_above = $13::bigint,
     purpose = $14, payment_method_id = $15, budget_visible = $16::boolean WHERE id = $1`,
);

type ReplacedMandate = {
  id: string;
  version: number;
  details: JsonObject;
  terms: Terms;
  purpose: string;
  paymentMethodId: string;
  budgetVisible: boolean;
};

/** Everything that a new consent may change. Currency, time zone, refund policy, start and counters don't change. */
export const replaceMandateTerms = async (sql: Sql, mandate: ReplacedMandate): Promise<void> => {
  const { id, version, details, terms, purpose, paymentMethodId, budgetVisible } = mandate;
  await sql.query(replaceTerms, [
    id,
    version,
    JSON.stringify(details),
    terms.maxAmountPerPayment,
    terms.maxTotalAmount,
    terms.maxPayments,
    JSON.stringify(terms.periodicLimits.map(toStored)),
    terms.validUntil,
    terms.actions,
    terms.payeeMerchantIds,
    terms.payeeCategories,
    terms.payerPresence,
    terms.stepUpAbove,
    purpose,
    paymentMethodId,
    budgetVisible,
  ]);
};

const countMissed = statement<never>(
  "count_charges_in_new_periods",
  `WITH period AS (
     SELECT * FROM unnest($2::text[], $3::timestamptz[], $4::timestamptz[]) AS period (limit_key, starts_at, ends_at)
   ), missed AS (
     SELECT c.id, c.created_at, p.limit_key, p.starts_at, p.ends_at, c.state IN ${using} AS is_used, c.amount,
       c.amount_captured - CASE WHEN m.refund_policy = 'restore' THEN c.amount_refunded ELSE 0 END AS used
     FROM charge c JOIN mandate m ON m.id = c.mandate_id JOIN period p ON c.created_at >= p.starts_at AND c.created_at < p.ends_at
     WHERE c.mandate_id = $1 AND (c.state IN ${using} OR c.state IN ${holding}) AND NOT EXISTS (
       SELECT FROM jsonb_to_recordset(c.periods) AS known (limit_key text, starts_at timestamptz)
       WHERE known.limit_key = p.limit_key AND known.starts_at = p.starts_at)
   ), listed AS (
     UPDATE charge c SET periods = c.periods || missing.periods FROM (
       SELECT id, created_at, jsonb_agg(jsonb_build_object('limit_key', limit_key,
         'starts_at', to_char(starts_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY limit_key) AS periods
       FROM missed GROUP BY id, created_at
     ) missing WHERE c.id = missing.id AND c.created_at = missing.created_at
   )
   INSERT INTO mandate_period AS q (mandate_id, limit_key, starts_at, ends_at, used_amount, used_count, held_amount, held_count)
   SELECT $1, limit_key, starts_at, ends_at,
     coalesce(sum(used) FILTER (WHERE is_used), 0), count(*) FILTER (WHERE is_used),
     coalesce(sum(amount) FILTER (WHERE NOT is_used), 0), count(*) FILTER (WHERE NOT is_used)
   FROM missed GROUP BY limit_key, starts_at, ends_at
   ON CONFLICT (mandate_id, limit_key, starts_at) DO UPDATE SET used_amount = q.used_amount + excluded.used_amount,
     used_count = q.used_count + excluded.used_count, held_amount = q.held_amount + excluded.held_amount,
     held_count = q.held_count + excluded.held_count`,
);

/**
 * For each new limit, counts the charges of the current period that were made before the limit existed. Each of these
 * charges then names the period, so that its settlement finds the period. Runs under the mandate's lock, which every
 * charge and every settlement takes first.
 */
export const countChargesInPeriods = async (
  sql: Sql,
  mandateId: string,
  periods: readonly { limitKey: string; startsAt: Date; endsAt: Date }[],
): Promise<void> => {
  if (periods.length === 0) return;
  await sql.query(countMissed, [
    mandateId,
    periods.map(({ limitKey }) => limitKey),
    periods.map(({ startsAt }) => startsAt.toISOString()),
    periods.map(({ endsAt }) => endsAt.toISOString()),
  ]);
};
