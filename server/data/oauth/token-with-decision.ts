import { type Sql, statement } from "../client.ts";
import { coalesceByPool } from "../coalesce.ts";
import { type Decision, type DecisionRow, selectDecisions, toDecision } from "../mandates/mandate-decision.ts";
import {
  distinctTokens,
  type Liveness,
  livenessColumns,
  livenessTables,
  type TokenKey,
  tokenNames,
  tokenTypes,
  tokenValues,
  toLiveness,
} from "./liveness.ts";

/** A merchant's token, and the mandate that it asks about with it. */
type Asked = { token: TokenKey; mandateId: string };
type Found = { liveness: Liveness | null; decision: Decision | null };
type Row = Liveness & { jti: string; askedAs: number } & (DecisionRow | { state: null });

const findRows = statement<Row>(
  "token_liveness_and_decisions",
  `WITH live AS MATERIALIZED (
     SELECT sent.token_jti AS jti, ${livenessColumns} FROM unnest(${tokenTypes(1)}) AS sent (${tokenNames}) ${livenessTables}
   )
   SELECT given.place AS "askedAs", live.*, decision.*
   FROM unnest($7::int[], $8::text[], $9::text[], $10::timestamptz[]) AS given (place, jti, mandate_id, asked_at)
   JOIN live ON live.jti = given.jti
   LEFT JOIN LATERAL (${selectDecisions(
     '(SELECT given.place, given.mandate_id, live."merchantId" AS merchant_id, given.asked_at) AS asked',
   )}) AS decision ON true`,
);

const findTogether = coalesceByPool(async (sql: Sql, asked: readonly Asked[]): Promise<Found[]> => {
  const rows = await sql.query(findRows, [
    ...tokenValues(distinctTokens(asked.map(({ token }) => token))),
    asked.map((_, place) => place),
    asked.map(({ token }) => token.jti),
    asked.map(({ mandateId }) => mandateId),
    asked.map(({ token }) => token.at.toISOString()),
  ]);
  const byPlace = new Map(rows.map((row) => [row.askedAs, row]));
  return asked.map(({ token, mandateId }, place) => {
    const row = byPlace.get(place);
    const liveness = toLiveness(row);
    const merchantId = liveness?.merchantId ?? null;
    if (merchantId === null || !row || row.state === null) return { liveness, decision: null };
    return { liveness, decision: toDecision(row, { mandateId, merchantId, at: token.at }) };
  });
});

/** `findLiveness`, and in the same statement what `findDecision` finds for the merchant whose client the token was issued to. */
export const findTokenWithDecision = (sql: Sql, asked: Asked): Promise<Found> => findTogether(sql, asked);
