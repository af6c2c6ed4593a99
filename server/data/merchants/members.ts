import type { MerchantStanding } from "../../kernel/merchant-standing.ts";
import { type Db, type Sql, statement } from "../client.ts";
import { standingOf } from "./standing.ts";

const managers = statement<{ email: string }>(
  "list_merchant_managers",
  `SELECT a.email FROM merchant_member m JOIN account a ON a.id = m.account_id
    WHERE m.merchant_id = $1 AND m.role IN ('owner', 'admin') ORDER BY 1`,
);

/** @returns e-mail addresses of the owners and admins, who are notified. */
export const listMerchantManagers = async (sql: Sql, id: string): Promise<string[]> =>
  (await sql.query(managers, [id])).map(({ email }) => email);

export type MemberRole = "owner" | "admin" | "developer" | "viewer";

export const selectMemberRole = async (
  db: Pick<Db, "prisma">,
  { merchantId, accountId }: { merchantId: string; accountId: string },
): Promise<MemberRole | null> => {
  const where = { merchantId_accountId: { merchantId, accountId } };
  return (await db.prisma.merchantMember.findUnique({ where, select: { role: true } }))?.role ?? null;
};

export type MembershipRow = { merchantId: string; name: string; role: MemberRole; standing: MerchantStanding };

const memberships = statement<MembershipRow>(
  "list_memberships_of_account",
  `SELECT m.id AS "merchantId", m.display_name AS name, r.role::text AS role, ${standingOf("m")} AS standing
     FROM merchant_member r JOIN merchant m ON m.id = r.merchant_id
    WHERE r.account_id = $1 ORDER BY m.display_name, m.id LIMIT 100`,
);

/** By the merchant's name. */
export const listMembershipsOfAccount = ({ sql }: Pick<Db, "sql">, accountId: string): Promise<MembershipRow[]> =>
  sql.query(memberships, [accountId]);

const insert = statement<{ merchantId: string }>(
  "insert_merchant_member",
  `INSERT INTO merchant_member (merchant_id, account_id, role, created_at) VALUES ($1, $2, $3::merchant_role, $4::timestamptz)
   ON CONFLICT DO NOTHING RETURNING merchant_id AS "merchantId"`,
);

/** @returns false if the account is a member already. */
export const insertMember = async (
  sql: Sql,
  { merchantId, accountId, role, at }: { merchantId: string; accountId: string; role: MemberRole; at: Date },
): Promise<boolean> => (await sql.query(insert, [merchantId, accountId, role, at])).length === 1;
