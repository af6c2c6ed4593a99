import type { AuthorizationDetails } from "../../kernel/authorization-details.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { type Sql, statement, type Tx } from "../client.ts";
import { datedAt, spanOf } from "../dated.ts";
import { isPayable } from "../merchants/standing.ts";

export const insertGrant = async (
  tx: Tx,
  grant: {
    id: string;
    clientId: string;
    payerId: string;
    scopes: string[];
    /** redirect URI of the consent; omitted if the payer approved nothing, or did so outside the consent page */
    redirectUri?: string;
    createdAt: Date;
    endedAt?: Date;
  },
): Promise<void> => {
  await tx.grant.create({ data: grant });
};

export type CodeRow = {
  grantId: string;
  clientId: string;
  redirectUri: string;
  codeChallenge: string;
  dpopJkt: string | null;
  authTime: Date;
  acr: string;
  expiresAt: Date;
  usedAt: Date | null;
};

export const insertCode = async (
  tx: Tx,
  code: Omit<CodeRow, "usedAt"> & { codeHash: string; createdAt: Date },
): Promise<void> => {
  await tx.authorizationCode.create({ data: { ...code, datedAt: datedAt(code.codeHash, code.expiresAt) } });
};

const selectCode = statement<CodeRow>(
  "find_code",
  `SELECT grant_id AS "grantId", client_id AS "clientId", redirect_uri AS "redirectUri", code_challenge AS "codeChallenge",
          dpop_jkt AS "dpopJkt", auth_time AS "authTime", acr, expires_at AS "expiresAt", used_at AS "usedAt"
     FROM authorization_code WHERE code_hash = $1 AND dated_at BETWEEN $2::timestamptz AND $3::timestamptz`,
);

export const findCode = async (sql: Sql, codeHash: string): Promise<CodeRow | null> =>
  (await sql.query(selectCode, [codeHash, ...spanOf(codeHash)]))[0] ?? null;

const useCode = statement<{ grant_id: string }>(
  "consume_code",
  `UPDATE authorization_code SET used_at = $2::timestamptz
    WHERE code_hash = $1 AND used_at IS NULL AND expires_at > $2::timestamptz
      AND dated_at BETWEEN $3::timestamptz AND $4::timestamptz
   RETURNING grant_id`,
);

/** At most one caller per code gets true. */
export const consumeCode = async (sql: Sql, codeHash: string, now: Date): Promise<boolean> =>
  (await sql.query(useCode, [codeHash, now, ...spanOf(codeHash)])).length === 1;

export type IssuableGrant = {
  payerId: string;
  scopes: string[];
  grantEpoch: number;
  clientEpoch: number;
  /** payment_mandate_v1 of each active mandate */
  details: AuthorizationDetails[];
  endedAt: Date | null;
  /** latest end of a live mandate */
  mandatesUntil: Date | null;
};

const issuableGrantText = `SELECT g.payer_id AS "payerId", g.scopes, g.epoch AS "grantEpoch", c.epoch AS "clientEpoch", g.ended_at AS "endedAt",
          coalesce((SELECT jsonb_agg(m.details || jsonb_build_object('identifier', m.id) ORDER BY m.created_at, m.id)
                      FROM mandate m WHERE m.grant_id = g.id AND m.state = 'active' AND m.valid_until > $2::timestamptz), '[]') AS details,
          (SELECT max(m.valid_until) FROM mandate m WHERE m.grant_id = g.id AND m.state IN ('active', 'suspended')) AS "mandatesUntil"
     FROM "grant" g JOIN client c ON c.id = g.client_id
    WHERE g.id = $1 AND c.deleted_at IS NULL`;

const selectGrant = statement<IssuableGrant>("find_issuable_grant", issuableGrantText);

/** Content of the grant's tokens, epochs included, from one statement. */
export const findIssuableGrant = async (sql: Sql, grantId: string, now: BusinessTime): Promise<IssuableGrant | null> =>
  (await sql.query(selectGrant, [grantId, now]))[0] ?? null;

const holdGrant = statement<IssuableGrant>("hold_issuable_grant", `${issuableGrantText} FOR SHARE OF g`);

/**
 * Like `findIssuableGrant`, but locks the grant. A transaction that ends the grant or its tokens waits until the
 * transaction with this lock has issued its tokens, and then ends those tokens too. Take this lock before any lock on a
 * code or refresh token, and read the code or token again afterwards. After a wait, the epoch is current, but the
 * details may be older.
 */
export const holdIssuableGrant = async (sql: Sql, grantId: string, now: BusinessTime): Promise<IssuableGrant | null> =>
  (await sql.query(holdGrant, [grantId, now]))[0] ?? null;

/**
 * More than the clocks of two web nodes may differ (docs/runbooks/several-web-nodes.md). If it isn't certain that the
 * grant was replaced after the tokens were issued, all tokens end.
 */
const clockSeconds = 2;

const raiseEpoch = statement<{ id: string }>(
  "raise_grant_epoch",
  `UPDATE "grant" SET epoch = epoch + 1
    WHERE id = $1 AND ($2::timestamptz IS NULL OR reauthorized_at IS NULL OR reauthorized_at - interval '${clockSeconds} seconds' <= $2::timestamptz)
   RETURNING id`,
);

const revokeRefreshTokens = statement<never>(
  "revoke_refresh_tokens",
  `UPDATE refresh_token SET revoked_at = $2::timestamptz, successor_sealed = NULL WHERE grant_id = $1 AND revoked_at IS NULL`,
);

type EndedTokens = {
  grantId: string;
  now: Date;
  /**
   * when the tokens to end were issued; default: all tokens end. If the grant was replaced after this time, its present
   * tokens are newer and stay valid.
   */
  since?: Date | null;
};

/** Ends every access and refresh token of the grant, but not its mandates. The grant is locked before its tokens. */
export const endGrantTokens = async (sql: Sql, { grantId, now, since = null }: EndedTokens): Promise<void> => {
  // Two statements: the second one also sees the refresh tokens of the transactions that the first one waited for.
  const raised = await sql.query(raiseEpoch, [grantId, since]);
  if (raised.length > 0) await sql.query(revokeRefreshTokens, [grantId, now]);
};

export type ExchangeTerms = {
  /** category of the audience; null if it isn't a registered merchant, is suspended or isn't approved */
  merchantCategory: string | null;
  /** current details of the named mandates that are active */
  details: AuthorizationDetails[];
};

const selectExchangeTerms = statement<ExchangeTerms>(
  "find_exchange_terms",
  `SELECT (SELECT mcc FROM merchant m WHERE m.id = $1 AND ${isPayable("m")}) AS "merchantCategory",
          coalesce((SELECT jsonb_agg(m.details || jsonb_build_object('identifier', m.id))
                      FROM mandate m WHERE m.id = ANY ($2::text[]) AND m.state = 'active' AND m.valid_until > $3::timestamptz), '[]') AS details`,
);

/** The data that a token exchange needs besides liveness, from one statement. */
export const findExchangeTerms = async (
  sql: Sql,
  input: { audience: string; mandateIds: readonly string[]; now: BusinessTime },
): Promise<ExchangeTerms> => {
  const [row] = await sql.query(selectExchangeTerms, [input.audience, input.mandateIds, input.now]);
  return row ?? { merchantCategory: null, details: [] };
};

const replaceRow = statement<never>(
  "replace_grant",
  `UPDATE "grant" SET epoch = epoch + 1, scopes = $2::text[], replaced_at = $3::timestamptz, reauthorized_at = $4::timestamptz,
     redirect_uri = $5 WHERE id = $1`,
);

/**
 * Records a new consent: sets its scopes, its redirect URI, and an epoch that no earlier access token has.
 * @param grant.at real time, as in tokens.
 */
export const replaceGrantRow = async (
  sql: Sql,
  grant: { grantId: string; scopes: readonly string[]; redirectUri: string; now: BusinessTime; at: Date },
): Promise<void> => {
  const { grantId, scopes, redirectUri, now, at } = grant;
  await sql.query(replaceRow, [grantId, scopes, now, at, redirectUri]);
};

const expireCodes = statement<never>(
  "expire_codes_of_grant",
  "UPDATE authorization_code SET expires_at = created_at WHERE grant_id = $1 AND used_at IS NULL AND expires_at > created_at",
);

/**
 * Ends all earlier codes and refresh tokens (Grant Management §5.2). The grant is locked, so none is issued at the same
 * time.
 */
export const endEarlierAuthorizations = async (sql: Sql, grantId: string, now: Date): Promise<void> => {
  // Sets each code's expiry to its creation. So a code is also expired for requests that read the clock before they
  // wait for the lock, and for requests on other nodes.
  await sql.query(expireCodes, [grantId]);
  await sql.query(revokeRefreshTokens, [grantId, now]);
};

const selectReauthorization = statement<{ reauthorizedAt: Date | null }>(
  "find_reauthorization",
  `SELECT reauthorized_at AS "reauthorizedAt" FROM "grant" WHERE id = $1`,
);

/** Real time of the grant's last replacement; null: never. */
export const findReauthorization = async (sql: Sql, grantId: string): Promise<Date | null> =>
  (await sql.query(selectReauthorization, [grantId]))[0]?.reauthorizedAt ?? null;
