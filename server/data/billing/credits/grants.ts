import type { Page, Place } from "../../../kernel/pagination.ts";
import { type Sql, statement } from "../../client.ts";
import { equalFilter, findList } from "../../find-list.ts";

type CreditKind = "prepaid" | "promotional" | "credit_note";

export type CreditGrantRow = {
  id: string;
  merchantId: string;
  kind: CreditKind;
  currency: string;
  granted: bigint;
  remaining: bigint;
  priority: number;
  expiresAt: Date | null;
  grantedAt: Date;
};

const columns = `g.id, g.merchant_id AS "merchantId", g.kind, g.currency, g.granted, g.remaining, g.priority, g.expires_at AS "expiresAt",
  g.granted_at AS "grantedAt"`;

const usable = `FROM billing_credit_grant g WHERE g.merchant_id = $1 AND g.currency = $2 AND g.remaining > 0
  AND (g.expires_at IS NULL OR g.expires_at > $3::timestamptz) ORDER BY g.granted_at, g.id`;
const findUsable = statement<CreditGrantRow>("find_usable_credits", `SELECT ${columns} ${usable}`);
const lockUsable = statement<CreditGrantRow>("lock_usable_credits", `SELECT ${columns} ${usable} FOR NO KEY UPDATE`);

type Owner = { merchantId: string; currency: string; at: Date };

/** The grants that have an amount left and haven't expired, oldest first. */
export const findUsableGrants = (sql: Sql, { merchantId, currency, at }: Owner): Promise<CreditGrantRow[]> =>
  sql.query(findUsable, [merchantId, currency, at]);

/** Like `findUsableGrants`, but locks the grants until the transaction ends. */
export const lockUsableGrants = (sql: Sql, { merchantId, currency, at }: Owner): Promise<CreditGrantRow[]> =>
  sql.query(lockUsable, [merchantId, currency, at]);

const insert = statement<{ id: string }>(
  "insert_credit_grant",
  `INSERT INTO billing_credit_grant (id, merchant_id, kind, currency, granted, remaining, priority, expires_at, granted_at, source_type, source_id)
   VALUES ($1, $2, $3, $4, $5::bigint, $5::bigint, $6::int, $7::timestamptz, $8::timestamptz, $9, $10)
   ON CONFLICT (source_type, source_id, kind) DO NOTHING RETURNING id`,
);

type NewGrant = Omit<CreditGrantRow, "remaining"> & { source: { type: string; id: string } };

/** @returns false if this source already has a grant of this kind. */
export const insertCreditGrant = async (sql: Sql, grant: NewGrant): Promise<boolean> => {
  const { id, merchantId, kind, currency, granted, priority, expiresAt, grantedAt, source } = grant;
  const values = [id, merchantId, kind, currency, granted, priority, expiresAt, grantedAt, source.type, source.id];
  return (await sql.query(insert, values)).length > 0;
};

const take = statement<TakenUse>(
  "take_from_credit_grants",
  `WITH wanted AS (
     SELECT * FROM unnest($1::text[], $2::bigint[]) AS w (id, amount)
   ), used AS (
     UPDATE billing_credit_grant g SET remaining = g.remaining - w.amount FROM wanted w WHERE g.id = w.id RETURNING g.id, w.amount
   ) INSERT INTO billing_credit_use (grant_id, number, invoice_id, amount, used_at)
     SELECT u.id, 1 + (SELECT coalesce(max(b.number), 0) FROM billing_credit_use b WHERE b.grant_id = u.id), $3, u.amount, $4::timestamptz
       FROM used u
   RETURNING grant_id AS id, number`,
);

export type CreditUse = { id: string; amount: bigint };
/** A grant's uses are numbered from 1. */
type TakenUse = { id: string; number: number };

/**
 * Takes amounts from locked grants. A negative amount is given back to its grant.
 * @param invoiceId null: the grant expired
 * @throws if more is taken from a grant than remains.
 */
export const takeFromGrants = async (
  sql: Sql,
  uses: readonly CreditUse[],
  { invoiceId, at }: { invoiceId: string | null; at: Date },
): Promise<TakenUse[]> =>
  uses.length === 0
    ? []
    : sql.query(take, [uses.map(({ id }) => id), uses.map(({ amount }) => String(amount)), invoiceId, at]);

const used = (of: string) => `SELECT g.id, sum(u.amount)::text AS amount
     FROM billing_credit_use u JOIN billing_credit_grant g ON g.id = u.grant_id WHERE ${of} GROUP BY g.id HAVING sum(u.amount) <> 0`;
const usesOf = statement<{ id: string; amount: string }>(
  "list_credit_uses",
  `${used("u.invoice_id = $1")} ORDER BY g.id`,
);
const keptUses = statement<{ id: string; amount: string }>(
  "list_kept_credit_uses",
  `${used(`g.kind <> 'credit_note'
      AND (u.invoice_id = $1 OR u.invoice_id IN (SELECT n.id FROM billing_invoice n WHERE n.corrects = $1))`)}
    ORDER BY g.priority DESC, g.expires_at DESC NULLS FIRST, g.kind = 'promotional', g.granted_at DESC, g.id DESC`,
);
const lockUsed = statement<never>(
  "lock_used_credits",
  `SELECT FROM billing_credit_grant g WHERE g.id IN (SELECT grant_id FROM billing_credit_use WHERE invoice_id = $1)
    ORDER BY g.granted_at, g.id FOR NO KEY UPDATE`,
);

const toUse = ({ id, amount }: { id: string; amount: string }): CreditUse => ({ id, amount: BigInt(amount) });

/**
 * Locks the grants in the same order as `lockUsableGrants`. To avoid a deadlock, call it before you write to the
 * ledger, as the billing run does.
 */
export const lockUsedGrants = async (sql: Sql, invoiceId: string): Promise<void> => {
  await sql.query(lockUsed, [invoiceId]);
};

/** Locks the grants from which an invoice took amounts. @returns the amount of each grant. */
export const lockCreditUses = async (sql: Sql, invoiceId: string): Promise<CreditUse[]> => {
  await lockUsedGrants(sql, invoiceId);
  return (await sql.query(usesOf, [invoiceId])).map(toUse);
};

/**
 * The prepaid and promotional amounts that an invoice took and that no credit note gave back. The amount that was taken
 * last comes first. The amounts don't change while the invoice is locked.
 */
export const findKeptUses = async (sql: Sql, invoiceId: string): Promise<CreditUse[]> =>
  (await sql.query(keptUses, [invoiceId])).map(toUse);

const lockBySource = statement<CreditGrantRow>(
  "lock_credit_of_source",
  `SELECT ${columns} FROM billing_credit_grant g WHERE g.source_type = $1 AND g.source_id = $2 FOR NO KEY UPDATE`,
);

/** Locks the grant that an invoice or credit note created. */
export const lockGrantOf = async (sql: Sql, source: { type: string; id: string }): Promise<CreditGrantRow | null> =>
  (await sql.query(lockBySource, [source.type, source.id]))[0] ?? null;

const lockExpired = statement<CreditGrantRow>(
  "lock_expired_credit",
  `SELECT ${columns} FROM billing_credit_grant g WHERE g.remaining > 0 AND g.expires_at <= $1::timestamptz AND g.id <> ALL ($2::text[])
    ORDER BY g.expires_at, g.id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
);

/** Locks the next expired grant that no other transaction has locked. */
export const lockExpiredGrant = async (
  sql: Sql,
  at: Date,
  { except }: { except: readonly string[] },
): Promise<CreditGrantRow | null> => (await sql.query(lockExpired, [at, except]))[0] ?? null;

/** Newest first. */
export const findCreditGrants = (sql: Sql, merchantId: string, page: Page): Promise<CreditGrantRow[]> =>
  findList(sql, {
    name: "billing_credits",
    select: `SELECT ${columns} FROM billing_credit_grant g`,
    order: ["g.granted_at", "g.id"],
    filters: equalFilter("merchant", "g.merchant_id", merchantId),
    page,
  });

const findPlace = statement<Place>(
  "find_credit_place",
  "SELECT granted_at AS at, id FROM billing_credit_grant WHERE id = $2 AND merchant_id = $1",
);

export const findCreditPlace = async (sql: Sql, merchantId: string, id: string): Promise<Place | null> =>
  (await sql.query(findPlace, [merchantId, id]))[0] ?? null;
