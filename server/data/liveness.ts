import { type Sql, statement } from "./client.ts";

export type Liveness = {
  clientEpoch: number | null;
  merchantId: string | null;
  merchantSuspended: boolean;
  grantEpoch: number | null;
  isDenied: boolean;
  /** its signing key was active when it signed, and isn't revoked */
  keyStands: boolean;
  activeMandates: number;
};

const selectLiveness = statement<Liveness>(
  "token_liveness",
  `SELECT c.epoch AS "clientEpoch", c.merchant_id AS "merchantId", (m.suspended_at IS NOT NULL) AS "merchantSuspended",
          (SELECT g.epoch FROM "grant" g WHERE g.id = $2 AND g.ended_at IS NULL) AS "grantEpoch",
          EXISTS (SELECT 1 FROM token_denial d WHERE d.jti = $3) AS "isDenied",
          EXISTS (SELECT 1 FROM signing_key k WHERE k.kid = $5 AND k.state IN ('active', 'retired')) AS "keyStands",
          (SELECT count(*)::int FROM mandate d WHERE d.id = ANY ($4::text[]) AND d.state = 'active') AS "activeMandates"
     FROM client c LEFT JOIN merchant m ON m.id = c.merchant_id
    WHERE c.id = $1 AND c.deleted_at IS NULL`,
);

/** Everything that can end an access token early, in one statement; null where the client is gone. */
export const findLiveness = async (
  sql: Sql,
  token: { clientId: string; grantId: string | null; jti: string; mandateIds: readonly string[]; kid: string },
): Promise<Liveness | null> => {
  const [row] = await sql.query(selectLiveness, [
    token.clientId,
    token.grantId,
    token.jti,
    token.mandateIds,
    token.kid,
  ]);
  return row ?? null;
};

const insertDenial = statement<{ jti: string }>(
  "insert_token_denial",
  "INSERT INTO token_denial (jti, expires_at) VALUES ($1, $2::timestamptz) ON CONFLICT DO NOTHING RETURNING jti",
);

/** Ends one access token (RFC 7009 §2.1). @returns false where it had ended so before. */
export const denyToken = async (sql: Sql, token: { jti: string; expiresAt: Date }): Promise<boolean> =>
  (await sql.query(insertDenial, [token.jti, token.expiresAt])).length === 1;
