import { type Sql, statement } from "../client.ts";
import type { ChargeRow } from "./charges.ts";

/** No cap: greater than any sum of amounts, and still far from overflowing when one more is added. */
const uncapped = 4_000_000_000_000_000_000n;

type ReservedPeriod = {
  limitKey: string;
  startsAt: Date;
  endsAt: Date;
  maxAmount: bigint | null;
  maxPayments: bigint | null;
};

const reserve = statement<{ keys: number; mandates: number; periods: number }>(
  "reserve_charge",
  `WITH locked AS (
     SELECT id FROM mandate WHERE id = $7 FOR NO KEY UPDATE
   ), key AS (
     INSERT INTO idempotency_key (merchant_id, route, key, body_hash, charge_id, created_at)
     SELECT $1, $2, $3, $4, $5, $6::timestamptz FROM locked
     ON CONFLICT (merchant_id, route, key) DO NOTHING RETURNING charge_id
   ), held AS (
     UPDATE mandate m SET held_amount = m.held_amount + $9::bigint, held_count = m.held_count + 1
     FROM key
     WHERE m.id = $7 AND m.version = $8::int AND m.state = 'active'
       AND m.valid_from <= $6::timestamptz AND m.valid_until > $6::timestamptz
       AND (m.max_amount_per_payment IS NULL OR $9::bigint <= m.max_amount_per_payment)
       AND (m.max_total_amount IS NULL OR m.used_amount + m.held_amount + $9::bigint <= m.max_total_amount)
       AND (m.max_payments IS NULL OR m.used_count + m.held_count + 1 <= m.max_payments)
     RETURNING m.id
   ), caps AS (
     SELECT * FROM unnest($10::text[], $11::timestamptz[], $12::timestamptz[], $13::bigint[], $14::bigint[])
       AS cap (limit_key, starts_at, ends_at, max_amount, max_payments)
   ), period AS (
     INSERT INTO mandate_period AS p (mandate_id, limit_key, starts_at, ends_at, held_amount, held_count)
     SELECT held.id, caps.limit_key, caps.starts_at, caps.ends_at, $9::bigint, 1 FROM held, caps
     WHERE $9::bigint <= caps.max_amount AND 1 <= caps.max_payments
     ORDER BY caps.limit_key
     ON CONFLICT (mandate_id, limit_key, starts_at) DO UPDATE
       SET held_amount = p.held_amount + excluded.held_amount, held_count = p.held_count + 1
       WHERE p.used_amount + p.held_amount + excluded.held_amount <= (SELECT max_amount FROM caps WHERE caps.limit_key = p.limit_key)
         AND p.used_count + p.held_count + 1 <= (SELECT max_payments FROM caps WHERE caps.limit_key = p.limit_key)
     RETURNING limit_key
   ), charged AS (
     INSERT INTO charge (id, merchant_id, mandate_id, mandate_version, merchant_client_id, agent_client_id, payer_id, state, amount,
       currency, capture_method, payer_presence, reference, transaction_id, metadata, periods, processor, processor_account,
       payment_method_ref, next_action, created_at, updated_at, lease_until, next_lookup_at, expires_at)
     SELECT $5, $1, held.id, $8::int, $15, $16, $17, $18::charge_state, $9::bigint, $19, $20, $21, $22, $23, $24::jsonb, $25::jsonb, $26,
       $27, $28, $29::jsonb, $6::timestamptz, $6::timestamptz, $30::timestamptz, $31::timestamptz, $32::timestamptz
     FROM held
   )
   SELECT (SELECT count(*)::int FROM key) AS keys, (SELECT count(*)::int FROM held) AS mandates,
     (SELECT count(*)::int FROM period) AS periods`,
);

export type Reservation = "reserved" | "key_taken" | "does_not_fit";

/**
 * At most one caller per idempotency key reserves; every counter stays within its cap, or nothing is written.
 * The key, `state = 'active'` and every counter are one statement, so a charge comes either before or after a
 * revocation. Requires a transaction that is rolled back on any result but `reserved`.
 */
export const insertReservation = async (
  sql: Sql,
  charge: ChargeRow,
  {
    idempotency,
    periods,
  }: { idempotency: { route: string; key: string; bodyHash: string }; periods: readonly ReservedPeriod[] },
): Promise<Reservation> => {
  const cap = (value: bigint | null) => (value ?? uncapped).toString();
  const [counts] = await sql.query(reserve, [
    charge.merchantId,
    idempotency.route,
    idempotency.key,
    idempotency.bodyHash,
    charge.id,
    charge.createdAt,
    charge.mandateId,
    charge.mandateVersion,
    charge.amount,
    periods.map((period) => period.limitKey),
    periods.map((period) => period.startsAt.toISOString()),
    periods.map((period) => period.endsAt.toISOString()),
    periods.map((period) => cap(period.maxAmount)),
    periods.map((period) => cap(period.maxPayments)),
    charge.merchantClientId,
    charge.agentClientId,
    charge.payerId,
    charge.state,
    charge.currency,
    charge.captureMethod,
    charge.payerPresence,
    charge.reference,
    charge.transactionId,
    JSON.stringify(charge.metadata),
    JSON.stringify(charge.periods),
    charge.processor,
    charge.processorAccount,
    charge.paymentMethodRef,
    charge.nextAction === null ? null : JSON.stringify(charge.nextAction),
    charge.leaseUntil,
    charge.nextLookupAt,
    charge.expiresAt,
  ]);
  if (!counts || counts.keys === 0) return "key_taken";
  return counts.mandates === 1 && counts.periods === periods.length ? "reserved" : "does_not_fit";
};
