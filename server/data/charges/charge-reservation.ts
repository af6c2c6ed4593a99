import { type Sql, sqlState, statement } from "../client.ts";
import { numberParameters } from "../parameters.ts";
import type { ChargeRow } from "./charges.ts";
import { type RequestKey, requestKeyColumns } from "./idempotency.ts";

/**
 * Represents no cap: greater than any sum of amounts, but small enough that adding one more amount doesn't overflow.
 */
const uncapped = 4_000_000_000_000_000_000n;

export const capOf = (value: bigint | null): string => (value ?? uncapped).toString();

/**
 * SQLSTATE of a division by zero. A statement that calculates `1 / (condition)::int` fails, and so has no effect, if
 * the condition is false. So it can run without a transaction: there is nothing to roll back.
 */
export const divisionByZero = "22012";

type ReservedPeriod = {
  limitKey: string;
  startsAt: Date;
  endsAt: Date;
  maxAmount: bigint | null;
  maxPayments: bigint | null;
};

/** The columns of a new charge. The others have defaults. */
const columns = numberParameters<ChargeRow>([
  ["id", (charge) => charge.id],
  ["merchant_id", (charge) => charge.merchantId],
  ["mandate_id", (charge) => charge.mandateId],
  ["mandate_version", (charge) => charge.mandateVersion, "int"],
  ["merchant_client_id", (charge) => charge.merchantClientId],
  ["agent_client_id", (charge) => charge.agentClientId],
  ["payer_id", (charge) => charge.payerId],
  ["state", (charge) => charge.state, "charge_state"],
  ["amount", (charge) => charge.amount, "bigint"],
  ["currency", (charge) => charge.currency],
  ["capture_method", (charge) => charge.captureMethod],
  ["payer_presence", (charge) => charge.payerPresence],
  ["reference", (charge) => charge.reference],
  ["transaction_id", (charge) => charge.transactionId],
  ["metadata", (charge) => JSON.stringify(charge.metadata), "jsonb"],
  ["periods", (charge) => JSON.stringify(charge.periods), "jsonb"],
  ["processor", (charge) => charge.processor],
  ["processor_account", (charge) => charge.processorAccount],
  ["payment_method_ref", (charge) => charge.paymentMethodRef],
  ["next_action", (charge) => (charge.nextAction === null ? null : JSON.stringify(charge.nextAction)), "jsonb"],
  ["created_at", (charge) => charge.createdAt, "timestamptz"],
  ["updated_at", (charge) => charge.createdAt, "timestamptz"],
  ["lease_until", (charge) => charge.leaseUntil, "timestamptz"],
  ["next_lookup_at", (charge) => charge.nextLookupAt, "timestamptz"],
  ["expires_at", (charge) => charge.expiresAt, "timestamptz"],
]);

const keyed = numberParameters(requestKeyColumns, columns.next);

const caps = numberParameters<readonly ReservedPeriod[]>(
  [
    ["limit_key", (periods) => periods.map((period) => period.limitKey), "text[]"],
    ["starts_at", (periods) => periods.map((period) => period.startsAt.toISOString()), "timestamptz[]"],
    ["ends_at", (periods) => periods.map((period) => period.endsAt.toISOString()), "timestamptz[]"],
    ["max_amount", (periods) => periods.map((period) => capOf(period.maxAmount)), "bigint[]"],
    ["max_payments", (periods) => periods.map((period) => capOf(period.maxPayments)), "bigint[]"],
  ],
  keyed.next,
);

const at = columns.placeholder;

/** The statement's last parameter. */
const periodCount = `$${caps.next}::int`;

// The division by zero makes the statement fail, so that it has no effect, if the key is free but a counter would
// exceed its cap. If the key is taken, no part of the statement writes anything.
const reserve = statement<{ keys: number }>(
  "reserve_charge",
  `WITH locked AS (
     SELECT id FROM mandate WHERE id = ${at("mandate_id")} FOR NO KEY UPDATE
   ), key AS (
     INSERT INTO idempotency_key (merchant_id, charge_id, created_at, ${keyed.names})
     SELECT ${at("merchant_id")}, ${at("id")}, ${at("created_at")}, ${keyed.placeholders} FROM locked
     ON CONFLICT (merchant_id, route, key) DO NOTHING RETURNING charge_id
   ), held AS (
     UPDATE mandate m SET held_amount = m.held_amount + ${at("amount")}, held_count = m.held_count + 1
     FROM key
     WHERE m.id = ${at("mandate_id")} AND m.version = ${at("mandate_version")} AND m.state = 'active'
       AND m.valid_from <= ${at("created_at")} AND m.valid_until > ${at("created_at")}
       AND (m.max_amount_per_payment IS NULL OR ${at("amount")} <= m.max_amount_per_payment)
       AND (m.max_total_amount IS NULL OR m.used_amount + m.held_amount + ${at("amount")} <= m.max_total_amount)
       AND (m.max_payments IS NULL OR m.used_count + m.held_count + 1 <= m.max_payments)
     RETURNING m.id
   ), caps AS (
     SELECT * FROM unnest(${caps.placeholders}) AS cap (${caps.names})
   ), period AS (
     INSERT INTO mandate_period AS p (mandate_id, limit_key, starts_at, ends_at, held_amount, held_count)
     SELECT held.id, caps.limit_key, caps.starts_at, caps.ends_at, ${at("amount")}, 1 FROM held, caps
     WHERE ${at("amount")} <= caps.max_amount AND 1 <= caps.max_payments
     ORDER BY caps.limit_key
     ON CONFLICT (mandate_id, limit_key, starts_at) DO UPDATE
       SET held_amount = p.held_amount + excluded.held_amount, held_count = p.held_count + 1
       WHERE p.used_amount + p.held_amount + excluded.held_amount <= (SELECT max_amount FROM caps WHERE caps.limit_key = p.limit_key)
         AND p.used_count + p.held_count + 1 <= (SELECT max_payments FROM caps WHERE caps.limit_key = p.limit_key)
     RETURNING limit_key
   ), charged AS (
     INSERT INTO charge (${columns.names}) SELECT ${columns.placeholders} FROM held
   )
   SELECT keys, 1 / (keys = 0 OR (mandates = 1 AND periods = ${periodCount}))::int AS fits
   FROM (SELECT (SELECT count(*)::int FROM key) AS keys, (SELECT count(*)::int FROM held) AS mandates,
     (SELECT count(*)::int FROM period) AS periods) AS written`,
);

export type Reservation = "reserved" | "key_taken" | "does_not_fit";

/**
 * At most one caller per idempotency key reserves an amount. If a counter would exceed its cap, nothing is written. One
 * statement checks the key, `state = 'active'` and every counter, so a revocation is committed either before or after
 * the reservation. It needs no transaction. After `does_not_fit`, the statement has failed: inside a transaction, the
 * caller must roll back.
 */
export const insertReservation = async (
  sql: Sql,
  charge: ChargeRow,
  { idempotency, periods }: { idempotency: RequestKey; periods: readonly ReservedPeriod[] },
): Promise<Reservation> => {
  try {
    const [written] = await sql.query(reserve, [
      ...columns.valuesOf(charge),
      ...keyed.valuesOf(idempotency),
      ...caps.valuesOf(periods),
      periods.length,
    ]);
    return written?.keys === 1 ? "reserved" : "key_taken";
  } catch (error) {
    if (sqlState(error) === divisionByZero) return "does_not_fit";
    throw error;
  }
};
