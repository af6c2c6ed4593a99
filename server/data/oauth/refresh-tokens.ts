import { type Sql, statement } from "../client.ts";
import { datedAt, spanOf } from "../dated.ts";

export type RefreshTokenRow = {
  familyId: string;
  grantId: string;
  clientId: string;
  scopes: string[];
  authTime: Date;
  acr: string;
  createdAt: Date;
  expiresAt: Date;
  rotatedAt: Date | null;
  successorSealed: string | null;
  successorHash: string | null;
  requestHash: string | null;
  revokedAt: Date | null;
};

const insertToken = statement<never>(
  "insert_refresh_token",
  `INSERT INTO refresh_token (secret_hash, family_id, grant_id, client_id, scopes, auth_time, acr, created_at, expires_at,
                              dated_at)
   VALUES ($1, $2, $3, $4, $5::text[], $6::timestamptz, $7, $8::timestamptz, $9::timestamptz, $10::timestamptz)`,
);

export const insertRefreshToken = async (
  sql: Sql,
  token: Pick<RefreshTokenRow, "familyId" | "grantId" | "clientId" | "scopes" | "authTime" | "acr" | "expiresAt"> & {
    secretHash: string;
    createdAt: Date;
  },
): Promise<void> => {
  await sql.query(insertToken, [
    token.secretHash,
    token.familyId,
    token.grantId,
    token.clientId,
    token.scopes,
    token.authTime,
    token.acr,
    token.createdAt,
    token.expiresAt,
    datedAt(token.secretHash, token.expiresAt),
  ]);
};

const selectToken = statement<RefreshTokenRow>(
  "find_refresh_token",
  `SELECT family_id AS "familyId", grant_id AS "grantId", client_id AS "clientId", scopes, auth_time AS "authTime", acr,
          created_at AS "createdAt", expires_at AS "expiresAt", rotated_at AS "rotatedAt", successor_sealed AS "successorSealed",
          successor_hash AS "successorHash", request_hash AS "requestHash", revoked_at AS "revokedAt"
     FROM refresh_token WHERE secret_hash = $1 AND dated_at BETWEEN $2::timestamptz AND $3::timestamptz`,
);

export const findRefreshToken = async (sql: Sql, secretHash: string): Promise<RefreshTokenRow | null> =>
  (await sql.query(selectToken, [secretHash, ...spanOf(secretHash)]))[0] ?? null;

const rotate = statement<{ familyId: string }>(
  "rotate_refresh_token",
  `WITH rotated AS (
     UPDATE refresh_token SET rotated_at = $2::timestamptz, successor_sealed = $3, successor_hash = $4, request_hash = $5
      WHERE secret_hash = $1 AND rotated_at IS NULL AND revoked_at IS NULL AND expires_at > $2::timestamptz
        AND dated_at BETWEEN $6::timestamptz AND $7::timestamptz
     RETURNING family_id, dated_at
   ), forgotten AS (
     UPDATE refresh_token t SET successor_sealed = NULL FROM rotated
      WHERE t.family_id = rotated.family_id AND t.dated_at = rotated.dated_at AND t.successor_hash = $1 AND t.successor_sealed IS NOT NULL
   )
   SELECT family_id AS "familyId" FROM rotated`,
);

/**
 * At most one caller per token gets true. False: the call is a retry or a reuse, or the token was revoked, has expired
 * or doesn't exist. Using a token also deletes the sealed successor of its predecessor.
 */
export const rotateRefreshToken = async (
  sql: Sql,
  input: { secretHash: string; now: Date; successorSealed: string; successorHash: string; requestHash: string },
): Promise<boolean> => {
  const { secretHash, now, successorSealed, successorHash, requestHash } = input;
  const values = [secretHash, now, successorSealed, successorHash, requestHash, ...spanOf(secretHash)];
  return (await sql.query(rotate, values)).length === 1;
};

const forgetSuccessors = statement<{ forgotten: number }>(
  "forget_refresh_successors",
  `WITH forgotten AS (
     UPDATE refresh_token SET successor_sealed = NULL WHERE (secret_hash, dated_at) IN (
       SELECT secret_hash, dated_at FROM refresh_token
        WHERE successor_sealed IS NOT NULL AND rotated_at < $1::timestamptz
        ORDER BY rotated_at LIMIT $2::int FOR UPDATE SKIP LOCKED
     ) RETURNING 1
   ) SELECT count(*)::int AS forgotten FROM forgotten`,
);

/** Drops the sealed successors of tokens that were rotated before `before`. @returns how many. */
export const forgetRefreshSuccessors = async (sql: Sql, before: Date, limit: number): Promise<number> =>
  (await sql.query(forgetSuccessors, [before, limit]))[0]?.forgotten ?? 0;
