import { holding, using } from "../charges/charges.ts";
import { chargeRoute } from "../charges/idempotency.ts";
import type { Sql } from "../client.ts";
import { billingInvariants } from "./billing-invariants.ts";
import { budgetInvariants } from "./budget-invariants.ts";
import { directoryInvariants } from "./directory-invariants.ts";
import { type Invariant, invariant, type Violation } from "./invariant.ts";
import { progressInvariants } from "./progress-invariants.ts";
import { usageInvariants } from "./usage-invariants.ts";

const open = "('reserved', 'requires_action', 'submitted', 'processing', 'unknown')";

/** With `refund_policy` restore, a refund restores the amount, but not the count. */
const usedOf = `CASE WHEN c.state IN ${using} THEN c.amount_captured - CASE WHEN m.refund_policy = 'restore' THEN c.amount_refunded ELSE 0 END ELSE 0 END`;
const sums = `
  coalesce(sum(${usedOf}), 0) AS used_amount, count(c.id) FILTER (WHERE c.state IN ${using}) AS used_count,
  coalesce(sum(c.amount) FILTER (WHERE c.state IN ${holding}), 0) AS held_amount,
  count(c.id) FILTER (WHERE c.state IN ${holding}) AS held_count`;
const differs = (left: string, right: string) =>
  ["used_amount", "used_count", "held_amount", "held_count"].map((c) => `${left}.${c} <> ${right}.${c}`).join(" OR ");
/**
 * Charges are deleted after ten years, events after two (partition-upkeep), and a charge is never older than its
 * mandate.
 */
const hasAllCharges = "m.created_at > now() - interval '10 years'";
const formatCounters = (row: string) =>
  `format('used %s in %s, held %s in %s', ${row}.used_amount, ${row}.used_count, ${row}.held_amount, ${row}.held_count)`;

/** The restored amount may have been spent again in the meantime. */
const hasLateFailure =
  "EXISTS (SELECT FROM refund r WHERE r.mandate_id = m.id AND r.status = 'failed' AND r.given_at IS NOT NULL)";

/** Each invariant has a test that violates it. */
export const invariants: readonly Invariant[] = [
  invariant(
    "mandate_counters",
    "a mandate's counters are the sums of its charges",
    `SELECT m.id AS subject, ${formatCounters("m")} || ', but its charges sum to ' || ${formatCounters("s")} AS problem
     FROM mandate m JOIN (
       SELECT m.id, ${sums} FROM mandate m LEFT JOIN charge c ON c.mandate_id = m.id GROUP BY m.id
     ) s ON s.id = m.id WHERE (${differs("m", "s")}) AND ${hasAllCharges}`,
  ),
  invariant(
    "period_counters",
    "a period's counters are the sums of the charges in it",
    `SELECT p.mandate_id || ' ' || p.limit_key || ' ' || p.starts_at AS subject,
       ${formatCounters("p")} || ', but its charges sum to ' || ${formatCounters("s")} AS problem
     FROM mandate_period p JOIN (
       SELECT p.mandate_id, p.limit_key, p.starts_at, ${sums}
       FROM mandate_period p JOIN mandate m ON m.id = p.mandate_id
       LEFT JOIN (
         SELECT c.*, r.limit_key, r.starts_at FROM charge c, jsonb_to_recordset(c.periods) AS r (limit_key text, starts_at timestamptz)
       ) c ON c.mandate_id = p.mandate_id AND c.limit_key = p.limit_key AND c.starts_at = p.starts_at
       GROUP BY p.mandate_id, p.limit_key, p.starts_at
     ) s USING (mandate_id, limit_key, starts_at) JOIN mandate m ON m.id = p.mandate_id
     WHERE (${differs("p", "s")}) AND ${hasAllCharges}`,
  ),
  invariant(
    "period_missing",
    "every period in a charge's list of periods exists",
    `SELECT c.id AS subject, 'its period ' || r.limit_key || ' does not exist' AS problem
     FROM charge c, jsonb_to_recordset(c.periods) AS r (limit_key text, starts_at timestamptz)
     WHERE NOT EXISTS (SELECT FROM mandate_period p
       WHERE p.mandate_id = c.mandate_id AND p.limit_key = r.limit_key AND p.starts_at = r.starts_at)`,
  ),
  invariant(
    "lifetime_caps",
    "used and held stay within the lifetime limits, unless the payer lowered them later or a refund failed late",
    `SELECT m.id AS subject, ${formatCounters("m")} || format(', limits %s in %s', m.max_total_amount, m.max_payments) AS problem
     FROM mandate m WHERE m.version = 1
       AND (m.used_amount + m.held_amount > m.max_total_amount OR m.used_count + m.held_count > m.max_payments) AND NOT ${hasLateFailure}`,
  ),
  invariant(
    "period_caps",
    "used and held stay within each period's limits, unless the payer lowered them later or a refund failed late",
    `SELECT p.mandate_id || ' ' || p.limit_key AS subject, ${formatCounters("p")} AS problem
     FROM mandate_period p JOIN mandate m ON m.id = p.mandate_id,
       jsonb_to_recordset(m.periodic_limits) AS l (period text, alignment text, max_amount bigint, max_payments bigint)
     WHERE m.version = 1 AND p.limit_key = l.period || ':' || l.alignment
       AND (p.used_amount + p.held_amount > l.max_amount OR p.used_count + p.held_count > l.max_payments) AND NOT ${hasLateFailure}`,
  ),
  ...budgetInvariants,
  invariant(
    "charge_amounts",
    "the amounts of a charge match its state",
    `SELECT c.id AS subject, format('%s with %s captured of %s', c.state, c.amount_captured, c.amount) AS problem
     FROM charge c WHERE CASE
       WHEN c.state IN ('succeeded', 'captured') THEN c.amount_captured <> c.amount
       WHEN c.state IN ${using} THEN c.amount_captured = 0
       ELSE c.amount_captured <> 0 END`,
  ),
  invariant(
    "refund_sums",
    "the refunded amount and the pending refund amount of a charge are the sums of its refunds",
    `SELECT c.id AS subject, format('%s, %s refunded and %s in progress, but its refunds sum to %s and %s', c.state, c.amount_refunded,
       c.amount_refunding, s.refunded, s.refunding) AS problem
     FROM charge c LEFT JOIN (
       SELECT charge_id, sum(amount) FILTER (WHERE status = 'succeeded') AS refunded, sum(amount) FILTER (WHERE status = 'pending') AS refunding
       FROM refund GROUP BY charge_id
     ) s ON s.charge_id = c.id
     WHERE c.amount_refunded <> coalesce(s.refunded, 0) OR c.amount_refunding <> coalesce(s.refunding, 0)
        OR (c.state = 'refunded') <> (c.state <> 'disputed' AND c.amount_refunded > 0 AND c.amount_refunded = c.amount_captured)
        OR (c.state = 'partially_refunded') <> (c.state <> 'disputed' AND c.amount_refunded > 0 AND c.amount_refunded < c.amount_captured)`,
  ),
  invariant(
    "disputes",
    "a charge is disputed while it has an open or lost dispute, unless it was fully refunded before",
    `SELECT c.id AS subject, format('%s with %s disputes open or lost', c.state, count(d.id)) AS problem
     FROM charge c LEFT JOIN dispute d ON d.charge_id = c.id AND d.status <> 'won'
     WHERE c.state = 'disputed' OR d.id IS NOT NULL
     GROUP BY c.id, c.state HAVING (c.state = 'disputed') <> (count(d.id) > 0) AND NOT (c.state = 'refunded' AND count(d.id) > 0)`,
  ),
  invariant(
    "dispute_events",
    "a dispute has one event for its opening, and one for its closing when it is closed",
    `SELECT d.id AS subject, format('%s with %s events', d.status, count(e.id)) AS problem
     FROM dispute d LEFT JOIN event e ON e.object_id = d.id
     WHERE d.created_at > now() - interval '2 years'
     GROUP BY d.id, d.status
     HAVING count(e.id) FILTER (WHERE e.type = 'dispute.opened') <> 1
        OR (count(e.id) FILTER (WHERE e.type = 'dispute.closed') > 0) <> (d.status <> 'open')`,
  ),
  invariant(
    "refund_events",
    "a settled refund has one event for its outcome",
    `SELECT r.id AS subject, format('%s with %s matching events', r.status, count(e.id)) AS problem
     FROM refund r LEFT JOIN event e ON e.object_id = r.id AND e.type = 'refund.' || r.status
     WHERE r.status <> 'pending' AND r.updated_at > now() - interval '2 years'
     GROUP BY r.id, r.status HAVING count(e.id) <> 1`,
  ),
  invariant(
    "charge_followed_up",
    "an open charge has a next look-up or an expiry or is under review, and a final charge has its final time",
    `SELECT c.id AS subject, c.state || CASE WHEN c.final_at IS NULL THEN ' without a final time or a next look-up' ELSE ' with a final time' END AS problem
     FROM charge c
     WHERE (c.state IN ${open} AND c.final_at IS NOT NULL)
        OR (c.state IN ${open} AND coalesce(c.next_lookup_at, c.expires_at) IS NULL AND NOT (c.state = 'unknown' AND EXISTS (
             SELECT FROM audit_entry a WHERE a.subject_id = c.id AND a.action = 'charge.review_needed' AND a.at >= c.created_at)))
        OR (c.state NOT IN ${open} AND c.state <> 'authorized' AND c.final_at IS NULL)`,
  ),
  invariant(
    "voided_with_mandate",
    "no charge of a revoked mandate is waiting to be sent",
    `SELECT c.id AS subject, c.state || ' under a revoked mandate' AS problem FROM charge c JOIN mandate m ON m.id = c.mandate_id
     WHERE m.state = 'revoked' AND c.state IN ('reserved', 'requires_action') AND c.submitted_at IS NULL`,
  ),
  invariant(
    "approved_before_sent",
    "a charge that needs the payer's approval is sent only after the approval, and the audit log has exactly one entry for the approval",
    `SELECT c.id AS subject, CASE WHEN c.approved_at IS NULL THEN c.state || ' without an approval' ELSE format('approved with %s audit entries', count(a.seq)) END AS problem
     FROM charge c LEFT JOIN audit_entry a ON a.subject_id = c.id AND a.action = 'charge.approved' AND a.at >= c.created_at
     WHERE c.approved_at IS NOT NULL OR (c.next_action ->> 'type' = 'payer_approval' AND c.submitted_at IS NOT NULL)
     GROUP BY c.id, c.state, c.approved_at HAVING c.approved_at IS NULL OR count(a.seq) <> 1`,
  ),
  invariant(
    "keys_have_charges",
    "an Idempotency-Key identifies one charge of its merchant, and its response is stored once the outcome is final",
    `SELECT k.merchant_id || ' ' || k.key AS subject,
       CASE WHEN c.id IS NULL THEN 'its charge does not exist' ELSE 'its response does not match ' || c.state END AS problem
     FROM idempotency_key k LEFT JOIN charge c ON c.id = k.charge_id AND c.merchant_id = k.merchant_id
     WHERE c.id IS NULL OR CASE WHEN k.route = '${chargeRoute}' THEN (k.response_status IS NOT NULL) <> (c.state NOT IN ${open})
       WHEN k.refund_id IS NOT NULL THEN (k.response_status IS NULL) <> EXISTS (SELECT FROM refund r WHERE r.id = k.refund_id AND r.status = 'pending')
       ELSE k.response_status IS NULL AND c.pending_act IS NULL END`,
  ),
  invariant(
    "charges_have_keys",
    "a sent charge has exactly one Idempotency-Key for at least 24 h",
    `SELECT c.id AS subject, format('%s with %s keys', c.state, count(k.key)) AS problem
     FROM charge c LEFT JOIN idempotency_key k ON k.merchant_id = c.merchant_id AND k.charge_id = c.id AND k.route = '${chargeRoute}'
     WHERE c.created_at > now() - interval '23 hours' AND c.submitted_at IS NOT NULL
     GROUP BY c.id, c.state, c.decline HAVING count(k.key) > 1
       OR (count(k.key) = 0 AND c.state <> 'declined')
       OR (count(k.key) = 0 AND c.decline ->> 'code' <> 'not_submitted')`,
  ),
  invariant(
    "event_sequence",
    "the events of an object are numbered without gaps",
    `SELECT e.object_id AS subject, format('%s events numbered %s to %s', count(*), min(e.sequence), max(e.sequence)) AS problem
     FROM event e GROUP BY e.object_id HAVING count(*) <> max(e.sequence) - min(e.sequence) + 1 OR count(*) <> count(DISTINCT e.sequence)`,
  ),
  invariant(
    "charge_events",
    "a settled charge has one event for its outcome",
    `SELECT c.id AS subject, format('%s with %s matching events', c.state, count(e.id)) AS problem
     FROM charge c LEFT JOIN event e ON e.object_id = c.id AND e.type = 'charge.' || replace(c.state::text, 'partially_', '')
     WHERE c.state IN ('succeeded', 'declined', 'authorized', 'captured', 'partially_captured', 'voided', 'expired')
       AND c.final_at > now() - interval '2 years'
     GROUP BY c.id, c.state HAVING count(e.id) <> 1`,
  ),
  invariant(
    "charge_audit",
    "a settled charge has one audit entry for its outcome",
    `SELECT c.id AS subject, format('%s with %s matching audit entries', c.state, count(a.seq)) AS problem
     FROM charge c LEFT JOIN audit_entry a ON a.subject_id = c.id AND a.action = 'charge.' || c.state AND a.at >= c.created_at
     WHERE c.state IN ('succeeded', 'declined', 'authorized', 'captured', 'partially_captured', 'voided', 'expired')
     GROUP BY c.id, c.state HAVING count(a.seq) <> 1`,
  ),
  ...progressInvariants,
  ...usageInvariants,
  ...billingInvariants,
  ...directoryInvariants,
];

/** Every violated invariant with its violations; empty if there are none. */
export const findViolations = async (sql: Sql): Promise<({ rule: string } & Violation)[]> => {
  const found: ({ rule: string } & Violation)[] = [];
  for (const { name, find } of invariants) {
    for (const violation of await find(sql)) found.push({ rule: name, ...violation });
  }
  return found;
};
