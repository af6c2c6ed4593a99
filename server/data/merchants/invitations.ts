import { type Sql, statement } from "../client.ts";
import type { MemberRole } from "./members.ts";

export type InvitationRow = {
  id: string;
  email: string;
  role: MemberRole;
  sentAt: Date;
  expiresAt: Date;
};

const open = "accepted_at IS NULL AND cancelled_at IS NULL";
const columns = `i.id, i.email, i.role::text AS role, i.sent_at AS "sentAt", i.expires_at AS "expiresAt"`;

const list = statement<InvitationRow>(
  "list_merchant_invitations",
  `SELECT ${columns} FROM merchant_invitation i WHERE i.merchant_id = $1 AND ${open}
    ORDER BY i.created_at DESC, i.id LIMIT 100`,
);

/** Open invitations, newest first. An expired one is open until it is canceled or replaced. */
export const listOpenInvitations = (sql: Sql, merchantId: string): Promise<InvitationRow[]> =>
  sql.query(list, [merchantId]);

const count = statement<{ count: number }>(
  "count_open_merchant_invitations",
  `SELECT count(*)::int AS count FROM merchant_invitation WHERE merchant_id = $1 AND ${open}`,
);

export const countOpenInvitations = async (sql: Sql, merchantId: string): Promise<number> =>
  (await sql.query(count, [merchantId]))[0]?.count ?? 0;

export type NewInvitation = {
  id: string;
  merchantId: string;
  email: string;
  role: MemberRole;
  tokenHash: string;
  invitedBy: string;
  at: Date;
  expiresAt: Date;
};

const insert = statement<{ id: string }>(
  "insert_merchant_invitation",
  `INSERT INTO merchant_invitation (id, merchant_id, email, role, token_hash, invited_by, created_at, sent_at, expires_at)
   VALUES ($1, $2, $3, $4::merchant_role, $5, $6, $7::timestamptz, $7::timestamptz, $8::timestamptz)
   ON CONFLICT (merchant_id, email) WHERE ${open} DO UPDATE
     SET role = excluded.role, token_hash = excluded.token_hash, invited_by = excluded.invited_by,
         sent_at = excluded.sent_at, expires_at = excluded.expires_at
   WHERE merchant_invitation.expires_at <= $7::timestamptz
   RETURNING id`,
);

/** Inserts an invitation, or replaces an expired one. @returns its id; null if the address has a valid invitation. */
export const insertMerchantInvitation = async (sql: Sql, invitation: NewInvitation): Promise<string | null> => {
  const { id, merchantId, email, role, tokenHash, invitedBy, at, expiresAt } = invitation;
  const [row] = await sql.query(insert, [id, merchantId, email, role, tokenHash, invitedBy, at, expiresAt]);
  return row?.id ?? null;
};

const renew = statement<InvitationRow>(
  "renew_merchant_invitation",
  `WITH old AS (
     SELECT id, token_hash FROM merchant_invitation
      WHERE id = $1 AND merchant_id = $2 AND ${open} AND sent_at <= $6::timestamptz
        AND (resends < $7::int OR resends_since <= $8::timestamptz) FOR UPDATE
   ), gone AS (DELETE FROM sign_up_invitation WHERE token_hash IN (SELECT token_hash FROM old))
   UPDATE merchant_invitation i SET token_hash = $3, invited_by = $9, sent_at = $4::timestamptz, expires_at = $5::timestamptz,
     resends = CASE WHEN i.resends_since > $8::timestamptz THEN i.resends + 1 ELSE 1 END,
     resends_since = CASE WHEN i.resends_since > $8::timestamptz THEN i.resends_since ELSE $4::timestamptz END
     FROM old WHERE i.id = old.id RETURNING ${columns}`,
);

type Renewal = {
  id: string;
  merchantId: string;
  tokenHash: string;
  at: Date;
  expiresAt: Date;
  sentBefore: Date;
  maxResends: number;
  dayBefore: Date;
  /** the member who sends it again */
  invitedBy: string;
};

/**
 * Replaces the link of an open invitation that wasn't sent after `sentBefore`. The old link stops working. An
 * invitation is sent again at most `maxResends` times in 24 hours, counted from the first of these times. `dayBefore`
 * is 24 hours ago.
 * @returns null if there is no such invitation.
 */
export const renewInvitation = async (sql: Sql, renewal: Renewal): Promise<InvitationRow | null> => {
  const { id, merchantId, tokenHash, at, expiresAt, sentBefore, maxResends, dayBefore, invitedBy } = renewal;
  const values = [id, merchantId, tokenHash, at, expiresAt, sentBefore, maxResends, dayBefore, invitedBy];
  return (await sql.query(renew, values))[0] ?? null;
};

const cancel = statement<{ role: MemberRole }>(
  "cancel_merchant_invitation",
  `WITH ended AS (
     UPDATE merchant_invitation SET cancelled_at = $3::timestamptz
      WHERE id = $1 AND merchant_id = $2 AND ${open} RETURNING token_hash, role::text AS role
   ), gone AS (DELETE FROM sign_up_invitation WHERE token_hash IN (SELECT token_hash FROM ended))
   SELECT role FROM ended`,
);

/** @returns false if the merchant has no such open invitation. */
export const endInvitation = async (
  sql: Sql,
  { id, merchantId, at }: { id: string; merchantId: string; at: Date },
): Promise<boolean> => (await sql.query(cancel, [id, merchantId, at])).length === 1;

const cancelBy = statement<{ id: string }>(
  "cancel_merchant_invitations_by",
  `WITH ended AS (
     UPDATE merchant_invitation SET cancelled_at = $3::timestamptz
      WHERE merchant_id = $1 AND invited_by = $2 AND ${open} RETURNING token_hash, id
   ), gone AS (DELETE FROM sign_up_invitation WHERE token_hash IN (SELECT token_hash FROM ended))
   SELECT id FROM ended`,
);

/** Cancels the open invitations that a member sent. @returns their ids. */
export const endInvitationsBy = async (
  sql: Sql,
  { merchantId, invitedBy, at }: { merchantId: string; invitedBy: string; at: Date },
): Promise<string[]> => (await sql.query(cancelBy, [merchantId, invitedBy, at])).map(({ id }) => id);

export type FoundInvitation = {
  id: string;
  merchantId: string;
  merchantName: string;
  email: string;
  role: MemberRole;
  inviterName: string;
  expiresAt: Date;
};

const find = statement<FoundInvitation>(
  "find_merchant_invitation",
  `SELECT i.id, m.id AS "merchantId", m.display_name AS "merchantName", i.email, i.role::text AS role,
          coalesce(a.display_name, '') AS "inviterName", i.expires_at AS "expiresAt"
     FROM merchant_invitation i JOIN merchant m ON m.id = i.merchant_id LEFT JOIN account a ON a.id = i.invited_by
    WHERE i.token_hash = $1 AND i.accepted_at IS NULL AND i.cancelled_at IS NULL AND i.expires_at > $2::timestamptz`,
);

/** @returns null for an unknown, used, canceled or expired link. */
export const findUsableInvitation = async (sql: Sql, tokenHash: string, now: Date): Promise<FoundInvitation | null> =>
  (await sql.query(find, [tokenHash, now]))[0] ?? null;

const accept = statement<{ id: string; merchantId: string; role: MemberRole }>(
  "accept_merchant_invitation",
  `WITH taken AS (
     UPDATE merchant_invitation i SET accepted_at = $3::timestamptz, accepted_by = $2
       FROM account a
      WHERE i.token_hash = $1 AND i.accepted_at IS NULL AND i.cancelled_at IS NULL AND i.expires_at > $3::timestamptz
        AND a.id = $2 AND a.email = i.email
     RETURNING i.id, i.merchant_id, i.role, i.token_hash
   ), gone AS (DELETE FROM sign_up_invitation WHERE token_hash IN (SELECT token_hash FROM taken))
   SELECT id, merchant_id AS "merchantId", role::text AS role FROM taken`,
);

/**
 * At most one caller per link gets the invitation, and only with the account of the invited address. Every other caller
 * gets null.
 */
export const takeInvitation = async (
  sql: Sql,
  { tokenHash, accountId, at }: { tokenHash: string; accountId: string; at: Date },
): Promise<{ id: string; merchantId: string; role: MemberRole } | null> =>
  (await sql.query(accept, [tokenHash, accountId, at]))[0] ?? null;
