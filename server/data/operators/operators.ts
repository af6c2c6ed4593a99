import type { OperatorRole } from "../../accounts/rules/operator-actions.ts";
import { type Db, type Sql, statement } from "../client.ts";

/** @returns null if the account isn't an operator or doesn't exist. */
export const findOperatorRole = async (db: Db, accountId: string): Promise<OperatorRole | null> =>
  (await db.prisma.account.findUnique({ where: { id: accountId }, select: { operatorRole: true } }))?.operatorRole ??
  null;

const findOperatorEmails = statement<{ email: string }>(
  "find_operator_emails",
  "SELECT email FROM account WHERE operator_role IS NOT NULL ORDER BY id",
);

export const listOperatorEmails = async (sql: Sql): Promise<string[]> =>
  (await sql.query(findOperatorEmails, [])).map(({ email }) => email);

/** Also sets `is_operator`, which web nodes of an earlier version read. */
const setRole = statement<{ id: string }>(
  "set_operator_role",
  `WITH admins AS (
     SELECT id FROM account WHERE operator_role = 'admin' AND (NOT is_demo OR $3::boolean) ORDER BY id FOR UPDATE
   )
   UPDATE account SET operator_role = $2::operator_role, is_operator = $2::operator_role IS NOT NULL
    WHERE id = $1 AND operator_role IS NOT NULL
      AND ($2::operator_role IS NOT DISTINCT FROM 'admin' OR (SELECT count(*) FROM admins WHERE id <> $1) > 0
           OR operator_role <> 'admin')
   RETURNING id`,
);

/**
 * Gives an operator another role; null removes the operator. One statement locks all admins: if two admins remove each
 * other at the same time, one of them remains.
 * @param hasDemo whether demo operators can sign in, so that they count as admins
 * @returns false if the account isn't an operator or is the last admin.
 */
export const setOperatorRole = async (
  sql: Sql,
  { accountId, role, hasDemo }: { accountId: string; role: OperatorRole | null; hasDemo: boolean },
): Promise<boolean> => (await sql.query(setRole, [accountId, role, hasDemo])).length === 1;

const formerAdmin = statement<{ id: string }>(
  "find_former_admin",
  `WITH admins AS (SELECT id FROM account WHERE operator_role = 'admin' ORDER BY id FOR UPDATE)
   SELECT a.id FROM account a WHERE a.id = $1 AND NOT EXISTS (SELECT FROM admins WHERE admins.id = a.id)`,
);

/**
 * Until the end of the transaction, the role of an admin doesn't change.
 * @returns whether the account exists and isn't an admin; false for the command line, whose id isn't an account
 */
export const isNoAdmin = async (sql: Sql, accountId: string): Promise<boolean> =>
  (await sql.query(formerAdmin, [accountId])).length === 1;

const grantRole = statement<{ operator_role: OperatorRole; is_new: boolean }>(
  "grant_operator_role",
  `WITH before AS (SELECT id, operator_role FROM account WHERE id = $1 FOR UPDATE)
   UPDATE account a SET operator_role = coalesce(a.operator_role, $2::operator_role), is_operator = true
     FROM before WHERE a.id = before.id
   RETURNING a.operator_role, before.operator_role IS NULL AS is_new`,
);

/**
 * Makes an account an operator. An account that is an operator already keeps its role.
 * @returns `isNew`: the account wasn't an operator before; null if there is no such account.
 */
export const grantOperatorRole = async (
  sql: Sql,
  { accountId, role }: { accountId: string; role: OperatorRole },
): Promise<{ role: OperatorRole; isNew: boolean } | null> => {
  const [row] = await sql.query(grantRole, [accountId, role]);
  return row ? { role: row.operator_role, isNew: row.is_new } : null;
};

export type OperatorRow = {
  id: string;
  email: string;
  display_name: string;
  role: OperatorRole;
  created_at: Date;
  /** null: neither a session nor a sign-in of the last 90 days */
  last_sign_in_at: Date | null;
  passkeys: number;
  has_totp: boolean;
};

// If there is no account `startingAfter`, the statement returns the first page.
const selectOperators = statement<OperatorRow>(
  "select_operators",
  `SELECT a.id, a.email, a.display_name, a.operator_role AS role, a.created_at,
          greatest((SELECT max(s.created_at) FROM session s WHERE s.account_id = a.id),
            (SELECT max(e.at) FROM sign_in_event e WHERE e.account_id = a.id AND e.outcome IN ('signed_in', 'recovery_code', 'reset')))
            AS last_sign_in_at,
          (SELECT count(*) FROM passkey p WHERE p.account_id = a.id)::int AS passkeys,
          EXISTS (SELECT FROM account_totp t WHERE t.account_id = a.id AND t.confirmed_at IS NOT NULL) AS has_totp
     FROM account a
    WHERE a.operator_role IS NOT NULL
      AND ($3::text IS NULL OR strpos(lower(a.display_name), lower($3)) > 0 OR strpos(lower(a.email), lower($3)) > 0)
      AND coalesce((a.email, a.id) > (SELECT b.email, b.id FROM account b WHERE b.id = $1), true)
    ORDER BY a.email, a.id LIMIT $2::int + 1`,
);

type OperatorPage = {
  /** a part of the name or of the e-mail address; null: all operators */
  search: string | null;
  /** the last account of the previous page; null: the first page */
  startingAfter: string | null;
  /** null: all operators */
  limit: number | null;
};

/** By address. @returns one operator more than `limit` if there are more. */
export const findOperators = (sql: Sql, { search, startingAfter, limit }: OperatorPage): Promise<OperatorRow[]> =>
  sql.query(selectOperators, [startingAfter, limit, search]);
