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
