import { type Db, type Sql, statement } from "./client.ts";

export type ChargeState =
  | "reserved"
  | "requires_action"
  | "submitted"
  | "processing"
  | "unknown"
  | "authorized"
  | "succeeded"
  | "captured"
  | "partially_captured"
  | "partially_refunded"
  | "refunded"
  | "declined"
  | "voided"
  | "expired"
  | "disputed";

export type Decline = { code: string; decline_code: string; retryable: boolean; advice: string };
type NextAction = { type: string; url: string; expires_at: string };

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
  captureMethod: string;
  payerPresence: string;
  reference: string | null;
  transactionId: string | null;
  metadata: Record<string, string>;
  /** the periods that it counts in, for life */
  periods: { limit_key: string; starts_at: string }[];
  processor: string;
  processorAccount: string;
  paymentMethodRef: string;
  processorRef: string | null;
  decline: Decline | null;
  nextAction: NextAction | null;
  createdAt: Date;
  submittedAt: Date | null;
  leaseUntil: Date | null;
  nextLookupAt: Date | null;
  lookups: number;
  notFoundAt: Date | null;
};

const columns = `c.id, c.merchant_id AS "merchantId", c.mandate_id AS "mandateId", c.mandate_version AS "mandateVersion",
  c.merchant_client_id AS "merchantClientId", c.agent_client_id AS "agentClientId", c.payer_id AS "payerId", c.state::text AS state,
  c.amount, c.currency, c.amount_captured AS "amountCaptured", c.amount_refunded AS "amountRefunded",
  c.capture_method AS "captureMethod", c.payer_presence AS "payerPresence", c.reference, c.transaction_id AS "transactionId",
  c.metadata, c.periods, c.processor, c.processor_account AS "processorAccount", c.payment_method_ref AS "paymentMethodRef",
  c.processor_ref AS "processorRef", c.decline, c.next_action AS "nextAction", c.created_at AS "createdAt",
  c.submitted_at AS "submittedAt", c.lease_until AS "leaseUntil", c.next_lookup_at AS "nextLookupAt", c.lookups,
  c.not_found_at AS "notFoundAt"`;

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
  `WITH key AS (
     INSERT INTO idempotency_key (merchant_id, route, key, body_hash, charge_id, created_at)
     VALUES ($1, $2, $3, $4, $5, $6::timestamptz)
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
       payment_method_ref, next_action, created_at, updated_at, lease_until, next_lookup_at)
     SELECT $5, $1, held.id, $8::int, $15, $16, $17, $18::charge_state, $9::bigint, $19, $20, $21, $22, $23, $24::jsonb, $25::jsonb, $26,
       $27, $28, $29::jsonb, $6::timestamptz, $6::timestamptz, $30::timestamptz, $31::timestamptz
     FROM held
   )
   SELECT (SELECT count(*)::int FROM key) AS keys, (SELECT count(*)::int FROM held) AS mandates,
     (SELECT count(*)::int FROM period) AS periods`,
);

export type Reservation = "reserved" | "key_taken" | "does_not_fit";

/**
 * At most one caller per idempotency key reserves; every counter stays within its cap, or nothing is written.
 * The key, `state = 'active'` and every counter are one statement, so a charge is before or after a revocation, never
 * both. Belongs in a transaction that is rolled back on anything but `reserved`.
 */
export const insertReservation = async (
  sql: Sql,
  charge: ChargeRow,
  idempotency: { route: string; key: string; bodyHash: string },
  periods: readonly ReservedPeriod[],
): Promise<Reservation> => {
  const cap = (value: bigint | null) => (value ?? uncapped).toString();
  const [counts] = await sql.query(reserve, [
    ...[charge.merchantId, idempotency.route, idempotency.key, idempotency.bodyHash, charge.id, charge.createdAt],
    ...[charge.mandateId, charge.mandateVersion, charge.amount],
    periods.map((period) => period.limitKey),
    periods.map((period) => period.startsAt.toISOString()),
    periods.map((period) => period.endsAt.toISOString()),
    periods.map((period) => cap(period.maxAmount)),
    periods.map((period) => cap(period.maxPayments)),
    ...[
      charge.merchantClientId,
      charge.agentClientId,
      charge.payerId,
      charge.state,
      charge.currency,
      charge.captureMethod,
    ],
    ...[charge.payerPresence, charge.reference, charge.transactionId, JSON.stringify(charge.metadata)],
    ...[JSON.stringify(charge.periods), charge.processor, charge.processorAccount, charge.paymentMethodRef],
    charge.nextAction === null ? null : JSON.stringify(charge.nextAction),
    ...[charge.leaseUntil, charge.nextLookupAt],
  ]);
  if (!counts || counts.keys === 0) return "key_taken";
  return counts.mandates === 1 && counts.periods === periods.length ? "reserved" : "does_not_fit";
};

const submit = statement<{ id: string }>(
  "submit_charge",
  `UPDATE charge SET state = 'submitted', submitted_at = $2::timestamptz, updated_at = $2::timestamptz,
     next_lookup_at = $3::timestamptz
   WHERE id = $1 AND state = 'reserved' RETURNING id`,
);

/** @returns false where a revocation or the reconciler voided it first: then nothing may be sent. */
export const markSubmitted = async (sql: Sql, charge: { id: string; at: Date; nextLookupAt: Date }): Promise<boolean> =>
  (await sql.query(submit, [charge.id, charge.at, charge.nextLookupAt])).length === 1;

export type Settlement = {
  chargeId: string;
  mandateId: string;
  from: readonly ChargeState[];
  /** what we decide ourselves, voided and expired, holds only for a charge that was never sent */
  mustBeUnsubmitted: boolean;
  to: ChargeState;
  at: Date;
  /** what becomes of the hold */
  effect: "use" | "release" | "keep";
  amountCaptured: bigint;
  processorRef: string | null;
  decline: Decline | null;
  nextAction: NextAction | null;
  isFinal: boolean;
  nextLookupAt: Date | null;
  /** the first final answer, kept under the charge's idempotency key */
  answer: { status: number; body: string } | null;
};

export type SettledMandate = {
  state: "pending" | "active" | "rejected" | "suspended" | "revoked" | "expired" | "consumed";
  grantId: string;
  clientId: string;
  version: number;
  suspendedBy: string[];
  maxTotalAmount: bigint | null;
  maxPayments: bigint | null;
  refundPolicy: string;
  usedAmount: bigint;
  heldAmount: bigint;
  usedCount: bigint;
  heldCount: bigint;
};

const settle = statement<SettledMandate>(
  "settle_charge",
  `WITH locked AS (
     SELECT id FROM mandate WHERE id = $2 FOR NO KEY UPDATE
   ), settled AS (
     UPDATE charge c SET state = $4::charge_state, updated_at = $5::timestamptz, amount_captured = $7::bigint,
       processor_ref = coalesce($8, c.processor_ref), decline = $9::jsonb, decline_code = $9::jsonb ->> 'decline_code',
       next_action = coalesce($10::jsonb, c.next_action), final_at = CASE WHEN $11::boolean THEN $5::timestamptz END,
       lease_until = NULL, next_lookup_at = $12::timestamptz, lookups = 0, not_found_at = NULL
     FROM locked
     WHERE c.id = $1 AND c.mandate_id = locked.id AND c.state = ANY ($3::text[]::charge_state[])
       AND (NOT $15::boolean OR c.submitted_at IS NULL)
     RETURNING c.mandate_id, c.merchant_id, c.amount, c.periods
   ), answer AS (
     UPDATE idempotency_key k SET response_status = $13::int, response_body = $14 FROM settled
     WHERE $13::int IS NOT NULL AND k.merchant_id = settled.merchant_id AND k.charge_id = $1 AND k.response_status IS NULL
   ), period AS (
     UPDATE mandate_period p SET held_amount = p.held_amount - settled.amount, held_count = p.held_count - 1,
       used_amount = p.used_amount + CASE WHEN $6 = 'use' THEN settled.amount ELSE 0 END,
       used_count = p.used_count + CASE WHEN $6 = 'use' THEN 1 ELSE 0 END
     FROM settled, jsonb_to_recordset(settled.periods) AS r (limit_key text, starts_at timestamptz)
     WHERE $6 <> 'keep' AND p.mandate_id = settled.mandate_id AND p.limit_key = r.limit_key AND p.starts_at = r.starts_at
   )
   UPDATE mandate m SET
     held_amount = m.held_amount - CASE WHEN $6 <> 'keep' THEN settled.amount ELSE 0 END,
     held_count = m.held_count - CASE WHEN $6 <> 'keep' THEN 1 ELSE 0 END,
     used_amount = m.used_amount + CASE WHEN $6 = 'use' THEN settled.amount ELSE 0 END,
     used_count = m.used_count + CASE WHEN $6 = 'use' THEN 1 ELSE 0 END
   FROM settled WHERE m.id = settled.mandate_id
   RETURNING m.state::text AS state, m.grant_id AS "grantId", m.client_id AS "clientId", m.version, coalesce(m.suspended_by, '{}') AS "suspendedBy",
     m.max_total_amount AS "maxTotalAmount", m.max_payments AS "maxPayments", m.refund_policy AS "refundPolicy",
     m.used_amount AS "usedAmount", m.held_amount AS "heldAmount", m.used_count AS "usedCount", m.held_count AS "heldCount"`,
);

/**
 * At most one caller moves a charge out of a state; every other gets null and has changed nothing.
 * The charge's state and all its counters change together, under the mandate's lock.
 */
export const updateSettled = async (sql: Sql, settlement: Settlement): Promise<SettledMandate | null> => {
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value));
  const [mandate] = await sql.query(settle, [
    ...[settlement.chargeId, settlement.mandateId, settlement.from, settlement.to, settlement.at, settlement.effect],
    ...[settlement.amountCaptured, settlement.processorRef, json(settlement.decline), json(settlement.nextAction)],
    ...[
      settlement.isFinal,
      settlement.nextLookupAt,
      settlement.answer?.status ?? null,
      settlement.answer?.body ?? null,
    ],
    settlement.mustBeUnsubmitted,
  ]);
  return mandate ?? null;
};

const voidUnsubmitted = statement<ChargeRow>(
  "void_unsubmitted_charges",
  `WITH gone AS (
     UPDATE charge c SET state = 'voided', updated_at = $2::timestamptz, final_at = $2::timestamptz, lease_until = NULL,
       next_lookup_at = NULL
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
   SELECT ${columns} FROM gone c ORDER BY c.id`,
);

/** Voids and releases what was never sent. The caller holds the mandate's lock. */
export const updateUnsubmittedVoided = (sql: Sql, input: { mandateId: string; at: Date }): Promise<ChargeRow[]> =>
  sql.query(voidUnsubmitted, [input.mandateId, input.at]);

const claimDue = statement<ChargeRow>(
  "claim_due_charges",
  `WITH due AS (
     SELECT id FROM charge WHERE next_lookup_at <= $1::timestamptz ORDER BY next_lookup_at LIMIT $2::int FOR UPDATE SKIP LOCKED
   )
   UPDATE charge c SET next_lookup_at = $3::timestamptz FROM due WHERE c.id = due.id RETURNING ${columns}`,
);

/** Each due charge goes to one caller, who has until `leaseUntil` before another may have it. */
export const claimDueCharges = (
  sql: Sql,
  input: { now: Date; limit: number; leaseUntil: Date },
): Promise<ChargeRow[]> => sql.query(claimDue, [input.now, input.limit, input.leaseUntil]);

const reschedule = statement<never>(
  "reschedule_lookup",
  `UPDATE charge SET next_lookup_at = $2::timestamptz, lookups = $3::int, not_found_at = $4::timestamptz
   WHERE id = $1 AND next_lookup_at IS NOT NULL`,
);

export const rescheduleLookup = async (
  sql: Sql,
  charge: { id: string; nextLookupAt: Date; lookups: number; notFoundAt: Date | null },
): Promise<void> => {
  await sql.query(reschedule, [charge.id, charge.nextLookupAt, charge.lookups, charge.notFoundAt]);
};

const takeLease = statement<ChargeRow>(
  "take_charge_lease",
  `UPDATE charge c SET lease_until = $3::timestamptz WHERE c.id = $1 AND c.state IN ('reserved', 'submitted')
     AND (c.lease_until IS NULL OR c.lease_until <= $2::timestamptz) RETURNING ${columns}`,
);

/** At most one caller attaches to a charge whose process has died. */
export const takeChargeLease = async (
  sql: Sql,
  input: { id: string; now: Date; leaseUntil: Date },
): Promise<ChargeRow | null> => (await sql.query(takeLease, [input.id, input.now, input.leaseUntil]))[0] ?? null;

const findById = statement<ChargeRow>("find_charge", `SELECT ${columns} FROM charge c WHERE c.id = $1`);

export const findCharge = async (sql: Sql, id: string): Promise<ChargeRow | null> =>
  (await sql.query(findById, [id]))[0] ?? null;

type Page = { limit: number; startingAfter: string | null };

const listStatement = (name: string, owner: string) =>
  statement<ChargeRow>(
    name,
    `SELECT ${columns} FROM charge c WHERE ${owner} = $1
       AND ($2::text IS NULL OR (c.created_at, c.id) < (SELECT a.created_at, a.id FROM charge a WHERE a.id = $2))
     ORDER BY c.created_at DESC, c.id DESC LIMIT $3::int`,
  );
const listOfMerchant = listStatement("list_charges_of_merchant", "c.merchant_id");
const listOfMandate = listStatement("list_charges_of_mandate", "c.mandate_id");

/** Newest first. One more than `limit` where there are more. */
export const findMerchantCharges = (sql: Sql, merchantId: string, page: Page): Promise<ChargeRow[]> =>
  sql.query(listOfMerchant, [merchantId, page.startingAfter, page.limit + 1]);
export const findMandateCharges = (sql: Sql, mandateId: string, page: Page): Promise<ChargeRow[]> =>
  sql.query(listOfMandate, [mandateId, page.startingAfter, page.limit + 1]);

/** For the wallet: newest first, with the names that the payer knows. One more than `limit` where there are more. */
export const findPayerCharges = async (
  db: Db,
  input: { payerId: string; mandateId: string | null; states: readonly ChargeState[] | null } & Page,
) => {
  const rows = await db.prisma.charge.findMany({
    where: {
      payerId: input.payerId,
      ...(input.mandateId === null ? {} : { mandateId: input.mandateId }),
      ...(input.states === null ? {} : { state: { in: [...input.states] } }),
    },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: input.limit + 1,
    ...(input.startingAfter === null ? {} : { cursor: { id: input.startingAfter }, skip: 1 }),
    select: {
      ...{ id: true, state: true, amount: true, currency: true, amountCaptured: true, amountRefunded: true },
      ...{ reference: true, decline: true, nextAction: true, createdAt: true, mandateId: true },
      merchant: { select: { id: true, displayName: true } },
      mandate: { select: { purpose: true, client: { select: { id: true, name: true } } } },
    },
  });
  // Both are written by this file alone.
  return rows.map((row) => ({
    ...row,
    decline: row.decline as Decline | null,
    nextAction: row.nextAction as NextAction | null,
  }));
};
