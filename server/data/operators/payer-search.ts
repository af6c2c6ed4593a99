import type { OperatorRole } from "../../accounts/rules/operator-actions.ts";
import { type Sql, type SqlValue, statement } from "../client.ts";

export type PayerState = "active" | "deleting" | "deleted";

/** An account in the operators' list. */
export type FoundPayer = { id: string; email: string; displayName: string; state: PayerState; createdAt: Date };

const state = `CASE WHEN a.deleted_at IS NOT NULL THEN 'deleted' WHEN a.deletion_requested_at IS NOT NULL THEN 'deleting'
  ELSE 'active' END`;
const columns = `a.id, a.email, a.display_name AS "displayName", ${state} AS state, a.created_at AS "createdAt"`;

/** The conditions must be the same as in the partial indexes of migration `operator_console`. */
const stateConditions: Readonly<Record<PayerState, string>> = {
  active: "a.deletion_requested_at IS NULL AND a.deleted_at IS NULL",
  deleting: "a.deletion_requested_at IS NOT NULL AND a.deleted_at IS NULL",
  deleted: "a.deleted_at IS NOT NULL",
};

type Page = { state: PayerState | null; startingAfter: string | null; limit: number };

/** Newest first; `limit` + 1 rows if there are more. */
export const findPayerPage = (sql: Sql, page: Page): Promise<FoundPayer[]> => {
  const conditions = ["NOT a.is_probe", ...(page.state === null ? [] : [stateConditions[page.state]])];
  const values: SqlValue[] = [page.limit + 1];
  if (page.startingAfter !== null) {
    values.push(page.startingAfter);
    conditions.push("(a.created_at, a.id) < (SELECT l.created_at, l.id FROM account l WHERE l.id = $2)");
  }
  const name = `list_payers:${page.state ?? "all"}${page.startingAfter === null ? "" : ",after"}`;
  const text = `SELECT ${columns} FROM account a WHERE ${conditions.join(" AND ")}
    ORDER BY a.created_at DESC, a.id DESC LIMIT $1::int`;
  return sql.query(statement<FoundPayer>(name, text), values);
};

const findById = statement<FoundPayer>(
  "find_payer",
  `SELECT ${columns} FROM account a WHERE a.id = $1 AND NOT a.is_probe`,
);

export const findPayerById = async (sql: Sql, id: string): Promise<FoundPayer | null> =>
  (await sql.query(findById, [id]))[0] ?? null;

const keys = { email: `lower(a.email) COLLATE "C"`, name: `lower(a.display_name) COLLATE "C"` } as const;
/** The columns of the index that has the accounts in the order of the key. */
const orders = { email: [keys.email], name: [keys.name, "a.id"] } as const;
/** Texts with the same prefix are adjacent in an index that compares bytes. */
const startsWithText = (expression: string): string =>
  `${expression} >= lower($1) AND ${expression} < lower($1) || chr(1114111)`;

/** A search of one kind reads at most this many accounts. The next page continues after them. */
const maxScanned = 1_000;

type PayerSearch = {
  /** the field that starts with the text; `name` leaves out accounts whose address also starts with the text */
  by: "email" | "name";
  text: string;
  state: PayerState | null;
  /** id of the account after which to continue; null: from the first one */
  after: string | null;
  limit: number;
};

/**
 * `scan` is read only as far as needed: to the last row that is found, or to its end. Its limit is a parameter, so that
 * PostgreSQL expects few rows and reads them in the order of the index, even in a generic plan.
 */
const search = ({ by, state: stateName, after }: PayerSearch) => {
  const matches = ["NOT a.is_probe", ...(stateName === null ? [] : [stateConditions[stateName]])];
  if (by === "name") matches.push(`NOT (${startsWithText(keys.email)})`);
  const order = orders[by].join(", ");
  const last = `SELECT ${order.replaceAll("a.", "l.")} FROM account l WHERE l.id = $4`;
  return statement<FoundPayer & { edge: string | null }>(
    `search_payers:${by},${stateName ?? "all"}${after === null ? "" : ",after"}`,
    `WITH scan AS (
       SELECT ${columns}, ${keys[by]} AS key, (${matches.join(" AND ")}) AS "isMatch" FROM account a
        WHERE ${startsWithText(keys[by])}${after === null ? "" : ` AND (${order}) > (${last})`}
        ORDER BY ${order} LIMIT $3::int
     ), found AS (SELECT * FROM scan WHERE "isMatch" LIMIT $2::int)
     SELECT f.id, f.email, f."displayName", f.state, f."createdAt",
            CASE WHEN (SELECT count(*) FROM found) < $2::int THEN (SELECT id FROM scan OFFSET $3::int - 1 LIMIT 1) END AS edge
       FROM (SELECT 1) one LEFT JOIN found f ON true ORDER BY f.key, f.id`,
  );
};

export type FoundPayers = {
  /** in the order of the text, at most `limit` */
  payers: FoundPayer[];
  /**
   * where to continue: after the account `after`, or at the first account if `after` is null. Null: there are no more
   * accounts
   */
  next: { after: string | null } | null;
};

/** Accounts whose e-mail address or name starts with the text. */
export const searchPayerPage = async (sql: Sql, query: PayerSearch): Promise<FoundPayers> => {
  const { text, after, limit } = query;
  const values = [text, limit + 1, maxScanned, ...(after === null ? [] : [after])];
  const rows = await sql.query(search(query), values);
  const edge = rows[0]?.edge ?? null;
  const found = rows.filter(({ id }) => id !== null).map(({ edge: _, ...payer }) => payer);
  const payers = found.slice(0, limit);
  if (found.length > limit) return { payers, next: { after: payers.at(-1)?.id ?? after } };
  return { payers, next: edge === null ? null : { after: edge } };
};

const byEmail = statement<{ id: string }>(
  "find_payer_ids_by_email",
  `SELECT a.id FROM account a WHERE ${startsWithText(keys.email)} ORDER BY ${keys.email} LIMIT $2::int`,
);

/** Accounts whose e-mail address starts with the text, in the order of their addresses. */
export const findPayerIdsByEmail = async (sql: Sql, text: string, limit: number): Promise<string[]> =>
  (await sql.query(byEmail, [text, limit])).map(({ id }) => id);

export type PayerFacts = FoundPayer & {
  emailVerifiedAt: Date | null;
  locale: string;
  timeZone: string;
  hasPassword: boolean;
  hasTotp: boolean;
  passkeys: number;
  /** not used yet */
  recoveryCodes: number;
  liveSessions: number;
  lastSignInAt: Date | null;
  operatorRole: OperatorRole | null;
  isDemo: boolean;
  deletionRequestedAt: Date | null;
  deletedAt: Date | null;
};

const facts = statement<PayerFacts>(
  "find_payer_facts",
  `SELECT ${columns}, a.email_verified_at AS "emailVerifiedAt", a.locale, a.time_zone AS "timeZone",
     a.password_hash IS NOT NULL AS "hasPassword",
     EXISTS (SELECT FROM account_totp t WHERE t.account_id = a.id AND t.confirmed_at IS NOT NULL) AS "hasTotp",
     (SELECT count(*)::int FROM passkey p WHERE p.account_id = a.id) AS passkeys,
     (SELECT count(*)::int FROM recovery_code r WHERE r.account_id = a.id AND r.used_at IS NULL) AS "recoveryCodes",
     (SELECT count(*)::int FROM session s
       WHERE s.account_id = a.id AND s.revoked_at IS NULL AND s.expires_at > $2::timestamptz) AS "liveSessions",
     (SELECT max(s.created_at) FROM session s WHERE s.account_id = a.id) AS "lastSignInAt",
     a.operator_role::text AS "operatorRole", a.is_demo AS "isDemo", a.deletion_requested_at AS "deletionRequestedAt",
     a.deleted_at AS "deletedAt"
   FROM account a WHERE a.id = $1 AND NOT a.is_probe`,
);

/** Facts about an account, without secrets. @param now to count its live sessions */
export const findPayerFacts = async (sql: Sql, id: string, now: Date): Promise<PayerFacts | null> =>
  (await sql.query(facts, [id, now]))[0] ?? null;
