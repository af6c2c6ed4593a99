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

/** A merchant's token, and the mandate of its request. */
type TokenAndMandate = { token: TokenKey; mandateId: string };
type Found = { liveness: Liveness | null; decision: Decision | null };
type Row = Liveness & { jti: string; requestIndex: number } & (DecisionRow | { state: null });

const findRows = statement<Row>(
  "token_liveness_and_decisions",
  `WITH live AS MATERIALIZED (
     SELECT sent.token_jti AS jti, ${livenessColumns} FROM unnest(${tokenTypes(1)}) AS sent (${tokenNames}) ${livenessTables}
   )
   SELECT given.position AS "requestIndex", live.*, decision.*
   FROM unnest($8::int[], $9::text[], $10::text[], $11::timestamptz[]) AS given (position, jti, mandate_id, requested_at)
   JOIN live ON live.jti = given.jti
   LEFT JOIN LATERAL (${selectDecisions(
     '(SELECT given.position, given.mandate_id, live."merchantId" AS merchant_id, given.requested_at) AS request',
   )}) AS decision ON true`,
);

const findTogether = coalesceByPool(async (sql: Sql, requests: readonly TokenAndMandate[]): Promise<Found[]> => {
  const rows = await sql.query(findRows, [
    ...tokenValues(distinctTokens(requests.map(({ token }) => token))),
    requests.map((_, index) => index),
    requests.map(({ token }) => token.jti),
    requests.map(({ mandateId }) => mandateId),
    requests.map(({ token }) => token.at.toISOString()),
  ]);
  const byIndex = new Map(rows.map((row) => [row.requestIndex, row]));
  return requests.map(({ token, mandateId }, index) => {
    const row = byIndex.get(index);
    const liveness = toLiveness(row);
    const merchantId = liveness?.merchantId ?? null;
    if (merchantId === null || !row || row.state === null) return { liveness, decision: null };
    return { liveness, decision: toDecision(row, { mandateId, merchantId, at: token.at }) };
  });
});

/**
 * Returns what `findLiveness` finds for the token, and what `findDecision` finds for the merchant of the token's
 * client, from one statement.
 */
export const findTokenWithDecision = (sql: Sql, request: TokenAndMandate): Promise<Found> => findTogether(sql, request);
