import type { MerchantRole } from "../../accounts/rules/merchant-actions.ts";
import type { MerchantStanding } from "../../kernel/merchant-standing.ts";
import { type Db, type Sql, statement } from "../client.ts";
import type { MailAddressee } from "../mail/recipients.ts";
import { standingOf } from "./standing.ts";

const managers = statement<MailAddressee>(
  "list_merchant_managers",
  `SELECT a.email, a.time_zone AS "timeZone" FROM merchant_member m JOIN account a ON a.id = m.account_id
    WHERE m.merchant_id = $1 AND m.role IN ('owner', 'admin') ORDER BY 1`,
);

/** The owners and admins, who are notified. */
export const listMerchantManagers = (sql: Sql, id: string): Promise<MailAddressee[]> => sql.query(managers, [id]);

export type MemberRole = MerchantRole;

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
    WHERE r.account_id = $1 ORDER BY m.display_name, m.id LIMIT 1000`,
);

/** An account's memberships, at most 1,000, sorted by the merchant's name. */
export const listMembershipsOfAccount = ({ sql }: Pick<Db, "sql">, accountId: string): Promise<MembershipRow[]> =>
  sql.query(memberships, [accountId]);

const insert = statement<{ merchantId: string }>(
  "insert_merchant_member",
  `INSERT INTO merchant_member (merchant_id, account_id, role, created_at) VALUES ($1, $2, $3::merchant_role, $4::timestamptz)
   ON CONFLICT DO NOTHING RETURNING merchant_id AS "merchantId"`,
);

/** @returns false if the account is already a member. */
export const insertMember = async (
  sql: Sql,
  { merchantId, accountId, role, at }: { merchantId: string; accountId: string; role: MemberRole; at: Date },
): Promise<boolean> => (await sql.query(insert, [merchantId, accountId, role, at])).length === 1;

export type TeamMember = {
  accountId: string;
  name: string;
  email: string;
  timeZone: string;
  role: MemberRole;
  /** can't leave the team, because a merchant needs an owner */
  isOnlyOwner: boolean;
  since: Date;
};

const memberColumns = `r.account_id AS "accountId", a.display_name AS name, a.email,
  a.time_zone AS "timeZone", r.role::text AS role, r.created_at AS since, r.role = 'owner' AND NOT EXISTS (
    SELECT FROM merchant_member o WHERE o.merchant_id = r.merchant_id AND o.role = 'owner' AND o.account_id <> r.account_id
  ) AS "isOnlyOwner"`;

// If the member `startingAfter` has left the team, the statement returns the first page.
const team = statement<TeamMember>(
  "list_merchant_team",
  `SELECT ${memberColumns} FROM merchant_member r JOIN account a ON a.id = r.account_id
    WHERE r.merchant_id = $1
      AND ($2::text IS NULL OR strpos(lower(a.display_name), lower($2)) > 0 OR strpos(lower(a.email), lower($2)) > 0)
      AND coalesce((r.role, a.display_name, a.id) > (SELECT s.role, b.display_name, b.id
            FROM merchant_member s JOIN account b ON b.id = s.account_id
           WHERE s.merchant_id = $1 AND s.account_id = $3), true)
    ORDER BY r.role, a.display_name, a.id LIMIT $4::int + 1`,
);

type TeamPage = {
  merchantId: string;
  /** a part of the name or of the e-mail address; null: all members */
  search: string | null;
  /** the last account of the previous page; null: the first page */
  startingAfter: string | null;
  limit: number;
};

/** Owners first, then by name. @returns one member more than `limit` if there are more. */
export const listTeam = (sql: Sql, { merchantId, search, startingAfter, limit }: TeamPage): Promise<TeamMember[]> =>
  sql.query(team, [merchantId, search, startingAfter, limit]);

const oneMember = statement<TeamMember>(
  "find_merchant_member",
  `SELECT ${memberColumns} FROM merchant_member r JOIN account a ON a.id = r.account_id
    WHERE r.merchant_id = $1 AND r.account_id = $2`,
);

export const findMember = async (sql: Sql, merchantId: string, accountId: string): Promise<TeamMember | null> =>
  (await sql.query(oneMember, [merchantId, accountId]))[0] ?? null;

const isMember = statement<{ id: string }>(
  "find_merchant_member_by_email",
  `SELECT a.id FROM account a JOIN merchant_member r ON r.account_id = a.id WHERE a.email = $2 AND r.merchant_id = $1`,
);

export const hasMemberWithEmail = async (sql: Sql, merchantId: string, email: string): Promise<boolean> =>
  (await sql.query(isMember, [merchantId, email])).length === 1;

// Waits for concurrent changes of the owners, and then counts the remaining owners.
const otherOwners = `owners AS (
     SELECT account_id FROM merchant_member WHERE merchant_id = $1 AND role = 'owner' ORDER BY account_id FOR UPDATE
   ), others AS (SELECT count(*) AS count FROM owners WHERE account_id <> $2)`;

const setRole = statement<{ id: string }>(
  "set_merchant_member_role",
  `WITH ${otherOwners}
   UPDATE merchant_member r SET role = $4::merchant_role FROM others
    WHERE r.merchant_id = $1 AND r.account_id = $2 AND r.role = $3::merchant_role
      AND (r.role <> 'owner' OR $4::merchant_role = 'owner' OR others.count > 0)
   RETURNING r.account_id AS id`,
);

/** Never changes the role of the last owner. @returns false if nothing changed. */
export const updateMemberRole = async (
  sql: Sql,
  change: { merchantId: string; accountId: string; from: MemberRole; to: MemberRole },
): Promise<boolean> =>
  (await sql.query(setRole, [change.merchantId, change.accountId, change.from, change.to])).length === 1;

const remove = statement<{ id: string }>(
  "delete_merchant_member",
  `WITH ${otherOwners}
   DELETE FROM merchant_member r USING others
    WHERE r.merchant_id = $1 AND r.account_id = $2 AND r.role = $3::merchant_role
      AND (r.role <> 'owner' OR others.count > 0)
   RETURNING r.account_id AS id`,
);

/** Never removes the last owner. @returns false if nothing changed. */
export const deleteMember = async (
  sql: Sql,
  member: { merchantId: string; accountId: string; role: MemberRole },
): Promise<boolean> => (await sql.query(remove, [member.merchantId, member.accountId, member.role])).length === 1;
