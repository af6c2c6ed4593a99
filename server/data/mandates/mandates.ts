import type { JsonObject } from "../../kernel/text/json.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { type Db, type Sql, statement, type Tx } from "../client.ts";
import { isPayable } from "../merchants/standing.ts";

const selectRegisteredMerchants = statement<{ id: string }>(
  "find_registered_merchants",
  `SELECT m.id FROM merchant m WHERE m.id = ANY ($1::text[]) AND ${isPayable("m")}`,
);

/** @returns the ids that are registered, approved and not suspended. */
export const findRegisteredMerchantIds = async (db: Db, ids: readonly string[]): Promise<Set<string>> => {
  const rows = await db.sql.query(selectRegisteredMerchants, [ids]);
  return new Set(rows.map(({ id }) => id));
};

/** A limit as stored in `mandate.periodic_limits`: wire names, amounts as numbers. */
export type StoredLimit = { period: Period; alignment: Alignment; max_amount?: number; max_payments?: number };
type Period = "day" | "week" | "month" | "quarter" | "year";
type Alignment = "calendar" | "consent";
type Limit = { period: Period; alignment: Alignment; maxAmount: bigint | null; maxPayments: bigint | null };

export type Terms = {
  actions: readonly string[];
  currency: string;
  maxAmountPerPayment: bigint | null;
  maxTotalAmount: bigint | null;
  maxPayments: bigint | null;
  periodicLimits: readonly Limit[];
  timeZone: string;
  payeeMerchantIds: readonly string[];
  payeeCategories: readonly string[];
  validFrom: Date;
  validUntil: Date;
  payerPresence: readonly string[];
  stepUpAbove: bigint | null;
  refundPolicy: string;
};

export const toStored = (limit: Limit): StoredLimit => ({
  period: limit.period,
  alignment: limit.alignment,
  ...(limit.maxAmount === null ? {} : { max_amount: Number(limit.maxAmount) }),
  ...(limit.maxPayments === null ? {} : { max_payments: Number(limit.maxPayments) }),
});

export const fromStored = (limit: StoredLimit): Limit => ({
  period: limit.period,
  alignment: limit.alignment,
  maxAmount: limit.max_amount === undefined ? null : BigInt(limit.max_amount),
  maxPayments: limit.max_payments === undefined ? null : BigInt(limit.max_payments),
});

const termColumns = (terms: Terms) => ({
  maxAmountPerPayment: terms.maxAmountPerPayment,
  maxTotalAmount: terms.maxTotalAmount,
  maxPayments: terms.maxPayments,
  periodicLimits: terms.periodicLimits.map(toStored),
  validUntil: terms.validUntil,
  stepUpAbove: terms.stepUpAbove,
});

export type NewMandate = {
  id: string;
  grantId: string;
  clientId: string;
  payerId: string;
  paymentMethodId: string | null;
  state: MandateState;
  details: JsonObject;
  terms: Terms;
  purpose: string;
  budgetVisible: boolean;
  at: Date;
};

export const insertMandate = async (tx: Tx, mandate: NewMandate): Promise<void> => {
  const { id, grantId, clientId, payerId, paymentMethodId, state, details, terms, purpose, budgetVisible, at } =
    mandate;
  await tx.mandate.create({
    data: {
      id,
      grantId,
      clientId,
      payerId,
      paymentMethodId,
      state,
      details,
      purpose,
      budgetVisible,
      ...termColumns(terms),
      // An omitted list would be NULL, not an empty one.
      suspendedBy: [],
      actions: [...terms.actions],
      currency: terms.currency,
      timeZone: terms.timeZone,
      payeeMerchantIds: [...terms.payeeMerchantIds],
      payeeCategories: [...terms.payeeCategories],
      validFrom: terms.validFrom,
      payerPresence: [...terms.payerPresence],
      refundPolicy: terms.refundPolicy,
      consentedAt: at,
      createdAt: at,
      endedAt: state === "rejected" ? at : null,
    },
  });
};

const lockGrantOfMandate = statement<never>(
  "lock_grant_of_mandate",
  `SELECT 1 FROM "grant" WHERE id = (SELECT grant_id FROM mandate WHERE id = $1) FOR NO KEY UPDATE`,
);

const lockGrantRow = statement<never>("lock_grant", `SELECT 1 FROM "grant" WHERE id = $1 FOR NO KEY UPDATE`);

export const lockGrant = async (sql: Sql, grantId: string): Promise<void> => {
  await sql.query(lockGrantRow, [grantId]);
};

export type LockedMandate = {
  id: string;
  grantId: string;
  clientId: string;
  payerId: string;
  state: MandateState;
  version: number;
  suspendedBy: string[];
  details: unknown;
  consentedAt: Date;
  validUntil: Date;
  usedAmount: bigint;
  heldAmount: bigint;
  usedCount: bigint;
  heldCount: bigint;
};
export type MandateState = "pending" | "active" | "rejected" | "suspended" | "revoked" | "expired" | "consumed";

const lockMandateRow = statement<LockedMandate>(
  "lock_mandate",
  `SELECT id, grant_id AS "grantId", client_id AS "clientId", payer_id AS "payerId", state::text AS state, version,
     coalesce(suspended_by, '{}') AS "suspendedBy", details, consented_at AS "consentedAt",
     valid_until AS "validUntil", used_amount AS "usedAmount", held_amount AS "heldAmount", used_count AS "usedCount",
     held_count AS "heldCount"
   FROM mandate WHERE id = $1 FOR NO KEY UPDATE`,
);

/**
 * All transactions take locks in the same order, so that they can't deadlock: grant, mandate, its periods, its charges,
 * their idempotency keys. A transaction that may end a mandate also locks its grant.
 */
export const lockMandate = async (
  sql: Sql,
  mandateId: string,
  options: { withGrant: boolean },
): Promise<LockedMandate | null> => {
  if (options.withGrant) await sql.query(lockGrantOfMandate, [mandateId]);
  const [row] = await sql.query(lockMandateRow, [mandateId]);
  return row ?? null;
};

const updateState = statement<never>(
  "update_mandate_state",
  `UPDATE mandate SET state = $2::mandate_state, suspended_by = $3::text[], ended_at = $4::timestamptz WHERE id = $1`,
);

export const updateMandateState = async (
  sql: Sql,
  mandate: { id: string; state: MandateState; suspendedBy: readonly string[]; endedAt: Date | null },
): Promise<void> => {
  await sql.query(updateState, [mandate.id, mandate.state, mandate.suspendedBy, mandate.endedAt]);
};

const updateTerms = statement<never>(
  "update_mandate_terms",
  `UPDATE mandate SET version = $2::int, details = $3::jsonb, max_amount_per_payment = $4::bigint, max_total_amount = $5::bigint,
     max_payments = $6::bigint, periodic_limits = $7::jsonb, valid_until = $8::timestamptz, step_up_above = $9::bigint
   WHERE id = $1`,
);

export const updateMandateTerms = async (
  sql: Sql,
  mandate: { id: string; version: number; details: JsonObject; terms: Terms },
): Promise<void> => {
  const caps = termColumns(mandate.terms);
  await sql.query(updateTerms, [
    mandate.id,
    mandate.version,
    JSON.stringify(mandate.details),
    caps.maxAmountPerPayment,
    caps.maxTotalAmount,
    caps.maxPayments,
    JSON.stringify(caps.periodicLimits),
    caps.validUntil,
    caps.stepUpAbove,
  ]);
};

const endGrant = statement<{ id: string }>(
  "end_grant_without_live_mandates",
  `UPDATE "grant" SET ended_at = $2::timestamptz
   WHERE id = $1 AND ended_at IS NULL
     AND NOT EXISTS (SELECT 1 FROM mandate WHERE grant_id = $1 AND state IN ('pending', 'active', 'suspended'))
   RETURNING id`,
);

/** Ends a grant that has no live mandate. Safe under concurrency if the caller holds the grant's lock. */
export const endGrantWithoutLiveMandates = async (sql: Sql, grantId: string, at: Date): Promise<void> => {
  await sql.query(endGrant, [grantId, at]);
};

const findOpenGrants = statement<{ grantId: string }>(
  "find_open_grants_of_mandates",
  `SELECT DISTINCT m.grant_id AS "grantId" FROM mandate m JOIN "grant" g ON g.id = m.grant_id
   WHERE m.id = ANY ($1::text[]) AND g.ended_at IS NULL
     AND NOT EXISTS (SELECT FROM mandate o WHERE o.grant_id = g.id AND o.state IN ('pending', 'active', 'suspended'))`,
);

/** @returns the grants of these mandates that are open although none of their mandates is live. */
export const findOpenGrantIdsWithoutLiveMandates = async (sql: Sql, mandateIds: readonly string[]): Promise<string[]> =>
  (await sql.query(findOpenGrants, [mandateIds])).map(({ grantId }) => grantId);

/** A live mandate, and the time at which its validity ends. */
export type DueMandate = { id: string; validUntil: Date };

const findLiveOfGrant = statement<DueMandate>(
  "find_live_mandates_of_grant",
  `SELECT id, valid_until AS "validUntil" FROM mandate WHERE grant_id = $1 AND state IN ('active', 'suspended') ORDER BY id`,
);

export const findLiveMandatesOfGrant = (sql: Sql, grantId: string): Promise<DueMandate[]> =>
  sql.query(findLiveOfGrant, [grantId]);

const selectOthers = statement<{ id: string | null; validUntil: Date }>(
  "find_live_mandates_beside",
  `SELECT m.id, m.valid_until AS "validUntil" FROM mandate named
     LEFT JOIN mandate m ON m.payer_id = named.payer_id AND m.client_id = named.client_id AND m.state IN ('active', 'suspended')
    WHERE named.id = $1 AND named.payer_id = $2 AND named.state <> 'rejected' ORDER BY m.grant_id, m.id`,
);

/**
 * @returns the live mandates of the same payer and client, including this one, in the order in which their grants are
 *   locked; null if the payer has no mandate with that id.
 */
export const findOtherLiveMandates = async (
  sql: Sql,
  { mandateId, payerId }: { mandateId: string; payerId: string },
): Promise<DueMandate[] | null> => {
  const rows = await sql.query(selectOthers, [mandateId, payerId]);
  return rows.length === 0 ? null : rows.flatMap(({ id, validUntil }) => (id === null ? [] : [{ id, validUntil }]));
};

const findDue = statement<DueMandate>(
  "find_due_mandates",
  `SELECT id, valid_until AS "validUntil" FROM mandate WHERE valid_until <= $1::timestamptz AND state IN ('active', 'suspended') ORDER BY valid_until LIMIT $2::int`,
);

export const findDueMandates = (
  sql: Sql,
  now: BusinessTime,
  limit: number,
): Promise<{ id: string; validUntil: Date }[]> => sql.query(findDue, [now, limit]);

const findClient = statement<{ clientId: string }>(
  "find_mandate_client",
  `SELECT client_id AS "clientId" FROM mandate WHERE id = $1`,
);

export const findMandateClientId = async (sql: Sql, mandateId: string): Promise<string | null> =>
  (await sql.query(findClient, [mandateId]))[0]?.clientId ?? null;

/** @returns the mandate's payer, null if there is no such mandate. */
export const findMandatePayerId = async (db: Db, mandateId: string): Promise<string | null> =>
  (await db.prisma.mandate.findUnique({ where: { id: mandateId }, select: { payerId: true } }))?.payerId ?? null;
