import { randomUUID } from "node:crypto";
import { type Sql, statement } from "./client.ts";
import { coalesce } from "./coalesce.ts";
import {
  type Assertion,
  type AssertionState,
  assertionValues,
  type ConsumedAssertion,
  consumingAssertions,
  inAssertionOrder,
  type Sent,
  toConsumed,
} from "./replay.ts";

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

/** What of a token's claims decides whether it is live at `at`; `kid` of the key that signed it. */
export type TokenKey = {
  clientId: string;
  grantId: string | null;
  jti: string;
  mandateIds: readonly string[];
  kid: string;
  at: Date;
};

/** Columns of Liveness, by the expressions that name the token; its client is `c`, that one's merchant `m`. */
const livenessColumns = (token: Readonly<Record<Exclude<keyof TokenKey, "clientId">, string>>): string =>
  `c.epoch AS "clientEpoch", c.merchant_id AS "merchantId", (m.suspended_at IS NOT NULL) AS "merchantSuspended",
          (SELECT g.epoch FROM "grant" g WHERE g.id = ${token.grantId} AND g.ended_at IS NULL) AS "grantEpoch",
          EXISTS (SELECT 1 FROM token_denial d WHERE d.jti = ${token.jti}) AS "isDenied",
          EXISTS (SELECT 1 FROM signing_key k WHERE k.kid = ${token.kid} AND k.state IN ('active', 'retired')) AS "keyStands",
          (SELECT count(*)::int FROM mandate d WHERE d.id = ANY (${token.mandateIds}) AND d.state = 'active'
                                                 AND d.valid_until > ${token.at}) AS "activeMandates"`;

const selectLiveness = statement<Liveness>(
  "token_liveness",
  `SELECT ${livenessColumns({ grantId: "$2", jti: "$3", mandateIds: "$4::text[]", kid: "$5", at: "$6::timestamptz" })}
     FROM client c LEFT JOIN merchant m ON m.id = c.merchant_id
    WHERE c.id = $1 AND c.deleted_at IS NULL`,
);

/** Everything that can end an access token early, in one statement; null where the client is gone. */
export const findLiveness = async (sql: Sql, token: TokenKey): Promise<Liveness | null> => {
  const { clientId, grantId, jti, mandateIds, kid, at } = token;
  const [row] = await sql.query(selectLiveness, [clientId, grantId, jti, mandateIds, kid, at]);
  return row ?? null;
};

type Asked = Assertion & { token: TokenKey };
type Answer = ConsumedAssertion & { liveness: Liveness | null };

const selectConsuming = statement<AssertionState & Liveness>(
  "insert_assertion_jtis_and_token_liveness",
  `WITH sent AS (
     SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::uuid[],
                          $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::timestamptz[])
       AS s (client_id, jti, exp, request_id, token_client, token_grant, token_jti, token_mandates, token_kid, token_at)
   ), ${consumingAssertions}
   SELECT state.*, ${livenessColumns({
     grantId: "sent.token_grant",
     jti: "sent.token_jti",
     mandateIds: "string_to_array(sent.token_mandates, ' ')",
     kid: "sent.token_kid",
     at: "sent.token_at",
   })}
     FROM sent JOIN state ON state."requestId" = sent.request_id
     LEFT JOIN client c ON c.id = sent.token_client AND c.deleted_at IS NULL
     LEFT JOIN merchant m ON m.id = c.merchant_id`,
);

const consumeAndFind = async (sql: Sql, rows: readonly Sent<Asked>[]): Promise<Answer[]> => {
  const sorted = inAssertionOrder(rows);
  const tokens = sorted.map(({ token }) => token);
  const answers = await sql.query(selectConsuming, [
    ...assertionValues(sorted),
    tokens.map(({ clientId }) => clientId),
    tokens.map(({ grantId }) => grantId),
    tokens.map(({ jti }) => jti),
    // Ids of ours: none holds a space.
    tokens.map(({ mandateIds }) => mandateIds.join(" ")),
    tokens.map(({ kid }) => kid),
    tokens.map(({ at }) => at.toISOString()),
  ]);
  const byRequest = new Map(answers.map((answer) => [answer.requestId, answer]));
  return rows.map(({ requestId }) => {
    const answer = byRequest.get(requestId);
    const isKnown = answer && answer.clientEpoch !== null;
    return { ...toConsumed(answer), liveness: isKnown ? answer : null };
  });
};

/** One per pool, as in replay.ts. */
const finders = new WeakMap<Sql, (row: Sent<Asked>) => Promise<Answer>>();

/** `consumeAssertion`, and in the same statement what `findLiveness` finds of the token that is asked for. */
export const consumeAndFindLiveness = (sql: Sql, asked: Asked): Promise<Answer> => {
  let find = finders.get(sql);
  if (!find) {
    find = coalesce((rows: readonly Sent<Asked>[]) => consumeAndFind(sql, rows));
    finders.set(sql, find);
  }
  return find({ ...asked, requestId: randomUUID() });
};

const insertDenial = statement<{ jti: string }>(
  "insert_token_denial",
  "INSERT INTO token_denial (jti, expires_at) VALUES ($1, $2::timestamptz) ON CONFLICT DO NOTHING RETURNING jti",
);

/** Ends one access token (RFC 7009 §2.1). @returns false where it had ended so before. */
export const denyToken = async (sql: Sql, token: { jti: string; expiresAt: Date }): Promise<boolean> =>
  (await sql.query(insertDenial, [token.jti, token.expiresAt])).length === 1;
