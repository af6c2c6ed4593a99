import { randomUUID } from "node:crypto";
import { type AuditEntry, auditColumns, auditTypes, auditValues } from "../audit/audit.ts";
import { type Sql, statement } from "../client.ts";
import { coalesceByPool } from "../coalesce.ts";
import { isPayable } from "../merchants/standing.ts";
import type { NewPushedRequest } from "./pushed-requests.ts";
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

/** An assertion, the client version that verified it, and the authorization request to push. */
type Pushed = Assertion & {
  version: number;
  request: NewPushedRequest;
  /** ids of the named merchants; each has the form of our ids */
  merchantIds: readonly string[];
  entry: AuditEntry;
};

/**
 * `unknownMerchantIds`: named merchants that aren't registered, aren't approved or are suspended. If there is one,
 * nothing is pushed.
 */
type Answer = ConsumedAssertion & { unknownMerchantIds: string[] };

const insertPushed = statement<AssertionState & { unknownMerchantIds: string[] }>(
  "insert_assertion_jtis_and_pushed_requests",
  `WITH sent AS (
     SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::uuid[], $5::int[], $6::text[], $7::text[],
                          $8::jsonb[], $9::timestamptz[], $10::timestamptz[], $11::text[], ${auditTypes(12)})
       AS s (client_id, jti, exp, request_id, version, request_uri_hash, handle,
             request, created_at, expires_at, merchant_ids, ${auditColumns("entry_")})
   ), ${consumingAssertions}, unknown AS (
     SELECT named.id FROM (SELECT DISTINCT unnest(string_to_array(merchant_ids, ' ')) AS id FROM sent) AS named
      WHERE NOT EXISTS (SELECT 1 FROM merchant m WHERE m.id = named.id AND ${isPayable("m")})
   ), judged AS (
     SELECT sent.request_id,
            ARRAY (SELECT id FROM unknown WHERE id = ANY (string_to_array(sent.merchant_ids, ' '))) AS unknown,
            state."isFresh" AND state.version = sent.version AND NOT state."hasForeignKey" AS is_current
       FROM sent JOIN state ON state."requestId" = sent.request_id
   ), accepted AS (
     SELECT sent.* FROM sent JOIN judged USING (request_id) WHERE judged.is_current AND judged.unknown = '{}'
   ), pushed AS (
     INSERT INTO pushed_request (request_uri_hash, handle, client_id, request, created_at, expires_at, dated_at)
     SELECT request_uri_hash, handle, client_id, request, created_at, expires_at, expires_at FROM accepted
   ), written AS (
     INSERT INTO audit_entry (${auditColumns("")}) SELECT ${auditColumns("entry_")} FROM accepted
   ) SELECT state.*, judged.unknown AS "unknownMerchantIds" FROM state JOIN judged ON judged.request_id = state."requestId"`,
);

const write = async (sql: Sql, rows: readonly Sent<Pushed>[]): Promise<Answer[]> => {
  const sorted = inAssertionOrder(rows);
  const requests = sorted.map(({ request }) => request);
  const answers = await sql.query(insertPushed, [
    ...assertionValues(sorted),
    sorted.map(({ version }) => version),
    requests.map(({ requestUriHash }) => requestUriHash),
    requests.map(({ handle }) => handle),
    requests.map(({ request }) => JSON.stringify(request)),
    requests.map(({ createdAt }) => createdAt.toISOString()),
    requests.map(({ expiresAt }) => expiresAt.toISOString()),
    sorted.map(({ merchantIds }) => merchantIds.join(" ")),
    ...auditValues(sorted.map(({ entry }) => entry)),
  ]);
  const byRequest = new Map(answers.map((answer) => [answer.requestId, answer]));
  return rows.map(({ requestId }) => {
    const answer = byRequest.get(requestId);
    return { ...toConsumed(answer), unknownMerchantIds: answer?.unknownMerchantIds ?? [] };
  });
};

const writeTogether = coalesceByPool(write);

/**
 * Consumes like `consumeAssertion`, and in the same statement inserts the pushed request and its audit entry. Both are
 * inserted only if the assertion is fresh, the client still has this `version`, and no named merchant is unknown.
 */
export const consumeAndPush = (sql: Sql, row: Pushed): Promise<Answer> =>
  writeTogether(sql, { ...row, requestId: randomUUID() });
