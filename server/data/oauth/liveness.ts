import { randomUUID } from "node:crypto";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { type MeteredCall, meteredNames, meteredTypes, meteredValues, meteringOf } from "../billing/meters/metering.ts";
import { type Sql, statement } from "../client.ts";
import { coalesceByPool } from "../coalesce.ts";
import { isKeyBlocked } from "./blocklist/is-key-blocked.ts";
import {
  type Assertion,
  type AssertionState,
  assertionValues,
  billedRequests,
  type ConsumedAssertion,
  consumingAssertions,
  currentRequests,
  inAssertionOrder,
  type Sent,
  toConsumed,
} from "./replay.ts";
import { isKeyActive } from "./signing-keys.ts";

export type Liveness = {
  clientEpoch: number | null;
  merchantId: string | null;
  grantEpoch: number | null;
  /** the token was revoked, or the key that it is bound to is on the blocklist */
  isDenied: boolean;
  /** the key that signed the token was active at that time, and isn't revoked */
  isKeyActive: boolean;
  activeMandates: number;
};

/**
 * Claims that decide whether a token is live; its mandates are checked at `at`. `kid`: the key that signed the token.
 * `jkt`: the key that the token is bound to.
 */
export type TokenKey = {
  clientId: string;
  grantId: string | null;
  jti: string;
  mandateIds: readonly string[];
  kid: string;
  jkt: string | null;
  at: BusinessTime;
};

/** Tokens as rows: the parameters from $`first` on, in the order of `tokenValues`. */
export const tokenTypes = (first: number): string =>
  ["text", "text", "text", "text", "text", "timestamptz", "text"]
    .map((type, at) => `$${first + at}::${type}[]`)
    .join(", ");
export const tokenNames = "token_client, token_grant, token_jti, token_mandates, token_kid, token_at, token_jkt";

export const tokenValues = (tokens: readonly TokenKey[]): (string | null)[][] => [
  tokens.map(({ clientId }) => clientId),
  tokens.map(({ grantId }) => grantId),
  tokens.map(({ jti }) => jti),
  // Our ids contain no spaces.
  tokens.map(({ mandateIds }) => mandateIds.join(" ")),
  tokens.map(({ kid }) => kid),
  tokens.map(({ at }) => at.toISOString()),
  tokens.map(({ jkt }) => jkt),
];

/** Columns of Liveness for the token in row `sent`; its client is `c`. */
export const livenessColumns = `c.epoch AS "clientEpoch", c.merchant_id AS "merchantId",
          (SELECT g.epoch FROM "grant" g WHERE g.id = sent.token_grant AND g.ended_at IS NULL) AS "grantEpoch",
          (EXISTS (SELECT 1 FROM token_denial d WHERE d.jti = sent.token_jti) OR ${isKeyBlocked("sent.token_jkt")}) AS "isDenied",
          ${isKeyActive("sent.token_kid")} AS "isKeyActive",
          (SELECT count(*)::int FROM mandate d WHERE d.id = ANY (string_to_array(sent.token_mandates, ' ')) AND d.state = 'active'
                                                 AND d.valid_until > sent.token_at) AS "activeMandates"`;
export const livenessTables = "LEFT JOIN client c ON c.id = sent.token_client AND c.deleted_at IS NULL";

/** A deleted client has no epoch. */
export const toLiveness = (row: Liveness | undefined): Liveness | null =>
  row && row.clientEpoch !== null ? row : null;

const selectLiveness = statement<Liveness & { jti: string }>(
  "token_liveness",
  `SELECT sent.token_jti AS jti, ${livenessColumns} FROM unnest(${tokenTypes(1)}) AS sent (${tokenNames}) ${livenessTables}`,
);

/**
 * Merchants reuse tokens, so concurrent requests with one jti read the token once. The latest request's time decides.
 */
export const distinctTokens = (tokens: readonly TokenKey[]): TokenKey[] => [
  ...new Map(tokens.map((token) => [token.jti, token])).values(),
];

const findTogether = coalesceByPool(async (sql: Sql, tokens: readonly TokenKey[]) => {
  const rows = await sql.query(selectLiveness, tokenValues(distinctTokens(tokens)));
  const byJti = new Map(rows.map((row) => [row.jti, row]));
  return tokens.map(({ jti }) => toLiveness(byJti.get(jti)));
});

/**
 * Everything that can end an access token early, in one statement. Concurrent callers share one statement.
 * @returns null if the client was deleted.
 */
export const findLiveness = (sql: Sql, token: TokenKey): Promise<Liveness | null> => findTogether(sql, token);

type LivenessRequest = Assertion & { version: number; token: TokenKey; metered: MeteredCall | null };
type Answer = ConsumedAssertion & { liveness: Liveness | null };

const selectConsuming = statement<AssertionState & Liveness>(
  "insert_assertion_jtis_and_token_liveness",
  `WITH sent AS (
     SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::uuid[], $13::int[], ${meteredTypes(14)})
       AS s (client_id, jti, exp, request_id, version, ${meteredNames})
   ), ${consumingAssertions}, found AS (
     SELECT sent.row_id, ${livenessColumns}
       FROM unnest($5::uuid[], ${tokenTypes(6)}) AS sent (row_id, ${tokenNames}) ${livenessTables}
   ), ${currentRequests}, ${billedRequests}, ${meteringOf("'introspections'")}
   SELECT state.*, found.* FROM state LEFT JOIN found ON found.row_id = state."requestId"`,
);

const consumeAndFindTogether = coalesceByPool(
  async (sql: Sql, rows: readonly Sent<LivenessRequest>[]): Promise<Answer[]> => {
    // Reads each token once, as `findTogether` does: one of the requests with this token reads it for all of them.
    const requesters = new Map(rows.map((row) => [row.token.jti, row]));
    const requested = [...requesters.values()];
    const sorted = inAssertionOrder(rows);
    const answers = await sql.query(selectConsuming, [
      ...assertionValues(sorted),
      requested.map(({ requestId }) => requestId),
      ...tokenValues(requested.map(({ token }) => token)),
      sorted.map(({ version }) => version),
      ...meteredValues(sorted.map(({ metered }) => metered)),
    ]);
    const byRequest = new Map(answers.map((answer) => [answer.requestId, answer]));
    return rows.map(({ requestId, token }) => ({
      ...toConsumed(byRequest.get(requestId)),
      liveness: toLiveness(byRequest.get(requesters.get(token.jti)?.requestId ?? "")),
    }));
  },
);

/**
 * Consumes like `consumeAssertion`, and in the same statement reads what `findLiveness` returns for the requested token
 * and records the metered event.
 */
export const consumeAndFindLiveness = (sql: Sql, requested: LivenessRequest): Promise<Answer> =>
  consumeAndFindTogether(sql, { ...requested, requestId: randomUUID() });

const insertDenial = statement<{ jti: string }>(
  "insert_token_denial",
  "INSERT INTO token_denial (jti, expires_at) VALUES ($1, $2::timestamptz) ON CONFLICT DO NOTHING RETURNING jti",
);

/** Ends one access token (RFC 7009 §2.1). @returns false if it was already ended. */
export const denyToken = async (sql: Sql, token: { jti: string; expiresAt: Date }): Promise<boolean> =>
  (await sql.query(insertDenial, [token.jti, token.expiresAt])).length === 1;
