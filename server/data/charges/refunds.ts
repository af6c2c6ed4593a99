import type { RefundReason, RefundStatus } from "../../charges/rules/refund.ts";
import type { Page } from "../../kernel/pagination.ts";
import { type Sql, statement } from "../client.ts";
import { spanOf } from "../dated.ts";
import { equalFilter, findList } from "../find-list.ts";
import { numberParameters } from "../parameters.ts";
import { type RequestKey, refundRoute, requestKeyColumns } from "./idempotency.ts";

export type RefundRow = {
  id: string;
  chargeId: string;
  merchantId: string;
  mandateId: string;
  merchantClientId: string;
  amount: bigint;
  status: RefundStatus;
  /** the processor's own id, once known */
  refundRef: string | null;
  failureCode: string | null;
  /** null if none was given */
  reason: RefundReason | null;
  metadata: Readonly<Record<string, string>>;
  createdAt: Date;
  leaseUntil: Date | null;
  nextLookupAt: Date | null;
  lookups: number;
};

export const refundColumns = `r.id, r.charge_id AS "chargeId", r.merchant_id AS "merchantId", r.mandate_id AS "mandateId",
  r.merchant_client_id AS "merchantClientId", r.amount, r.status, r.refund_ref AS "refundRef", r.failure_code AS "failureCode",
  r.reason, r.metadata, r.created_at AS "createdAt", r.lease_until AS "leaseUntil", r.next_lookup_at AS "nextLookupAt", r.lookups`;

/** A charge in these states can be refunded; a disputed charge can't. */
const refundable = "('succeeded', 'captured', 'partially_captured', 'partially_refunded')";

/** The columns of a new refund. Its mandate, payer and agent are the charge's. The others have defaults. */
const columns = numberParameters<RefundRow>([
  ["id", (refund) => refund.id],
  ["charge_id", (refund) => refund.chargeId],
  ["merchant_id", (refund) => refund.merchantId],
  ["merchant_client_id", (refund) => refund.merchantClientId],
  ["amount", (refund) => refund.amount, "bigint"],
  ["reason", (refund) => refund.reason],
  ["metadata", (refund) => JSON.stringify(refund.metadata), "jsonb"],
  ["created_at", (refund) => refund.createdAt, "timestamptz"],
  ["updated_at", (refund) => refund.createdAt, "timestamptz"],
  ["lease_until", (refund) => refund.leaseUntil, "timestamptz"],
  ["next_lookup_at", (refund) => refund.nextLookupAt, "timestamptz"],
]);
const at = columns.placeholder;

const keyed = numberParameters(requestKeyColumns, columns.next);

const span = numberParameters<readonly [from: string, to: string]>(
  [
    ["from", ([from]) => from, "timestamptz"],
    ["to", ([, to]) => to, "timestamptz"],
  ],
  keyed.next,
);

const claim = statement<{ keys: number; charges: number }>(
  "claim_refund",
  `WITH key AS (
     INSERT INTO idempotency_key (merchant_id, charge_id, refund_id, created_at, ${keyed.names})
     VALUES (${at("merchant_id")}, ${at("charge_id")}, ${at("id")}, ${at("created_at")}, ${keyed.placeholders})
     ON CONFLICT (merchant_id, route, key) DO NOTHING RETURNING charge_id
   ), claimed AS (
     UPDATE charge c SET amount_refunding = c.amount_refunding + ${at("amount")}, updated_at = ${at("created_at")}
     FROM key
     WHERE c.id = ${at("charge_id")} AND c.merchant_id = ${at("merchant_id")} AND c.state IN ${refundable}
       AND c.amount_refunded + c.amount_refunding + ${at("amount")} <= c.amount_captured
       AND c.created_at BETWEEN ${span.placeholder("from")} AND ${span.placeholder("to")}
     RETURNING c.mandate_id, c.payer_id, c.agent_client_id
   ), made AS (
     INSERT INTO refund (mandate_id, payer_id, agent_client_id, status, ${columns.names})
     SELECT claimed.mandate_id, claimed.payer_id, claimed.agent_client_id, 'pending', ${columns.placeholders} FROM claimed
   )
   SELECT (SELECT count(*)::int FROM key) AS keys, (SELECT count(*)::int FROM claimed) AS charges`,
);

export type RefundClaim = "claimed" | "key_taken" | "does_not_fit";

/**
 * At most one refund per key; pending and succeeded refunds together never exceed the captured amount. One conditional
 * UPDATE ensures both. The refund is committed before anything is sent. Requires a transaction that is rolled back on
 * any result but `claimed`.
 */
export const claimRefund = async (sql: Sql, refund: RefundRow, idempotency: RequestKey): Promise<RefundClaim> => {
  const [counts] = await sql.query(claim, [
    ...columns.valuesOf(refund),
    ...keyed.valuesOf(idempotency),
    ...span.valuesOf(spanOf(refund.chargeId)),
  ]);
  if (!counts || counts.keys === 0) return "key_taken";
  return counts.charges === 1 ? "claimed" : "does_not_fit";
};

// Finds the charge by parameters, not by the result of another part of the statement: without statistics, PostgreSQL
// would scan the whole partition to join that result.
const settle = statement<{ id: string }>(
  "settle_refund",
  `WITH settled AS (
     UPDATE refund r SET status = $2::text, refund_ref = coalesce($3::text, r.refund_ref), failure_code = $4::text, updated_at = $5::timestamptz,
       lease_until = NULL, next_lookup_at = NULL,
       given_at = CASE WHEN $2::text = 'succeeded' THEN $5::timestamptz END, next_check_at = $11::timestamptz
     WHERE r.id = $1 AND r.status = 'pending' AND r.created_at BETWEEN $7::timestamptz AND $8::timestamptz
       AND (NOT $12::boolean OR (r.lease_until IS NOT DISTINCT FROM $13::timestamptz AND r.next_lookup_at IS NOT DISTINCT FROM $14::timestamptz))
     RETURNING r.id, r.mandate_id, r.amount, CASE WHEN $2::text = 'succeeded' THEN r.amount ELSE 0 END AS given
   ), charged AS (
     UPDATE charge c SET amount_refunding = c.amount_refunding - settled.amount, amount_refunded = c.amount_refunded + settled.given,
       updated_at = $5::timestamptz,
       state = CASE WHEN settled.given = 0 OR c.state = 'disputed' THEN c.state
         WHEN c.amount_refunded + settled.given = c.amount_captured THEN 'refunded' ELSE 'partially_refunded' END::charge_state
     FROM settled WHERE c.id = $17 AND c.created_at BETWEEN $9::timestamptz AND $10::timestamptz
     RETURNING c.periods
   ), restored AS (
     UPDATE mandate m SET used_amount = m.used_amount - settled.given
     FROM settled WHERE m.id = settled.mandate_id AND m.refund_policy = 'restore' AND settled.given > 0
     RETURNING m.id, settled.given
   ), period AS (
     UPDATE mandate_period p SET used_amount = p.used_amount - restored.given
     FROM restored, charged, jsonb_to_recordset(charged.periods) AS r (limit_key text, starts_at timestamptz)
     WHERE p.mandate_id = restored.id AND p.limit_key = r.limit_key AND p.starts_at = r.starts_at
   ), answer AS (
     UPDATE idempotency_key k SET response_status = 201, response_body = $6::text, answered_at = $5::timestamptz FROM settled
     WHERE k.merchant_id = $15 AND k.charge_id = $17 AND k.route = $16 AND k.refund_id = settled.id
       AND k.response_status IS NULL AND $6::text IS NOT NULL
   )
   SELECT id FROM settled`,
);

/**
 * At most one caller settles a refund; every other caller gets false and has changed nothing. The caller holds the
 * mandate's lock from an earlier statement, so that this statement sees every period of the charge.
 * @param settlement.answer stored under the refund's idempotency key; null if the key is freed.
 */
export const updateRefundSettled = async (
  sql: Sql,
  settlement: {
    refund: RefundRow;
    status: Exclude<RefundStatus, "pending">;
    refundRef: string | null;
    failureCode: string | null;
    at: Date;
    answer: string | null;
    /** when the refund is checked again; null: never */
    nextCheckAt: Date | null;
    /** true: settles the refund only if no other process has taken it over */
    unlessTaken: boolean;
  },
): Promise<boolean> => {
  const { refund, status, refundRef, failureCode, at, answer, nextCheckAt, unlessTaken } = settlement;
  const values = [refund.id, status, refundRef, failureCode, at, answer];
  const spans = [...spanOf(refund.id), ...spanOf(refund.chargeId)];
  const held = [unlessTaken, refund.leaseUntil, refund.nextLookupAt];
  const keyed = [refund.merchantId, refundRoute(refund.chargeId), refund.chargeId];
  return (await sql.query(settle, [...values, ...spans, nextCheckAt, ...held, ...keyed])).length === 1;
};

const reverse = statement<{ id: string }>(
  "reverse_refund",
  `WITH reversed AS (
     UPDATE refund r SET status = 'failed', failure_code = $2, updated_at = $3::timestamptz, next_check_at = NULL
     WHERE r.id = $1 AND r.status = 'succeeded' AND r.created_at BETWEEN $4::timestamptz AND $5::timestamptz
     RETURNING r.id, r.mandate_id, r.amount
   ), charged AS (
     UPDATE charge c SET amount_refunded = c.amount_refunded - reversed.amount, updated_at = $3::timestamptz,
       state = CASE WHEN EXISTS (SELECT FROM dispute d WHERE d.charge_id = c.id AND d.status <> 'won') THEN 'disputed'
         WHEN c.amount_refunded > reversed.amount THEN 'partially_refunded'
         WHEN c.capture_method = 'automatic' THEN 'succeeded'
         WHEN c.amount_captured = c.amount THEN 'captured' ELSE 'partially_captured' END::charge_state
     FROM reversed WHERE c.id = $8 AND c.created_at BETWEEN $6::timestamptz AND $7::timestamptz
     RETURNING c.periods
   ), taken AS (
     UPDATE mandate m SET used_amount = m.used_amount + reversed.amount
     FROM reversed WHERE m.id = reversed.mandate_id AND m.refund_policy = 'restore'
     RETURNING m.id, reversed.amount
   ), period AS (
     UPDATE mandate_period p SET used_amount = p.used_amount + taken.amount
     FROM taken, charged, jsonb_to_recordset(charged.periods) AS r (limit_key text, starts_at timestamptz)
     WHERE p.mandate_id = taken.id AND p.limit_key = r.limit_key AND p.starts_at = r.starts_at
   )
   SELECT id FROM reversed`,
);

/**
 * Refunded money has returned to the merchant: it no longer counts as refunded and, if the refund restored budget, it
 * counts as used again. At most one caller does this; every other caller gets false and has changed nothing. The caller
 * holds the mandate's lock, then the charge's, from earlier statements.
 */
export const updateRefundReversed = async (
  sql: Sql,
  { refund, failureCode, at }: { refund: RefundRow; failureCode: string; at: Date },
): Promise<boolean> => {
  const { id, chargeId } = refund;
  return (await sql.query(reverse, [id, failureCode, at, ...spanOf(id), ...spanOf(chargeId), chargeId])).length === 1;
};

const insertFound = statement<{ id: string }>(
  "insert_found_refund",
  `WITH claimed AS (
     UPDATE charge c SET amount_refunding = c.amount_refunding + $4::bigint, updated_at = $6::timestamptz
     WHERE c.id = $2 AND (c.state IN ${refundable} OR c.state = 'disputed')
       AND c.amount_refunded + c.amount_refunding + $4::bigint <= c.amount_captured
       AND c.created_at BETWEEN $8::timestamptz AND $9::timestamptz
     RETURNING c.id, c.merchant_id, c.mandate_id, c.payer_id, c.agent_client_id
   )
   INSERT INTO refund (id, charge_id, merchant_id, mandate_id, payer_id, agent_client_id, merchant_client_id, amount, status, refund_ref,
     created_at, updated_at, next_lookup_at)
   SELECT $1, claimed.id, claimed.merchant_id, claimed.mandate_id, claimed.payer_id, claimed.agent_client_id, $3, $4::bigint, 'pending', $5,
     $6::timestamptz, $6::timestamptz, $7::timestamptz
   FROM claimed RETURNING id`,
);

/**
 * Inserts a refund that was made at the processor and not by us. It may have been made before or during a dispute, and
 * the processor may report the refund or the dispute first. The caller locks the charge's row, and has found no
 * matching refund in our records.
 * @returns false if the refund exceeds the charge's refundable amount. In this case, nothing is written.
 */
export const insertFoundRefund = async (sql: Sql, refund: RefundRow): Promise<boolean> => {
  const { id, chargeId, merchantClientId, amount, refundRef, createdAt, nextLookupAt } = refund;
  const values = [id, chargeId, merchantClientId, amount, refundRef, createdAt, nextLookupAt];
  return (await sql.query(insertFound, [...values, ...spanOf(chargeId)])).length === 1;
};

const freeKey = statement<never>(
  "free_refund_key",
  "DELETE FROM idempotency_key WHERE merchant_id = $1 AND charge_id = $2 AND route = $3 AND refund_id = $4 AND response_status IS NULL",
);

/** Frees the key of a refund that was never sent, so that the key can be used for another attempt. */
export const freeRefundKey = async (
  sql: Sql,
  { merchantId, chargeId, id }: Pick<RefundRow, "merchantId" | "chargeId" | "id">,
): Promise<void> => {
  await sql.query(freeKey, [merchantId, chargeId, refundRoute(chargeId), id]);
};

const findById = statement<RefundRow>(
  "find_refund",
  `SELECT ${refundColumns} FROM refund r WHERE r.id = $1 AND r.created_at BETWEEN $2::timestamptz AND $3::timestamptz`,
);

export const findRefund = async (sql: Sql, id: string): Promise<RefundRow | null> =>
  (await sql.query(findById, [id, ...spanOf(id)]))[0] ?? null;

const everyOfCharge = statement<RefundRow>(
  "find_every_refund_of_charge",
  `SELECT ${refundColumns} FROM refund r WHERE r.charge_id = $1 ORDER BY r.created_at, r.id`,
);

/** All refunds of the charge in any state, oldest first. */
export const findEveryRefund = (sql: Sql, chargeId: string): Promise<RefundRow[]> =>
  sql.query(everyOfCharge, [chargeId]);

/** Maximum number of refunds that the page of a charge shows. The API's list has the rest. */
const maxShownRefunds = 100;

/** The newest refunds of a charge, for its page. */
export const findShownRefunds = (sql: Sql, chargeId: string): Promise<RefundRow[]> =>
  findRefundsOfCharge(sql, chargeId, { limit: maxShownRefunds - 1, after: null, before: null });

/** Newest first; one more than `page.limit` if there are more (findList). */
export const findRefundsOfCharge = (sql: Sql, chargeId: string, page: Page): Promise<RefundRow[]> => {
  const filters = equalFilter("charge", "r.charge_id", chargeId);
  return findList(sql, {
    name: "refunds",
    select: `SELECT ${refundColumns} FROM refund r`,
    order: ["r.created_at", "r.id"],
    filters,
    page,
  });
};
