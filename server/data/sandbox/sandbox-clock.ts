import { type Sql, statement } from "../client.ts";

const select = statement<{ milliseconds: bigint }>(
  "find_clock_offset",
  "SELECT clock_offset_ms AS milliseconds FROM environment WHERE id = 1",
);

/** @returns milliseconds by which business time is ahead of real time. */
export const findClockOffset = async (sql: Sql): Promise<number> =>
  Number((await sql.query(select, []))[0]?.milliseconds ?? 0);

const update = statement<never>("set_clock_offset", "UPDATE environment SET clock_offset_ms = $1::bigint WHERE id = 1");

/** Call it in a transaction that holds the clock (`tryHoldClock`), so that the clock never moves back. */
export const setClockOffset = async (sql: Sql, milliseconds: number): Promise<void> => {
  await sql.query(update, [milliseconds]);
};

const hold = statement<{ isHeld: boolean }>(
  "try_hold_sandbox_clock",
  `SELECT pg_try_advisory_xact_lock(hashtextextended('paygrant.sandbox_clock', 0)) AS "isHeld"`,
);

/**
 * How long the transaction that holds the clock may be idle while other processes do the due work. A move of several
 * years takes minutes.
 */
export const holdMilliseconds = 3_600_000;

/** At most one transaction holds the clock, until the end of the transaction. */
export const tryHoldClock = async (sql: Sql): Promise<boolean> => (await sql.query(hold, []))[0]?.isHeld ?? false;

const look = statement<{ isFree: boolean }>(
  "look_at_sandbox_clock",
  `SELECT pg_try_advisory_xact_lock_shared(hashtextextended('paygrant.sandbox_clock', 0)) AS "isFree"`,
);

/** Whether a transaction holds the clock at this moment. Call it outside a transaction. */
export const isClockHeld = async (sql: Sql): Promise<boolean> => !((await sql.query(look, []))[0]?.isFree ?? false);

const makeDue = statement<never>(
  "bring_forward_expiries",
  `UPDATE charge SET next_lookup_at = NULL
   WHERE expires_at <= $1::timestamptz AND state = 'requires_action' AND submitted_at IS NOT NULL AND pending_act IS NULL`,
);

/**
 * Some charges wait while the payer acts on the processor's pages. This makes those that expire by `until` due at their
 * expiry. Otherwise they would wait for their next look-up, in real time.
 */
export const makeExpiringChargesDue = async (sql: Sql, until: Date): Promise<void> => {
  await sql.query(makeDue, [until]);
};

const nextDue = statement<{ at: Date | null }>(
  "find_next_business_due",
  `SELECT least(
     (SELECT min(due_at) FROM billing_collection WHERE due_at <= $1::timestamptz AND retry_at IS NULL),
     (SELECT min(expires_at) FROM billing_credit_grant WHERE expires_at <= $1::timestamptz AND remaining > 0),
     (SELECT min(due_at) FROM billing_period WHERE due_at <= $1::timestamptz AND retry_at IS NULL),
     (SELECT min(sla_due_at) FROM billing_subscription WHERE sla_due_at <= $1::timestamptz AND sla_retry_at IS NULL),
     (SELECT min(valid_until) FROM mandate WHERE valid_until <= $1::timestamptz AND state IN ('active', 'suspended')),
     (SELECT min(expires_at) FROM charge
       WHERE expires_at <= $1::timestamptz AND pending_act IS NULL AND (state = 'authorized'
         OR (state = 'requires_action' AND (submitted_at IS NULL OR next_lookup_at IS NULL))))
   ) AS at`,
);

/**
 * The first instant up to `until` at which something is due: the expiry of a mandate, a step-up, a credit, or an
 * authorization whose void hasn't started; the end of a billing period; the SLA credits of a month; or the collection
 * of an invoice. Billing work that waits for another attempt doesn't count.
 */
export const findNextDue = async (sql: Sql, until: Date): Promise<Date | null> =>
  (await sql.query(nextDue, [until]))[0]?.at ?? null;
