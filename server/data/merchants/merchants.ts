import type { MerchantStanding } from "../../kernel/merchant-standing.ts";
import { type Db, type Sql, statement, type Tx } from "../client.ts";
import { standingOf } from "./standing.ts";

/** @returns display names of the registered merchants among `ids`; unknown ids are left out. */
export const listMerchantNames = async (
  db: Pick<Db, "prisma">,
  ids: readonly string[],
): Promise<Map<string, string>> => {
  if (ids.length === 0) return new Map();
  const rows = await db.prisma.merchant.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, displayName: true },
  });
  return new Map(rows.map((row) => [row.id, row.displayName]));
};

export type NewMerchant = {
  id: string;
  displayName: string;
  legalName: string;
  mcc: string;
  processor: string;
  processorAccount: string;
  /** whether it belongs to the status page's probes */
  isProbe?: boolean;
  createdAt: Date;
};

export const insertMerchant = async (tx: Tx, merchant: NewMerchant): Promise<void> => {
  await tx.merchant.create({ data: merchant });
};

/** The first merchants by name, without the merchant of the status page's probes. */
export const findMerchants = (db: Pick<Db, "prisma">, limit: number): Promise<{ id: string; displayName: string }[]> =>
  db.prisma.merchant.findMany({
    where: { isProbe: false },
    select: { id: true, displayName: true },
    orderBy: { displayName: "asc" },
    take: limit,
  });

/** A merchant as shown to operators. */
export type MerchantRow = Omit<NewMerchant, "isProbe"> & {
  standing: MerchantStanding;
  suspendedAt: Date | null;
  review: "pending" | "approved" | "declined";
  reviewReason: string | null;
  country: string | null;
  websiteUri: string | null;
  currency: string | null;
  timeZone: string | null;
  statementDescriptor: string | null;
};

const columns = `m.id, m.display_name AS "displayName", m.legal_name AS "legalName", m.mcc, m.processor,
  m.processor_account AS "processorAccount", m.suspended_at AS "suspendedAt", m.created_at AS "createdAt",
  ${standingOf("m")} AS standing, m.review::text AS review, m.review_reason AS "reviewReason", m.country,
  m.website_uri AS "websiteUri", m.currency, m.time_zone AS "timeZone",
  m.statement_descriptor AS "statementDescriptor"`;

const list = statement<MerchantRow>(
  "list_merchants_for_operator",
  `SELECT ${columns} FROM merchant m
    WHERE NOT m.is_probe
      AND ($1::text IS NULL OR m.id = $1 OR strpos(lower(m.display_name), lower($1)) > 0
           OR strpos(lower(m.legal_name), lower($1)) > 0)
      AND ($2::text IS NULL OR ${standingOf("m")} = $2)
      AND ($3::text IS NULL OR (m.display_name, m.id) > (SELECT a.display_name, a.id FROM merchant a WHERE a.id = $3))
    ORDER BY m.display_name, m.id LIMIT $4::int`,
);

/**
 * Merchants sorted by name. Returns `limit` + 1 if there are more. @param search an id, or a part of one of the names.
 */
export const findMerchantPage = (
  sql: Sql,
  page: { search: string | null; standing: MerchantStanding | null; startingAfter: string | null; limit: number },
): Promise<MerchantRow[]> => sql.query(list, [page.search, page.standing, page.startingAfter, page.limit + 1]);

const find = statement<MerchantRow>(
  "find_merchant",
  `SELECT ${columns} FROM merchant m WHERE m.id = $1 AND NOT m.is_probe`,
);

export const findMerchant = async (sql: Sql, id: string): Promise<MerchantRow | null> =>
  (await sql.query(find, [id]))[0] ?? null;

const lock = statement<MerchantRow>(
  "lock_merchant",
  `SELECT ${columns} FROM merchant m WHERE m.id = $1 AND NOT m.is_probe FOR NO KEY UPDATE`,
);

/** One transaction at a time has this lock. Charges don't wait for it, because they only reference the merchant. */
export const lockMerchant = async (sql: Sql, id: string): Promise<MerchantRow | null> =>
  (await sql.query(lock, [id]))[0] ?? null;

const setSuspended = statement<never>(
  "set_merchant_suspended",
  "UPDATE merchant SET suspended_at = $2::timestamptz WHERE id = $1",
);

export const updateMerchantSuspended = async (sql: Sql, id: string, suspendedAt: Date | null): Promise<void> => {
  await sql.query(setSuspended, [id, suspendedAt]);
};

const setCategory = statement<never>("set_merchant_category", "UPDATE merchant SET mcc = $2 WHERE id = $1");

export const updateMerchantCategory = async (sql: Sql, id: string, mcc: string): Promise<void> => {
  await sql.query(setCategory, [id, mcc]);
};
