import type { JsonObject } from "../kernel/json.ts";
import { type Db, type Sql, statement, type Tx } from "./client.ts";

/** @returns those of `ids` that are registered and not suspended. */
export const findRegisteredMerchantIds = async (db: Db, ids: readonly string[]): Promise<Set<string>> => {
  const rows = await db.prisma.merchant.findMany({
    where: { id: { in: [...ids] }, suspendedAt: null },
    select: { id: true },
  });
  return new Set(rows.map(({ id }) => id));
};

/** @returns null where the payer has no such payment method, or has removed it. */
export const findPaymentMethod = (tx: Tx, input: { id: string; payerId: string }) =>
  tx.paymentMethod.findFirst({
    where: { id: input.id, payerId: input.payerId, removedAt: null },
    select: { id: true, type: true, label: true },
  });

/** As stored in `mandate.periodic_limits`: wire names, amounts as numbers. */
type StoredLimit = { period: Period; alignment: Alignment; max_amount?: number; max_payments?: number };
type Period = "day" | "week" | "month" | "quarter" | "year";
type Alignment = "calendar" | "consent";
type Limit = { period: Period; alignment: Alignment; maxAmount: bigint | null; maxPayments: bigint | null };

type Terms = {
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

const toStored = (limit: Limit): StoredLimit => ({
  period: limit.period,
  alignment: limit.alignment,
  ...(limit.maxAmount === null ? {} : { max_amount: Number(limit.maxAmount) }),
  ...(limit.maxPayments === null ? {} : { max_payments: Number(limit.maxPayments) }),
});

const fromStored = (limit: StoredLimit): Limit => ({
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
});

export type NewMandate = {
  id: string;
  grantId: string;
  clientId: string;
  payerId: string;
  paymentMethodId: string | null;
  state: "active" | "rejected";
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
      ...{ id, grantId, clientId, payerId, paymentMethodId, state, details, purpose, budgetVisible },
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
      stepUpAbove: terms.stepUpAbove,
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
};
export type MandateState = "pending" | "active" | "rejected" | "suspended" | "revoked" | "expired" | "consumed";

const lockMandateRow = statement<LockedMandate>(
  "lock_mandate",
  `SELECT id, grant_id AS "grantId", client_id AS "clientId", payer_id AS "payerId", state::text AS state, version,
     coalesce(suspended_by, '{}') AS "suspendedBy", details, consented_at AS "consentedAt"
   FROM mandate WHERE id = $1 FOR NO KEY UPDATE`,
);

/**
 * Locks are taken in one order everywhere, so that no two transactions wait for each other:
 * grant, mandate, its periods, its charges, their idempotency keys. Whoever may end a mandate locks its grant too.
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
     max_payments = $6::bigint, periodic_limits = $7::jsonb, valid_until = $8::timestamptz WHERE id = $1`,
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
  ]);
};

const endGrant = statement<{ id: string }>(
  "end_grant_without_live_mandates",
  `UPDATE "grant" SET ended_at = $2::timestamptz
   WHERE id = $1 AND ended_at IS NULL
     AND NOT EXISTS (SELECT 1 FROM mandate WHERE grant_id = $1 AND state IN ('pending', 'active', 'suspended'))
   RETURNING id`,
);

/** The grant ends with its last mandate. Holds true under concurrency where the caller holds the grant's lock. */
export const endGrantWithoutLiveMandates = async (sql: Sql, grantId: string, at: Date): Promise<void> => {
  await sql.query(endGrant, [grantId, at]);
};

const findLiveOfGrant = statement<{ id: string }>(
  "find_live_mandates_of_grant",
  `SELECT id FROM mandate WHERE grant_id = $1 AND state IN ('active', 'suspended') ORDER BY id`,
);

export const findLiveMandateIdsOfGrant = async (sql: Sql, grantId: string): Promise<string[]> =>
  (await sql.query(findLiveOfGrant, [grantId])).map(({ id }) => id);

const findDue = statement<{ id: string }>(
  "find_due_mandates",
  `SELECT id FROM mandate WHERE valid_until <= $1::timestamptz AND state IN ('active', 'suspended') ORDER BY valid_until LIMIT $2::int`,
);

export const findDueMandateIds = async (sql: Sql, now: Date, limit: number): Promise<string[]> =>
  (await sql.query(findDue, [now, limit])).map(({ id }) => id);

const findClient = statement<{ clientId: string }>(
  "find_mandate_client",
  `SELECT client_id AS "clientId" FROM mandate WHERE id = $1`,
);

export const findMandateClientId = async (sql: Sql, mandateId: string): Promise<string | null> =>
  (await sql.query(findClient, [mandateId]))[0]?.clientId ?? null;

type Counters = { usedAmount: bigint; heldAmount: bigint; usedCount: bigint; heldCount: bigint };
type PeriodCounters = Counters & { limitKey: string; startsAt: Date };

/** Everything that verify and charge decide by: the mandate, its running periods, the merchant and the payment method. */
export type Decision = {
  mandateId: string;
  state: MandateState;
  version: number;
  clientId: string;
  payerId: string;
  budgetVisible: boolean;
  terms: Terms;
  lifetime: Counters;
  periods: readonly PeriodCounters[];
  merchant: { id: string; mcc: string; processor: string; processorAccount: string; isSuspended: boolean };
  paymentMethodRef: string | null;
  status: { listNumber: number; index: number } | null;
};

type DecisionRow = {
  state: MandateState;
  version: number;
  clientId: string;
  payerId: string;
  budgetVisible: boolean;
  actions: string[];
  currency: string;
  maxAmountPerPayment: bigint | null;
  maxTotalAmount: bigint | null;
  maxPayments: bigint | null;
  periodicLimits: StoredLimit[];
  timeZone: string;
  payeeMerchantIds: string[];
  payeeCategories: string[];
  validFrom: Date;
  validUntil: Date;
  payerPresence: string[];
  stepUpAbove: bigint | null;
  refundPolicy: string;
  usedAmount: bigint;
  heldAmount: bigint;
  usedCount: bigint;
  heldCount: bigint;
  merchantMcc: string;
  processor: string;
  processorAccount: string;
  merchantSuspended: boolean;
  paymentMethodRef: string | null;
  listNumber: number | null;
  statusIndex: number | null;
  /** [limit_key, starts_at in ms, used, held, used count, held count], amounts as text: JSON numbers lose digits */
  periods: [string, string, string, string, string, string][] | null;
};

const findDecisionRow = statement<DecisionRow>(
  "find_decision",
  `SELECT m.state::text AS state, m.version, m.client_id AS "clientId", m.payer_id AS "payerId", m.budget_visible AS "budgetVisible",
     m.actions, m.currency, m.max_amount_per_payment AS "maxAmountPerPayment", m.max_total_amount AS "maxTotalAmount",
     m.max_payments AS "maxPayments", m.periodic_limits AS "periodicLimits", m.time_zone AS "timeZone",
     m.payee_merchant_ids AS "payeeMerchantIds", m.payee_categories AS "payeeCategories", m.valid_from AS "validFrom",
     m.valid_until AS "validUntil", m.payer_presence AS "payerPresence", m.step_up_above AS "stepUpAbove",
     m.refund_policy AS "refundPolicy", m.used_amount AS "usedAmount", m.held_amount AS "heldAmount",
     m.used_count AS "usedCount", m.held_count AS "heldCount", s.mcc AS "merchantMcc", s.processor,
     s.processor_account AS "processorAccount", s.suspended_at IS NOT NULL AS "merchantSuspended",
     p.processor_ref AS "paymentMethodRef", v.list_number AS "listNumber", v.status_index AS "statusIndex",
     (SELECT json_agg(json_build_array(c.limit_key, (extract(epoch FROM c.starts_at) * 1000)::bigint::text, c.used_amount::text,
        c.held_amount::text, c.used_count::text, c.held_count::text))
      FROM mandate_period c WHERE c.mandate_id = m.id AND c.starts_at <= $3::timestamptz AND c.ends_at > $3::timestamptz) AS periods
   FROM mandate m
   JOIN merchant s ON s.id = $2
   LEFT JOIN payment_method p ON p.id = m.payment_method_id AND p.removed_at IS NULL AND p.processor = s.processor
   LEFT JOIN mandate_version v ON v.mandate_id = m.id AND v.version = m.version
   WHERE m.id = $1 AND m.payee_merchant_ids @> ARRAY[$2::text] AND m.state <> 'rejected'`,
);

/**
 * One statement for a merchant that `payees` names by id.
 * @returns null for any other merchant, exactly as for a mandate that doesn't exist (2-payments, Who may use a mandate).
 */
export const findDecision = async (
  sql: Sql,
  input: { mandateId: string; merchantId: string; at: Date },
): Promise<Decision | null> => {
  const [row] = await sql.query(findDecisionRow, [input.mandateId, input.merchantId, input.at]);
  if (!row) return null;
  return {
    mandateId: input.mandateId,
    state: row.state,
    version: row.version,
    clientId: row.clientId,
    payerId: row.payerId,
    budgetVisible: row.budgetVisible,
    terms: { ...row, periodicLimits: row.periodicLimits.map(fromStored) },
    lifetime: row,
    periods: (row.periods ?? []).map(toPeriodCounters),
    merchant: {
      id: input.merchantId,
      mcc: row.merchantMcc,
      processor: row.processor,
      processorAccount: row.processorAccount,
      isSuspended: row.merchantSuspended,
    },
    paymentMethodRef: row.paymentMethodRef,
    status:
      row.listNumber === null || row.statusIndex === null
        ? null
        : { listNumber: row.listNumber, index: row.statusIndex },
  };
};

const toPeriodCounters = ([limitKey, startsAt, usedAmount, heldAmount, usedCount, heldCount]: [
  string,
  string,
  string,
  string,
  string,
  string,
]): PeriodCounters => ({
  limitKey,
  startsAt: new Date(Number(startsAt)),
  usedAmount: BigInt(usedAmount),
  heldAmount: BigInt(heldAmount),
  usedCount: BigInt(usedCount),
  heldCount: BigInt(heldCount),
});

const viewSelect = {
  ...{
    id: true,
    grantId: true,
    state: true,
    version: true,
    suspendedBy: true,
    details: true,
    currency: true,
    purpose: true,
  },
  ...{ maxAmountPerPayment: true, maxTotalAmount: true, maxPayments: true, periodicLimits: true, timeZone: true },
  ...{
    payeeMerchantIds: true,
    payeeCategories: true,
    validFrom: true,
    validUntil: true,
    stepUpAbove: true,
    budgetVisible: true,
  },
  ...{ usedAmount: true, heldAmount: true, usedCount: true, heldCount: true, createdAt: true, endedAt: true },
  client: { select: { id: true, name: true, isVerified: true } },
  paymentMethod: { select: { id: true, label: true, removedAt: true } },
} as const;

/** With the counters of the periods that run at `at`. Rejected ones are left out: the payer has said no to them. */
export const findPayerMandates = async (db: Db, input: { payerId: string; mandateId: string | null; at: Date }) => {
  const rows = await db.prisma.mandate.findMany({
    where: {
      payerId: input.payerId,
      state: { not: "rejected" },
      ...(input.mandateId === null ? {} : { id: input.mandateId }),
    },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { ...viewSelect, periods: { where: { startsAt: { lte: input.at }, endsAt: { gt: input.at } } } },
  });
  return rows.map((row) => ({
    ...row,
    // Written by this file alone.
    periodicLimits: (row.periodicLimits as StoredLimit[]).map(fromStored),
  }));
};

/** @returns display names by id. */
export const findMerchantNames = async (db: Db, ids: readonly string[]): Promise<Map<string, string>> => {
  const rows = await db.prisma.merchant.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, displayName: true },
  });
  return new Map(rows.map(({ id, displayName }) => [id, displayName]));
};

export type TimelineEntry = { at: Date; actorKind: string; action: string; data: unknown };

const timeline = statement<TimelineEntry>(
  "mandate_timeline",
  `SELECT at, actor_kind AS "actorKind", action, data FROM audit_entry WHERE subject_id = $1 ORDER BY at DESC, id LIMIT $2::int`,
);

/** Newest first. */
export const findMandateTimeline = (sql: Sql, mandateId: string, limit: number): Promise<TimelineEntry[]> =>
  sql.query(timeline, [mandateId, limit]);

/** @returns whose mandate it is, null where there is none. */
export const findMandatePayerId = async (db: Db, mandateId: string): Promise<string | null> =>
  (await db.prisma.mandate.findUnique({ where: { id: mandateId }, select: { payerId: true } }))?.payerId ?? null;
