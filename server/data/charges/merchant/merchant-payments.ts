import type { ChargeState, Decline, PendingAct } from "../../../charges/rules/charge-states.ts";
import { type Db, type Sql, statement } from "../../client.ts";
import { spanOf } from "../../dated.ts";
import { chargesWithPrefix } from "../reference-prefix.ts";

const columns = {
  id: true,
  state: true,
  amount: true,
  currency: true,
  amountCaptured: true,
  amountRefunded: true,
  amountRefunding: true,
  captureMethod: true,
  payerPresence: true,
  reference: true,
  transactionId: true,
  metadata: true,
  decline: true,
  pendingAct: true,
  processor: true,
  processorRef: true,
  createdAt: true,
  merchantId: true,
  mandateId: true,
  mandate: { select: { client: { select: { id: true, name: true } } } },
} as const;

type Filter = {
  merchantId: string;
  /** null: all */
  mandateId: string | null;
  states: readonly ChargeState[] | null;
  /** those created at this instant or later; null: all */
  since: Date | null;
  /** those created before this instant; null: all */
  until: Date | null;
  /** the start of a reference, or the id of a charge; null: all */
  search: string | null;
  limit: number;
  /** the last payment of the previous page */
  after: { id: string; createdAt: Date } | null;
};

/**
 * The payments of the dashboard, newest first, with the agent of the mandate. One more than `limit` if there are more.
 */
export const findMerchantPayments = async (db: Db, filter: Filter) => {
  const ids = await findIds(db.sql, filter);
  if (ids !== null) return ids.length === 0 ? [] : findPaymentsByIds(db, ids);
  const { merchantId, states, since, until, search, limit, after } = filter;
  const rows = await db.prisma.charge.findMany({
    where: {
      merchantId,
      ...(states === null ? {} : { state: { in: [...states] } }),
      createdAt: {
        ...(since === null ? {} : { gte: fromEpoch(since) }),
        ...(until === null ? {} : { lt: fromEpoch(until) }),
      },
      ...(search === null ? {} : { id: search }),
    },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit + 1,
    ...(after === null ? {} : { cursor: { id: after.id }, skip: 1 }),
    select: columns,
  });
  return rows.map(withJson);
};

/** The ids for filters that need their own statement; null for other filters. */
const findIds = async (sql: Sql, filter: Filter): Promise<string[] | null> => {
  const { merchantId, mandateId, states, since, until, search, limit, after } = filter;
  const values = [merchantId, states, since, until, limit + 1, after?.createdAt ?? null, after?.id ?? null];
  const find = async (list: typeof inStates, more: readonly (string | null)[]) =>
    (await sql.query(list, [...values, ...more])).map(({ id }) => id);
  if (mandateId !== null) return find(ofMandate, [mandateId, search]);
  if (search !== null) return isChargeId(search) ? null : find(byReference, [search]);
  return states === null ? null : find(inStates, []);
};

/** Prisma's adapter writes years before 1 in a form that PostgreSQL refuses. No charge is from before 1970. */
const fromEpoch = (at: Date): Date => (at.getTime() < 0 ? new Date(0) : at);

/** All other search texts are references. */
export const isChargeId = (search: string): boolean => search.startsWith("chg_");

/**
 * Reads the newest payments of each state and merges them. PostgreSQL doesn't know how many payments are in a state,
 * and for a rare one would read all of the merchant's payments.
 */
const inStates = statement<{ id: string }>(
  "list_merchant_payments_in_states",
  `SELECT c.id FROM unnest($2::charge_state[]) AS wanted(state) CROSS JOIN LATERAL (
     SELECT id, created_at FROM charge
     WHERE merchant_id = $1 AND charge.state = wanted.state
       AND created_at >= coalesce($3::timestamptz, '-infinity') AND created_at < coalesce($4::timestamptz, 'infinity')
       AND ($6::timestamptz IS NULL OR (created_at, id) < ($6::timestamptz, $7))
     ORDER BY created_at DESC, id DESC LIMIT $5::int
   ) c ORDER BY c.created_at DESC, c.id DESC LIMIT $5::int`,
);

const page = `($2::text[] IS NULL OR c.state::text = ANY ($2::text[]))
  AND c.created_at >= coalesce($3::timestamptz, '-infinity') AND c.created_at < coalesce($4::timestamptz, 'infinity')
  AND ($6::timestamptz IS NULL OR (c.created_at, c.id) < ($6::timestamptz, $7))
  ORDER BY c.created_at DESC, c.id DESC LIMIT $5::int`;

/** Payments with this reference, and some of those whose reference starts with the text (chargesWithPrefix). */
const byReference = statement<{ id: string }>(
  "list_merchant_payments_by_reference",
  `SELECT f.id FROM (
     (SELECT c.id, c.created_at FROM charge c WHERE c.merchant_id = $1 AND c.reference = $8::text AND ${page})
     UNION ALL
     (SELECT c.id, c.created_at FROM ${chargesWithPrefix({ text: "$8", merchantId: "$1" })} c WHERE ${page})
   ) f ORDER BY f.created_at DESC, f.id DESC LIMIT $5::int`,
);

/** A search reads at most this many payments of a mandate, including those of other merchants (`hasMoreOfMandate`). */
const scanned = 5_000;

/**
 * Payments under one mandate. The search's other filters are applied to the rows that the index on mandates returns.
 */
const ofMandate = statement<{ id: string }>(
  "list_merchant_payments_of_mandate",
  `SELECT c.id FROM (
     SELECT id, merchant_id, state, reference, created_at FROM charge
     WHERE mandate_id = $8
       AND created_at >= coalesce($3::timestamptz, '-infinity') AND created_at < coalesce($4::timestamptz, 'infinity')
       AND ($6::timestamptz IS NULL OR (created_at, id) < ($6::timestamptz, $7))
     ORDER BY created_at DESC, id DESC LIMIT ${scanned}
   ) c WHERE c.merchant_id = $1 AND ($2::text[] IS NULL OR c.state::text = ANY ($2::text[]))
     AND ($9::text IS NULL OR c.id = $9 OR starts_with(c.reference, $9))
   ORDER BY c.created_at DESC, c.id DESC LIMIT $5::int`,
);

const beyondScanned = statement<{ isCut: boolean }>(
  "has_more_payments_of_mandate",
  `SELECT EXISTS (SELECT FROM (
     SELECT merchant_id FROM charge
     WHERE mandate_id = $6
       AND created_at >= coalesce($2::timestamptz, '-infinity') AND created_at < coalesce($3::timestamptz, 'infinity')
       AND ($4::timestamptz IS NULL OR (created_at, id) < ($4::timestamptz, $5))
     ORDER BY created_at DESC, id DESC OFFSET ${scanned} LIMIT ${4 * scanned}
   ) c WHERE c.merchant_id = $1) AS "isCut"`,
);

type Cut = Pick<Filter, "merchantId" | "since" | "until" | "after"> & { mandateId: string };

/**
 * Whether a search of a mandate's payments leaves out payments of the merchant because of its limit. Payments of other
 * merchants don't count, because their number is confidential. It reads at most 20,000 payments beyond the limit.
 */
export const hasMoreOfMandate = async (sql: Sql, { merchantId, since, until, after, mandateId }: Cut) => {
  const values = [merchantId, since, until, after?.createdAt ?? null, after?.id ?? null, mandateId];
  return (await sql.query(beyondScanned, values))[0]?.isCut ?? false;
};

/** Newest first. @param ids of one merchant's charges */
const findPaymentsByIds = async (db: Db, ids: readonly string[]) => {
  const rows = await db.prisma.charge.findMany({
    where: { id: { in: [...ids] } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: columns,
  });
  return rows.map(withJson);
};

export const findMerchantPayment = async (db: Db, { id, merchantId }: { id: string; merchantId: string }) => {
  const [gte, lte] = spanOf(id);
  const createdAt = gte.startsWith("-") ? {} : { createdAt: { gte, lte } };
  const row = await db.prisma.charge.findFirst({ where: { id, merchantId, ...createdAt }, select: columns });
  return row && withJson(row);
};

// Only the statements of charges write these two columns.
const withJson = <T extends { decline: unknown; pendingAct: unknown }>(row: T) => ({
  ...row,
  decline: row.decline as Decline | null,
  pendingAct: row.pendingAct as PendingAct | null,
});

export type PaymentEntry = { at: Date; actorKind: string; subjectId: string; action: string; data: unknown };

const timeline = statement<PaymentEntry>(
  "payment_timeline",
  `SELECT at, actor_kind AS "actorKind", subject_id AS "subjectId", action, data FROM audit_entry
    WHERE subject_id = ANY ($1::text[]) ORDER BY at DESC, seq DESC LIMIT $2::int`,
);

/** The audit log's entries about a charge, its refunds and disputes, newest first. */
export const findPaymentTimeline = (sql: Sql, subjectIds: readonly string[], limit: number): Promise<PaymentEntry[]> =>
  sql.query(timeline, [subjectIds, limit]);
