import type { OperatorRole } from "../../accounts/rules/operator-actions.ts";
import { type Sql, type SqlValue, statement } from "../client.ts";

export type PayerState = "active" | "deleting" | "deleted";

/** An account in the operators' list. */
export type FoundPayer = { id: string; email: string; displayName: string; state: PayerState; createdAt: Date };

const state = `CASE WHEN a.deleted_at IS NOT NULL THEN 'deleted' WHEN a.deletion_requested_at IS NOT NULL THEN 'deleting'
  ELSE 'active' END`;
const columns = `a.id, a.email, a.display_name AS "displayName", ${state} AS state, a.created_at AS "createdAt"`;

/** The same conditions as in the partial indexes of migration `operator_console`. */
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

const byEmail = `lower(a.email) COLLATE "C"`;
const byName = `lower(a.display_name) COLLATE "C"`;
/** Texts with the same prefix are adjacent in an index that compares bytes. */
const startsWithText = (expression: string): string =>
  `${expression} >= lower($1) AND ${expression} < lower($1) || chr(1114111)`;

const search = (stateName: PayerState | null) => {
  const condition = stateName === null ? "" : `AND ${stateConditions[stateName]}`;
  return statement<FoundPayer>(
    `search_payers:${stateName ?? "all"}`,
    `WITH last AS (
       SELECT ${byEmail} AS email, ${byName} AS name, a.id, (${startsWithText(byEmail)}) AS "isByEmail" FROM account a WHERE a.id = $2
     ), found AS (
       (SELECT 0 AS part, ${byEmail} AS key, ${columns} FROM account a
         WHERE ${startsWithText(byEmail)} AND NOT a.is_probe ${condition}
           AND ($2::text IS NULL OR (SELECT l."isByEmail" FROM last l))
           AND ${byEmail} > coalesce((SELECT l.email FROM last l), '')
         ORDER BY ${byEmail} LIMIT $3::int)
       UNION ALL
       (SELECT 1 AS part, ${byName} AS key, ${columns} FROM account a
         WHERE ${startsWithText(byName)} AND NOT (${startsWithText(byEmail)}) AND NOT a.is_probe ${condition}
           AND (${byName}, a.id) > (coalesce((SELECT l.name FROM last l WHERE NOT l."isByEmail"), ''),
                                    coalesce((SELECT l.id FROM last l WHERE NOT l."isByEmail"), ''))
         ORDER BY ${byName}, a.id LIMIT $3::int)
     )
     SELECT id, email, "displayName", state, "createdAt" FROM found ORDER BY part, key, id LIMIT $3::int`,
  );
};

/**
 * Accounts whose e-mail address or name starts with the text: first the matches by address, then those by name. The
 * cursor is the id of the last account of the previous page. Returns `limit` + 1 rows if there are more.
 */
export const searchPayerPage = (sql: Sql, page: Page & { text: string }): Promise<FoundPayer[]> =>
  sql.query(search(page.state), [page.text, page.startingAfter, page.limit + 1]);

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
