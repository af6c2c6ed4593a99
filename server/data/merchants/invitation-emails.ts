import { type Sql, statement } from "../client.ts";

const take = statement<{ merchantId: string }>(
  "take_merchant_invitation_email",
  `INSERT INTO merchant_invitation_email (token_hash, merchant_id, sent_at)
   SELECT $2, $1, $3::timestamptz
    WHERE (SELECT count(*) FROM merchant_invitation_email WHERE merchant_id = $1 AND sent_at > $4::timestamptz) < $5::int
   RETURNING merchant_id AS "merchantId"`,
);

/**
 * Counts an e-mail with the link of an invitation. Call it in a transaction that locked the merchant: otherwise,
 * concurrent e-mails could exceed `limit`.
 * @returns false, and counts nothing, if `limit` e-mails were sent after `since`.
 */
export const takeInvitationEmail = async (
  sql: Sql,
  email: { merchantId: string; tokenHash: string; at: Date; since: Date; limit: number },
): Promise<boolean> => {
  const { merchantId, tokenHash, at, since, limit } = email;
  return (await sql.query(take, [merchantId, tokenHash, at, since, limit])).length === 1;
};
