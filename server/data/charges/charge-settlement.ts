import type { ChargeState, Decline, NextAction } from "../../charges/rules/charge-states.ts";
import type { LimitMarks } from "../../mandates/rules/approaching.ts";
import type { MandateState } from "../../mandates/rules/transitions.ts";
import { type AuditEntry, auditColumns, auditTypes, auditValues } from "../audit/audit.ts";
import { type Sql, type SqlValue, sqlState, statement } from "../client.ts";
import { spanOf } from "../dated.ts";
import type { StoredLimit } from "../mandates/mandates.ts";
import { type AuditedEvents, eventValues } from "../webhooks/events.ts";
import { capOf, divisionByZero } from "./charge-reservation.ts";
import { chargeRoute } from "./idempotency.ts";

export type Settlement = {
  chargeId: string;
  merchantId: string;
  mandateId: string;
  from: readonly ChargeState[];
  /** true: we or the payer decided on an unsent charge; the decision applies only if the charge is still unsent */
  mustBeUnsubmitted: boolean;
  /**
   * what this process wrote when it claimed the charge: the charge is settled only if no other process has taken it
   * over since, because that process may have sent it; null: it is settled in any case
   */
  unlessTakenSince: Held | null;
  to: ChargeState;
  at: Date;
  /** effect on the hold: `use` counts `amountCaptured` as used and releases the rest */
  effect: "use" | "release" | "keep";
  amountCaptured: bigint;
  processorRef: string | null;
  decline: Decline | null;
  nextAction: NextAction | null;
  isFinal: boolean;
  nextLookupAt: Date | null;
  expiresAt: Date | null;
  /** the charge completes only a notice whose `due_at` is after this time */
  noticeDueAfter: Date;
  /** the first final answer, kept under the charge's idempotency key */
  answer: { status: number; body: string } | null;
};

/**
 * The values that a process wrote when it claimed a row. Another process that takes over the row changes at least one
 * of these values.
 */
export type Held = { leaseUntil: Date | null; nextLookupAt: Date | null };

export type SettledMandate = {
  state: MandateState;
  grantId: string;
  clientId: string;
  version: number;
  suspendedBy: string[];
  validUntil: Date;
  maxTotalAmount: bigint | null;
  maxPayments: bigint | null;
  refundPolicy: string;
  usedAmount: bigint;
  heldAmount: bigint;
  usedCount: bigint;
  heldCount: bigint;
  periodicLimits: StoredLimit[];
  /** the new counters of those periods of the charge that haven't ended; null if no such counter changed */
  periods: { limit_key: string; ends_at: string; used_amount: string; used_count: string }[] | null;
};

type SettlementParts = {
  /** a further condition on the charge `c` */
  condition?: string;
  /** further parts, each with a comma before it; they may read `settled` */
  parts?: string;
  /** a further column of the result; it may read the mandate `m` and `period` */
  column?: string;
};

// The merchant is a parameter. If the statement read it from the charge, PostgreSQL would open each partition of the
// keys for writing. A void that was requested before the payer acted continues once the payment is authorized. A charge
// that was announced completes the earliest notice that waits for such a charge: the lock makes the statement skip a
// notice that a concurrent charge completed, or that was canceled. The periods of a charge already exist, so every
// insert of a period conflicts with the existing row and changes that row's counters. An UPDATE would not see a period
// that a replacement of the mandate added while this statement waited for the mandate's lock.
const settlement = ({ condition = "", parts = "", column = "" }: SettlementParts): string =>
  `WITH locked AS (
     SELECT id FROM mandate WHERE id = $2 FOR NO KEY UPDATE
   ), settled AS (
     UPDATE charge c SET state = $4::charge_state, updated_at = $5::timestamptz, amount_captured = $7::bigint,
       processor_ref = coalesce($8, c.processor_ref), decline = $9::jsonb, decline_code = $9::jsonb ->> 'decline_code',
       next_action = coalesce($10::jsonb, c.next_action), expires_at = $18::timestamptz,
       pending_act = CASE WHEN $4 = 'authorized' AND c.pending_act ->> 'kind' = 'void' THEN c.pending_act END,
       next_lookup_at = CASE WHEN $4 = 'authorized' AND c.pending_act ->> 'kind' = 'void' THEN c.next_lookup_at ELSE $12::timestamptz END,
       final_at = CASE WHEN $11::boolean THEN $5::timestamptz END, lease_until = NULL, lookups = 0, not_found_at = NULL
     FROM locked
     WHERE c.id = $1 AND c.created_at BETWEEN $16::timestamptz AND $17::timestamptz AND c.mandate_id = locked.id AND c.merchant_id = $22 AND c.state = ANY ($3::text[]::charge_state[])
       AND (NOT $15::boolean OR c.submitted_at IS NULL)
       AND (NOT $19::boolean OR (c.lease_until IS NOT DISTINCT FROM $20::timestamptz AND c.next_lookup_at IS NOT DISTINCT FROM $21::timestamptz))
       ${condition}
     RETURNING c.mandate_id, c.amount, c.periods, c.reference, c.created_at
   ), answer AS (
     UPDATE idempotency_key k SET response_status = $13::int, response_body = $14, answered_at = $5::timestamptz FROM settled
     WHERE $13::int IS NOT NULL AND k.merchant_id = $22 AND k.charge_id = $1 AND k.route = '${chargeRoute}'
       AND k.response_status IS NULL
   ), notice AS (
     UPDATE charge_notice n SET charge_id = $1 FROM settled
     WHERE $4 IN ('authorized', 'succeeded') AND n.charge_id IS NULL AND n.canceled_at IS NULL AND n.id = (
       SELECT o.id FROM charge_notice o WHERE o.mandate_id = $2 AND o.charge_id IS NULL AND o.canceled_at IS NULL
         AND o.merchant_id = $22 AND o.amount = settled.amount AND (o.reference IS NULL OR o.reference = settled.reference)
         AND o.created_at <= settled.created_at AND o.due_at > $23::timestamptz
       ORDER BY o.due_at, o.id LIMIT 1 FOR NO KEY UPDATE)
   ), period AS (
     INSERT INTO mandate_period AS p (mandate_id, limit_key, starts_at, ends_at, held_amount, held_count, used_amount, used_count)
     SELECT settled.mandate_id, r.limit_key, r.starts_at, 'infinity', settled.amount, 1,
       CASE WHEN $6 = 'use' THEN $7::bigint ELSE 0 END, CASE WHEN $6 = 'use' THEN 1 ELSE 0 END
     FROM settled, jsonb_to_recordset(settled.periods) AS r (limit_key text, starts_at timestamptz)
     WHERE $6 <> 'keep' ORDER BY r.limit_key
     ON CONFLICT (mandate_id, limit_key, starts_at) DO UPDATE
       SET held_amount = p.held_amount - excluded.held_amount, held_count = p.held_count - excluded.held_count,
         used_amount = p.used_amount + excluded.used_amount, used_count = p.used_count + excluded.used_count
     RETURNING p.limit_key, p.ends_at, p.used_amount, p.used_count
   )${parts}
   UPDATE mandate m SET
     held_amount = m.held_amount - CASE WHEN $6 <> 'keep' THEN settled.amount ELSE 0 END,
     held_count = m.held_count - CASE WHEN $6 <> 'keep' THEN 1 ELSE 0 END,
     used_amount = m.used_amount + CASE WHEN $6 = 'use' THEN $7::bigint ELSE 0 END,
     used_count = m.used_count + CASE WHEN $6 = 'use' THEN 1 ELSE 0 END
   FROM settled WHERE m.id = settled.mandate_id
   RETURNING m.state::text AS state, m.grant_id AS "grantId", m.client_id AS "clientId", m.version, coalesce(m.suspended_by, '{}') AS "suspendedBy",
     m.valid_until AS "validUntil", m.max_total_amount AS "maxTotalAmount", m.max_payments AS "maxPayments", m.refund_policy AS "refundPolicy",
     m.used_amount AS "usedAmount", m.held_amount AS "heldAmount", m.used_count AS "usedCount", m.held_count AS "heldCount",
     m.periodic_limits AS "periodicLimits", (
       SELECT json_agg(json_build_object('limit_key', limit_key, 'ends_at', ends_at, 'used_amount', used_amount::text,
         'used_count', used_count::text) ORDER BY limit_key)
       FROM period WHERE ends_at > $5::timestamptz) AS periods${column}`;

const settle = statement<SettledMandate>("settle_charge", settlement({}));

// A submitted charge without an action has no events. The update reads the current row, under the mandate's lock, so
// the sequence starts at 1 even if the statement waited for the lock.
const first: SettlementParts = {
  condition: "AND c.state = 'submitted' AND c.next_action IS NULL",
  parts: `, audited AS (
     INSERT INTO audit_entry (${auditColumns("")}) SELECT entry.* FROM settled, unnest(${auditTypes(27)}) AS entry
   ), published AS (
     INSERT INTO event (id, type, object_id, sequence, data, created_at)
     SELECT written.id, written.type, $1, written.place, $26::jsonb, $5::timestamptz
     FROM settled, unnest($24::text[], $25::text[]) WITH ORDINALITY AS written (id, type, place)
   )`,
};

const settleFirst = statement<SettledMandate>("settle_charge_with_first_events", settlement(first));

const settleAlone = statement<unknown>(
  "settle_charge_alone",
  settlement({
    ...first,
    column: `,
     1 / (m.version = $34::int AND m.used_amount < $35::bigint AND m.used_count < $36::bigint AND NOT EXISTS (
       SELECT FROM period JOIN unnest($37::text[], $38::bigint[], $39::bigint[]) AS mark (limit_key, amount, count) USING (limit_key)
       WHERE used_amount >= mark.amount OR used_count >= mark.count))::int AS "isBelowMarks"`,
  }),
);

/**
 * At most one caller moves a charge out of a state; every other caller gets null and has changed nothing.
 * The charge's state and all its counters change together, under the mandate's lock.
 */
export const updateSettled = async (sql: Sql, settlement: Settlement): Promise<SettledMandate | null> =>
  (await sql.query(settle, settlementValues(settlement)))[0] ?? null;

/**
 * `updateSettled` together with the audit entry and the first events of a charge, in one statement.
 * @returns null, as `updateSettled` does, or if the charge isn't `submitted` any more, or if it has events. The caller
 *   must then try `updateSettled`.
 */
export const updateSettledFirst = async (
  sql: Sql,
  settlement: Settlement,
  { events, entry }: { events: AuditedEvents; entry: AuditEntry },
): Promise<SettledMandate | null> => {
  const values = [...settlementValues(settlement), ...eventValues(events), ...auditValues([entry])];
  return (await sql.query(settleFirst, values))[0] ?? null;
};

/**
 * `updateSettledFirst` for a mandate whose limits stay below the marks, so that nothing else follows from the
 * settlement. Call it outside a transaction, because the statement fails if a limit reaches its mark or the mandate has
 * another version.
 * @returns whether the charge was settled. If not, nothing was written.
 */
export const updateSettledAlone = async (
  sql: Sql,
  settlement: Settlement,
  { events, entry, marks }: { events: AuditedEvents; entry: AuditEntry; marks: LimitMarks },
): Promise<boolean> => {
  const { version, lifetime, periods } = marks;
  const values = [
    ...settlementValues(settlement),
    ...eventValues(events),
    ...auditValues([entry]),
    version,
    capOf(lifetime.amount),
    capOf(lifetime.count),
    periods.map(({ limitKey }) => limitKey),
    periods.map(({ amount }) => capOf(amount)),
    periods.map(({ count }) => capOf(count)),
  ];
  try {
    return (await sql.query(settleAlone, values)).length === 1;
  } catch (error) {
    if (sqlState(error) === divisionByZero) return false;
    throw error;
  }
};

const settlementValues = (settlement: Settlement): SqlValue[] => {
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value));
  return [
    settlement.chargeId,
    settlement.mandateId,
    settlement.from,
    settlement.to,
    settlement.at,
    settlement.effect,
    settlement.amountCaptured,
    settlement.processorRef,
    json(settlement.decline),
    json(settlement.nextAction),
    settlement.isFinal,
    settlement.nextLookupAt,
    settlement.answer?.status ?? null,
    settlement.answer?.body ?? null,
    settlement.mustBeUnsubmitted,
    ...spanOf(settlement.chargeId),
    settlement.expiresAt,
    settlement.unlessTakenSince !== null,
    settlement.unlessTakenSince?.leaseUntil ?? null,
    settlement.unlessTakenSince?.nextLookupAt ?? null,
    settlement.merchantId,
    settlement.noticeDueAfter,
  ];
};
