import { randomUUID } from "node:crypto";
import { type AuditEntry, auditColumns, auditTypes, auditValues } from "../audit/audit.ts";
import { type MeteredCall, meteredNames, meteredTypes, meteredValues, meteringOf } from "../billing/meters/metering.ts";
import { type Sql, statement } from "../client.ts";
import { coalesceByPool } from "../coalesce.ts";
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

/**
 * An assertion, the version of the client whose keys verified it, the audit entry of the request, and the metered call
 * for which the request is billed.
 */
type Recorded = Assertion & { version: number; entry: AuditEntry; metered: MeteredCall | null };

const insertRecorded = statement<AssertionState>(
  "insert_assertion_jtis_and_audit_entries",
  `WITH sent AS (
     SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::uuid[], $5::int[], ${auditTypes(6)}, ${meteredTypes(13)})
       AS s (client_id, jti, exp, request_id, version, ${auditColumns("entry_")}, ${meteredNames})
   ), ${consumingAssertions}, ${currentRequests}, written AS (
     INSERT INTO audit_entry (${auditColumns("")}) SELECT ${auditColumns("entry_")}
       FROM sent JOIN accepted USING (request_id)
   ), ${billedRequests}, ${meteringOf("'tokens_issued'")} SELECT * FROM state`,
);

const write = async (sql: Sql, rows: readonly Sent<Recorded>[]): Promise<ConsumedAssertion[]> => {
  const sorted = inAssertionOrder(rows);
  const states = await sql.query(insertRecorded, [
    ...assertionValues(sorted),
    sorted.map(({ version }) => version),
    ...auditValues(sorted.map(({ entry }) => entry)),
    ...meteredValues(sorted.map(({ metered }) => metered)),
  ]);
  const byRequest = new Map(states.map((state) => [state.requestId, state]));
  return rows.map(({ requestId }) => toConsumed(byRequest.get(requestId)));
};

const writeTogether = coalesceByPool(write);

/**
 * Consumes like `consumeAssertion`, and in the same statement inserts the audit entry and the metered event. Both are
 * inserted only if the assertion is fresh and the client still has this `version`.
 */
export const consumeAndRecord = (sql: Sql, row: Recorded): Promise<ConsumedAssertion> =>
  writeTogether(sql, { ...row, requestId: randomUUID() });
