import type { PendingAct } from "../../charges/rules/charge-states.ts";
import { type Sql, statement } from "../client.ts";
import { spanOf } from "../dated.ts";
import { hasEnded } from "../lease.ts";
import type { Held } from "./charge-settlement.ts";
import { type ChargeRow, chargeColumns } from "./charges.ts";
import type { RequestKey } from "./idempotency.ts";

const claim = statement<{ keys: number; charges: number }>(
  "claim_charge_act",
  `WITH key AS (
     INSERT INTO idempotency_key (merchant_id, route, key, body_hash, charge_id, created_at)
     VALUES ($1, $2, $3, $4, $5, $6::timestamptz)
     ON CONFLICT (merchant_id, route, key) DO NOTHING RETURNING charge_id
   ), claimed AS (
     UPDATE charge c SET pending_act = $7::jsonb, updated_at = $6::timestamptz, lease_until = $8::timestamptz,
       next_lookup_at = $9::timestamptz, lookups = 0
     FROM key
     WHERE c.id = $5 AND c.merchant_id = $1 AND c.pending_act IS NULL AND (c.state = 'authorized'
         OR (c.state = 'requires_action' AND c.submitted_at IS NOT NULL AND $7::jsonb ->> 'kind' = 'void'))
       AND c.created_at BETWEEN $10::timestamptz AND $11::timestamptz
     RETURNING c.id
   )
   SELECT (SELECT count(*)::int FROM key) AS keys, (SELECT count(*)::int FROM claimed) AS charges`,
);

export type ActClaim = "claimed" | "key_taken" | "not_possible";

/**
 * At most one act per charge is in progress, and at most one per idempotency key. The act is committed before anything
 * is sent. Requires a transaction that is rolled back on any result but `claimed`.
 */
export const claimAct = async (
  sql: Sql,
  input: {
    merchantId: string;
    chargeId: string;
    idempotency: RequestKey;
    act: PendingAct;
    at: Date;
    leaseUntil: Date;
    nextLookupAt: Date;
  },
): Promise<ActClaim> => {
  const { idempotency } = input;
  const [counts] = await sql.query(claim, [
    input.merchantId,
    idempotency.route,
    idempotency.key,
    idempotency.bodyHash,
    input.chargeId,
    input.at,
    JSON.stringify(input.act),
    input.leaseUntil,
    input.nextLookupAt,
    ...spanOf(input.chargeId),
  ]);
  if (!counts || counts.keys === 0) return "key_taken";
  return counts.charges === 1 ? "claimed" : "not_possible";
};

const claimExpiry = statement<ChargeRow>(
  "claim_charge_expiry",
  `UPDATE charge c SET pending_act = $2::jsonb, updated_at = $3::timestamptz, lease_until = $4::timestamptz,
     next_lookup_at = $5::timestamptz, lookups = 0
   WHERE c.id = $1 AND c.state = $8::charge_state AND c.submitted_at IS NOT NULL AND c.pending_act IS NULL
     AND c.created_at BETWEEN $6::timestamptz AND $7::timestamptz
   RETURNING ${chargeColumns}`,
);

/**
 * Claims an expiry: an act without a caller or an idempotency key. @returns null if another act is pending, the charge
 * was never sent, or its state has changed.
 */
export const claimExpiryAct = async (
  sql: Sql,
  input: { charge: ChargeRow; act: PendingAct; at: Date; leaseUntil: Date; nextLookupAt: Date },
): Promise<ChargeRow | null> => {
  const { charge, at, leaseUntil, nextLookupAt } = input;
  const values = [charge.id, JSON.stringify(input.act), at, leaseUntil, nextLookupAt, ...spanOf(charge.id)];
  return (await sql.query(claimExpiry, [...values, charge.state]))[0] ?? null;
};

const takeLease = statement<ChargeRow>(
  "take_charge_act_lease",
  `UPDATE charge c SET lease_until = $4::timestamptz WHERE c.id = $1 AND c.pending_act ->> 'key' = $2
     AND ${hasEnded("c.lease_until", "$3", "$4")}
     AND c.created_at BETWEEN $5::timestamptz AND $6::timestamptz
   RETURNING ${chargeColumns}`,
);

/** At most one caller continues an act whose process has crashed, or whose outcome is unknown. */
export const takeActLease = async (
  sql: Sql,
  input: { chargeId: string; key: string; now: Date; leaseUntil: Date },
): Promise<ChargeRow | null> => {
  const { chargeId, key, now, leaseUntil } = input;
  return (await sql.query(takeLease, [chargeId, key, now, leaseUntil, ...spanOf(chargeId)]))[0] ?? null;
};

const postpone = statement<never>(
  "postpone_charge_act",
  `UPDATE charge SET lease_until = NULL, next_lookup_at = $3::timestamptz, lookups = lookups + 1
   WHERE id = $1 AND pending_act ->> 'key' = $2 AND created_at BETWEEN $4::timestamptz AND $5::timestamptz`,
);

/** Postpones an act whose outcome is unknown: the same request is repeated at `nextLookupAt`. */
export const postponeAct = async (
  sql: Sql,
  input: { chargeId: string; key: string; nextLookupAt: Date },
): Promise<void> => {
  await sql.query(postpone, [input.chargeId, input.key, input.nextLookupAt, ...spanOf(input.chargeId)]);
};

const release = statement<{ id: string }>(
  "release_charge_act",
  `UPDATE charge SET pending_act = NULL, lease_until = NULL, next_lookup_at = $6::timestamptz, expires_at = $3::timestamptz, lookups = 0
   WHERE id = $1 AND pending_act ->> 'key' = $2 AND created_at BETWEEN $4::timestamptz AND $5::timestamptz
     AND (NOT $7::boolean OR (lease_until IS NOT DISTINCT FROM $8::timestamptz AND next_lookup_at IS NOT DISTINCT FROM $9::timestamptz))
   RETURNING id`,
);

/**
 * Ends an act that was not done. The charge keeps its state.
 * @param input.unlessTakenSince what this process wrote when it claimed the act; the act is released only if no other
 *   process has taken it over since.
 * @returns false if another process ended the act or took it over.
 */
export const releaseAct = async (
  sql: Sql,
  input: {
    chargeId: string;
    key: string;
    nextLookupAt: Date | null;
    expiresAt: Date | null;
    unlessTakenSince: Held | null;
  },
): Promise<boolean> => {
  const { chargeId, key, nextLookupAt, expiresAt, unlessTakenSince: held } = input;
  const values = [chargeId, key, expiresAt, ...spanOf(chargeId), nextLookupAt];
  const condition = [held !== null, held?.leaseUntil ?? null, held?.nextLookupAt ?? null];
  return (await sql.query(release, [...values, ...condition])).length === 1;
};

// As in submit_charge, the state is compared as text, so that the charge is looked up by its id.
const reopen = statement<{ id: string }>(
  "reopen_charge",
  `UPDATE charge SET state = 'submitted', pending_act = NULL, lease_until = NULL, next_lookup_at = $3::timestamptz, expires_at = NULL,
     lookups = 0, not_found_at = NULL
   WHERE id = $1 AND pending_act ->> 'key' = $2 AND state::text = 'requires_action'
     AND created_at BETWEEN $4::timestamptz AND $5::timestamptz RETURNING id`,
);

const resume = statement<{ id: string }>(
  "resume_charge",
  `UPDATE charge SET state = 'submitted', lease_until = NULL, next_lookup_at = $2::timestamptz, expires_at = NULL, lookups = 0,
     not_found_at = NULL
   WHERE id = $1 AND state::text = 'requires_action' AND submitted_at IS NOT NULL AND pending_act IS NULL
     AND created_at BETWEEN $3::timestamptz AND $4::timestamptz RETURNING id`,
);

/**
 * Records that the bank processes the payment again after the payer acted. @returns false if the charge isn't waiting
 * for its payer at the processor, or if an act is pending.
 */
export const resumeCharge = async (
  sql: Sql,
  { chargeId, nextLookupAt }: { chargeId: string; nextLookupAt: Date },
): Promise<boolean> => (await sql.query(resume, [chargeId, nextLookupAt, ...spanOf(chargeId)])).length === 1;

/**
 * Ends the expiry of a charge that its processor no longer finds. The outcome of the charge is looked up, like that of
 * any charge that was sent.
 * @returns false if another process ended the expiry.
 */
export const reopenCharge = async (
  sql: Sql,
  { chargeId, key, nextLookupAt }: { chargeId: string; key: string; nextLookupAt: Date },
): Promise<boolean> => (await sql.query(reopen, [chargeId, key, nextLookupAt, ...spanOf(chargeId)])).length === 1;
