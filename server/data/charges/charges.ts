import type { ChargeState, Decline, NextAction, PendingAct } from "../../charges/rules/charge-states.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { type Sql, statement } from "../client.ts";
import { inDue, spanOf } from "../dated.ts";
import { hasEnded } from "../lease.ts";
import { hasEndedPlan } from "../merchants/standing.ts";

export type ChargeRow = {
  id: string;
  merchantId: string;
  mandateId: string;
  mandateVersion: number;
  merchantClientId: string;
  agentClientId: string;
  payerId: string;
  state: ChargeState;
  amount: bigint;
  currency: string;
  amountCaptured: bigint;
  amountRefunded: bigint;
  /** of refunds in progress */
  amountRefunding: bigint;
  captureMethod: string;
  payerPresence: string;
  reference: string | null;
  transactionId: string | null;
  metadata: Record<string, string>;
  /** the periods in which it counts; they never change */
  periods: { limit_key: string; starts_at: string }[];
  processor: string;
  processorAccount: string;
  paymentMethodRef: string;
  processorRef: string | null;
  decline: Decline | null;
  nextAction: NextAction | null;
  pendingAct: PendingAct | null;
  createdAt: Date;
  /** by the payer, if it was above `step_up_above` */
  approvedAt: Date | null;
  submittedAt: Date | null;
  leaseUntil: Date | null;
  nextLookupAt: Date | null;
  /** set while the charge waits for a step-up or for its capture; in business time */
  expiresAt: Date | null;
  lookups: number;
  notFoundAt: Date | null;
};

// Lists for SQL: the states in which a charge holds budget, and the states in which it has used budget
// (docs/spec/payments.md, Charge states).
export const holding = "('reserved', 'requires_action', 'submitted', 'processing', 'unknown', 'authorized')";
export const using = "('succeeded', 'captured', 'partially_captured', 'partially_refunded', 'refunded', 'disputed')";

export const chargeColumns = `c.id, c.merchant_id AS "merchantId", c.mandate_id AS "mandateId", c.mandate_version AS "mandateVersion",
  c.merchant_client_id AS "merchantClientId", c.agent_client_id AS "agentClientId", c.payer_id AS "payerId", c.state::text AS state,
  c.amount, c.currency, c.amount_captured AS "amountCaptured", c.amount_refunded AS "amountRefunded", c.amount_refunding AS "amountRefunding",
  c.capture_method AS "captureMethod", c.payer_presence AS "payerPresence", c.reference, c.transaction_id AS "transactionId",
  c.metadata, c.periods, c.processor, c.processor_account AS "processorAccount", c.payment_method_ref AS "paymentMethodRef",
  c.processor_ref AS "processorRef", c.decline, c.next_action AS "nextAction", c.pending_act AS "pendingAct", c.created_at AS "createdAt",
  c.approved_at AS "approvedAt", c.submitted_at AS "submittedAt", c.lease_until AS "leaseUntil", c.next_lookup_at AS "nextLookupAt",
  c.expires_at AS "expiresAt", c.lookups,
  c.not_found_at AS "notFoundAt"`;

/** SQL: whether the charge's payment method still exists. @param charge the charge's name in the statement. */
export const keepsPaymentMethod = (charge: string): string =>
  `EXISTS (SELECT FROM payment_method p WHERE p.payer_id = ${charge}.payer_id AND p.processor = ${charge}.processor
                                          AND p.processor_ref = ${charge}.payment_method_ref AND p.removed_at IS NULL)`;

/** SQL: whether the charge's merchant may charge. @param charge the charge's name in the statement. */
export const hasActiveMerchant = (charge: string): string =>
  `EXISTS (SELECT FROM merchant m WHERE m.id = ${charge}.merchant_id AND m.suspended_at IS NULL
                                   AND m.billing_suspended_at IS NULL AND ${hasEndedPlan("m")} IS NOT TRUE)`;

// The state is compared as text. Otherwise the index of unsubmitted charges would fit, and PostgreSQL would read all of
// it instead of looking up the id.
const submit = statement<{ id: string }>(
  "submit_charge",
  `UPDATE charge SET state = 'submitted', submitted_at = $2::timestamptz, updated_at = $2::timestamptz,
     next_lookup_at = $3::timestamptz
   WHERE id = $1 AND state::text = 'reserved' AND created_at BETWEEN $4::timestamptz AND $5::timestamptz
     AND next_lookup_at > $2::timestamptz
     AND EXISTS (SELECT FROM mandate m WHERE m.id = charge.mandate_id AND m.state = 'active' AND m.valid_until > $6::timestamptz)
     AND ${hasActiveMerchant("charge")}
     AND ${keepsPaymentMethod("charge")}
   RETURNING id`,
);

/**
 * @returns false if nothing may be sent. The possible reasons: the charge was voided; its mandate is paused or has
 *   ended; its merchant is suspended, has an unpaid invoice or has no plan; its payment method was removed; or it was
 *   reserved so long ago (in real time) that the reconciler may void it.
 */
export const markSubmitted = async (
  sql: Sql,
  charge: { id: string; at: Date; nextLookupAt: Date; businessAt: Date },
): Promise<boolean> => {
  const { id, at, nextLookupAt, businessAt } = charge;
  return (await sql.query(submit, [id, at, nextLookupAt, ...spanOf(id), businessAt])).length === 1;
};

const voidUnsubmitted = statement<ChargeRow>(
  "void_unsubmitted_charges",
  `WITH gone AS (
     UPDATE charge c SET state = 'voided', updated_at = $2::timestamptz, final_at = $2::timestamptz, lease_until = NULL,
       next_lookup_at = NULL, expires_at = NULL
     WHERE c.mandate_id = $1 AND c.state IN ('reserved', 'requires_action') AND c.submitted_at IS NULL
     RETURNING c.*
   ), period AS (
     UPDATE mandate_period p SET held_amount = p.held_amount - s.amount, held_count = p.held_count - s.count
     FROM (
       SELECT r.limit_key, r.starts_at, sum(gone.amount)::bigint AS amount, count(*) AS count
       FROM gone, jsonb_to_recordset(gone.periods) AS r (limit_key text, starts_at timestamptz) GROUP BY 1, 2
     ) s
     WHERE p.mandate_id = $1 AND p.limit_key = s.limit_key AND p.starts_at = s.starts_at
   ), released AS (
     UPDATE mandate m SET held_amount = m.held_amount - s.amount, held_count = m.held_count - s.count
     FROM (SELECT coalesce(sum(amount), 0)::bigint AS amount, count(*) AS count FROM gone) s WHERE m.id = $1
   )
   SELECT ${chargeColumns} FROM gone c ORDER BY c.id`,
);

/** Voids and releases charges that were never sent. The caller holds the mandate's lock. */
export const updateUnsubmittedVoided = (sql: Sql, input: { mandateId: string; at: Date }): Promise<ChargeRow[]> =>
  sql.query(voidUnsubmitted, [input.mandateId, input.at]);

const claimDue = statement<ChargeRow>(
  "claim_due_charges",
  `WITH due AS (
     SELECT id FROM charge WHERE next_lookup_at <= $1::timestamptz
     ORDER BY next_lookup_at LIMIT $2::int FOR UPDATE SKIP LOCKED
   )
   UPDATE charge c SET next_lookup_at = $3::timestamptz WHERE ${inDue("c")}
   RETURNING ${chargeColumns}`,
);

/** Claims due charges, each for one caller until `leaseUntil`. */
export const claimDueCharges = (
  sql: Sql,
  input: { now: Date; limit: number; leaseUntil: Date },
): Promise<ChargeRow[]> => sql.query(claimDue, [input.now, input.limit, input.leaseUntil]);

const claimExpiring = statement<ChargeRow>(
  "claim_expiring_charges",
  `WITH due AS (
     SELECT id FROM charge
     WHERE expires_at <= $1::timestamptz AND next_lookup_at IS NULL AND state IN ('requires_action', 'authorized')
     ORDER BY expires_at LIMIT $2::int FOR UPDATE SKIP LOCKED
   )
   UPDATE charge c SET next_lookup_at = $3::timestamptz WHERE ${inDue("c")}
   RETURNING ${chargeColumns}`,
);

/** Claims charges whose step-up or authorization has expired at `at`, each for one caller until `leaseUntil`. */
export const claimExpiringCharges = (
  sql: Sql,
  input: { at: BusinessTime; limit: number; leaseUntil: Date },
): Promise<ChargeRow[]> => sql.query(claimExpiring, [input.at, input.limit, input.leaseUntil]);

const reschedule = statement<never>(
  "reschedule_lookup",
  `UPDATE charge SET next_lookup_at = $2::timestamptz, lookups = $3::int, not_found_at = $4::timestamptz
   WHERE id = $1 AND next_lookup_at IS NOT NULL AND state = $7::charge_state AND pending_act IS NULL
     AND created_at BETWEEN $5::timestamptz AND $6::timestamptz`,
);

/**
 * Reschedules the look-up of a charge, unless its state has changed since it was looked up. After a change of state,
 * the charge has another schedule.
 */
export const rescheduleLookup = async (
  sql: Sql,
  charge: { id: string; state: ChargeState; nextLookupAt: Date; lookups: number; notFoundAt: Date | null },
): Promise<void> => {
  await sql.query(reschedule, [
    charge.id,
    charge.nextLookupAt,
    charge.lookups,
    charge.notFoundAt,
    ...spanOf(charge.id),
    charge.state,
  ]);
};

const takeLease = statement<ChargeRow>(
  "take_charge_lease",
  `UPDATE charge c SET lease_until = $3::timestamptz WHERE c.id = $1 AND c.state IN ('reserved', 'submitted')
     AND ${hasEnded("c.lease_until", "$2", "$3")}
     AND c.created_at BETWEEN $4::timestamptz AND $5::timestamptz
   RETURNING ${chargeColumns}`,
);

/** At most one caller takes over a charge whose process has crashed. */
export const takeChargeLease = async (
  sql: Sql,
  input: { id: string; now: Date; leaseUntil: Date },
): Promise<ChargeRow | null> =>
  (await sql.query(takeLease, [input.id, input.now, input.leaseUntil, ...spanOf(input.id)]))[0] ?? null;

const findById = statement<ChargeRow>(
  "find_charge",
  `SELECT ${chargeColumns} FROM charge c WHERE c.id = $1 AND c.created_at BETWEEN $2::timestamptz AND $3::timestamptz`,
);

export const findCharge = async (sql: Sql, id: string): Promise<ChargeRow | null> =>
  (await sql.query(findById, [id, ...spanOf(id)]))[0] ?? null;

// Reads every partition. Used only if a payment's metadata doesn't lead to its charge, or to check a payment that was
// found by its metadata.
const findByProcessorRef = statement<ChargeRow>(
  "find_charge_by_processor_ref",
  `SELECT ${chargeColumns} FROM charge c WHERE c.processor_ref = $1 AND c.processor = $2 AND c.processor_account = $3 LIMIT 1`,
);

export const findChargeByProcessorRef = async (
  sql: Sql,
  payment: { processor: string; account: string; reference: string },
): Promise<ChargeRow | null> =>
  (await sql.query(findByProcessorRef, [payment.reference, payment.processor, payment.account]))[0] ?? null;

const lock = statement<ChargeRow>(
  "lock_charge",
  `SELECT ${chargeColumns} FROM charge c WHERE c.id = $1 AND c.created_at BETWEEN $2::timestamptz AND $3::timestamptz
   FOR NO KEY UPDATE`,
);

/**
 * Locks a charge. Until the transaction's end, no other caller writes this charge, its disputes or the refunds that a
 * processor reports.
 */
export const lockCharge = async (sql: Sql, chargeId: string): Promise<ChargeRow | null> =>
  (await sql.query(lock, [chargeId, ...spanOf(chargeId)]))[0] ?? null;
