import type { OperatorRole } from "../../accounts/rules/operator-actions.ts";
import { type Sql, statement } from "../client.ts";

export type InvitationRow = {
  id: string;
  email: string;
  role: OperatorRole;
  new_account_id: string;
  invited_by: string;
  created_at: Date;
  expires_at: Date;
};

const columns = "id, email, role, new_account_id, invited_by, created_at, expires_at";
const isOpen = "accepted_at IS NULL AND revoked_at IS NULL";

const upsert = statement<{ id: string; is_new: boolean }>(
  "upsert_operator_invitation",
  `INSERT INTO operator_invitation (id, email, role, secret_hash, new_account_id, invited_by, created_at, expires_at)
   VALUES ($1, $2, $3::operator_role, $4, $5, $6, $7::timestamptz, $8::timestamptz)
   ON CONFLICT (email) WHERE ${isOpen} DO UPDATE
      SET role = excluded.role, secret_hash = excluded.secret_hash, new_account_id = excluded.new_account_id,
          invited_by = excluded.invited_by, created_at = excluded.created_at, expires_at = excluded.expires_at
   RETURNING id, id = $1 AS is_new`,
);

type NewInvitation = {
  id: string;
  email: string;
  role: OperatorRole;
  secretHash: string;
  newAccountId: string;
  invitedBy: string;
  now: Date;
  expiresAt: Date;
};

/** An address has one open link: a new one replaces it. */
export const upsertInvitation = async (sql: Sql, one: NewInvitation): Promise<{ id: string; isNew: boolean }> => {
  const { id, email, role, secretHash, newAccountId, invitedBy, now, expiresAt } = one;
  const [row] = await sql.query(upsert, [id, email, role, secretHash, newAccountId, invitedBy, now, expiresAt]);
  return { id: row?.id ?? id, isNew: row?.is_new ?? true };
};

const findRole = statement<{ role: OperatorRole }>(
  "find_invited_role",
  `SELECT role::text AS role FROM operator_invitation WHERE email = $1 AND ${isOpen}`,
);

/** The role of the address's open invitation, even if its link has expired. */
export const findInvitedRole = async (sql: Sql, email: string): Promise<OperatorRole | null> =>
  (await sql.query(findRole, [email]))[0]?.role ?? null;

const findOpen = statement<InvitationRow>(
  "find_operator_invitation",
  `SELECT ${columns} FROM operator_invitation
    WHERE secret_hash = $1 AND ${isOpen} AND expires_at > $2::timestamptz`,
);

export const findInvitationBySecret = async (sql: Sql, secretHash: string, now: Date): Promise<InvitationRow | null> =>
  (await sql.query(findOpen, [secretHash, now]))[0] ?? null;

const consume = statement<InvitationRow>(
  "consume_operator_invitation",
  `UPDATE operator_invitation SET accepted_at = $2::timestamptz
    WHERE secret_hash = $1 AND ${isOpen} AND expires_at > $2::timestamptz
   RETURNING ${columns}`,
);

/** At most one caller per link gets the invitation; every other gets null. */
export const consumeInvitation = async (sql: Sql, secretHash: string, now: Date): Promise<InvitationRow | null> =>
  (await sql.query(consume, [secretHash, now]))[0] ?? null;

const revoke = statement<{ id: string }>(
  "revoke_operator_invitation",
  `UPDATE operator_invitation SET revoked_at = $2::timestamptz WHERE (email = $1 OR new_account_id = $3) AND ${isOpen}
   RETURNING id`,
);

/**
 * Revokes the invitation of an address, and the link that resets the second factor of an account, which may have had
 * another address when the link was made. @returns the ids
 */
export const revokeInvitationsOf = async (
  sql: Sql,
  { email, accountId, now }: { email: string; accountId: string | null; now: Date },
): Promise<string[]> => (await sql.query(revoke, [email, now, accountId])).map(({ id }) => id);

const revokeBy = statement<{ id: string }>(
  "revoke_operator_invitations_by",
  `UPDATE operator_invitation SET revoked_at = $2::timestamptz WHERE invited_by = $1 AND ${isOpen} RETURNING id`,
);

/** Revokes the open links that an operator made. @returns the ids of the invitations. */
export const revokeInvitationsBy = async (sql: Sql, invitedBy: string, now: Date): Promise<string[]> =>
  (await sql.query(revokeBy, [invitedBy, now])).map(({ id }) => id);

const selectOpen = statement<InvitationRow>(
  "select_operator_invitations",
  `SELECT ${columns} FROM operator_invitation i
    WHERE ${isOpen} AND expires_at > $1::timestamptz
      AND NOT EXISTS (SELECT FROM account a WHERE a.email = i.email AND a.operator_role IS NOT NULL)
      AND NOT EXISTS (SELECT FROM account a WHERE a.id = i.new_account_id)
    ORDER BY email`,
);

/** Open invitations by address. Links that reset an operator's second factor are not included. */
export const findOpenInvitations = (sql: Sql, now: Date): Promise<InvitationRow[]> => sql.query(selectOpen, [now]);
