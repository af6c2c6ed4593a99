import { randomUUID } from "node:crypto";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { type MeteredCall, meteredNames, meteredTypes, meteredValues, meteringOf } from "../billing/meters/metering.ts";
import { type Sql, statement } from "../client.ts";
import { coalesceByPool } from "../coalesce.ts";
import { isKeyBlocked } from "./blocklist/is-key-blocked.ts";

export type Assertion = { clientId: string; jti: string; expiresAt: Date };

/** Whether an assertion was fresh, and the client's state at that time. */
export type ConsumedAssertion = {
  /** false: the same (client, jti, exp) was consumed before */
  isFresh: boolean;
  /** null: unknown or deleted */
  client: { version: number; epoch: number; hasForeignKey: boolean } | null;
};

/** Row `state` of a statement that consumes assertions. */
export type AssertionState = {
  requestId: string;
  isFresh: boolean;
  version: number | null;
  epoch: number | null;
  hasForeignKey: boolean;
};

/**
 * First part of each statement that consumes assertions. It reads `sent` (client_id, jti, exp, request_id and further
 * columns) and defines `state`, with one AssertionState per row.
 */
export const consumingAssertions = `kept AS (
     INSERT INTO assertion_jti (client_id, jti, exp, request_id) SELECT client_id, jti, exp, request_id FROM sent
     ON CONFLICT DO NOTHING RETURNING request_id
   ), state AS (
     SELECT sent.request_id AS "requestId", (kept.request_id IS NOT NULL) AS "isFresh", c.version, c.epoch,
            EXISTS (SELECT 1 FROM foreign_client_key f WHERE f.thumbprint_hash = ANY (c.key_thumbprint_hashes)) AS "hasForeignKey"
       FROM sent LEFT JOIN kept ON kept.request_id = sent.request_id
       LEFT JOIN client c ON c.id = sent.client_id AND c.deleted_at IS NULL
   )`;

/** The requests with a fresh assertion whose client still has the `version` in `sent`, and has no foreign key. */
export const currentRequests = `accepted AS (
     SELECT sent.request_id FROM sent JOIN state ON state."requestId" = sent.request_id
      WHERE state."isFresh" AND state.version = sent.version AND NOT state."hasForeignKey"
   )`;

/**
 * Defines `billed`, which `meteringOf` reads, for the requests in `accepted`. `sent` has the columns `meteredNames`.
 */
export const billedRequests = `billed AS (
     SELECT sent.event_merchant AS merchant_id, sent.event_at AS time, sent.event_id AS id, sent.client_id, NULL::text AS subject
       FROM sent JOIN accepted USING (request_id) WHERE sent.event_id IS NOT NULL
   )`;

const insertAssertions = statement<AssertionState>(
  "insert_assertion_jtis",
  `WITH sent AS (
     SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::uuid[]) AS s (client_id, jti, exp, request_id)
   ), ${consumingAssertions} SELECT * FROM state`,
);

export const toConsumed = (state: AssertionState | undefined): ConsumedAssertion => {
  if (!state || state.version === null || state.epoch === null)
    return { isFresh: state?.isFresh ?? false, client: null };
  const { isFresh, version, epoch, hasForeignKey } = state;
  return { isFresh, client: { version, epoch, hasForeignKey } };
};

export type Sent<Row> = Row & { requestId: string };

/** Sorted by the whole key, so that two statements that insert the same keys can't deadlock. */
const inKeyOrder = <Row>(rows: readonly Sent<Row>[], keyOf: (row: Row) => string): Sent<Row>[] =>
  rows
    .map((row) => ({ row, key: keyOf(row) }))
    .sort((left, right) => (left.key < right.key ? -1 : 1))
    .map(({ row }) => row);

/** The first four parameters of a statement that consumes assertions. */
export const assertionValues = (rows: readonly Sent<Assertion>[]): [string[], string[], string[], string[]] => [
  rows.map(({ clientId }) => clientId),
  rows.map(({ jti }) => jti),
  rows.map(({ expiresAt }) => expiresAt.toISOString()),
  rows.map(({ requestId }) => requestId),
];

export const inAssertionOrder = <Row extends Assertion>(rows: readonly Sent<Row>[]): Sent<Row>[] =>
  inKeyOrder(rows, ({ clientId, jti, expiresAt }) => `${clientId} ${jti} ${expiresAt.getTime()}`);

const writeAssertions = async (sql: Sql, rows: readonly Sent<Assertion>[]): Promise<ConsumedAssertion[]> => {
  const states = await sql.query(insertAssertions, assertionValues(inAssertionOrder(rows)));
  const byRequest = new Map(states.map((state) => [state.requestId, state]));
  return rows.map(({ requestId }) => toConsumed(byRequest.get(requestId)));
};

type Billed = Assertion & { version: number; metered: MeteredCall | null };

const insertIntrospections = statement<AssertionState>(
  "insert_assertion_jtis_and_introspections",
  `WITH sent AS (
     SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::uuid[], $5::int[], ${meteredTypes(6)})
       AS s (client_id, jti, exp, request_id, version, ${meteredNames})
   ), ${consumingAssertions}, ${currentRequests}, ${billedRequests}, ${meteringOf("'introspections'")} SELECT * FROM state`,
);

const consumeBilled = coalesceByPool(async (sql: Sql, rows: readonly Sent<Billed>[]) => {
  const sorted = inAssertionOrder(rows);
  const states = await sql.query(insertIntrospections, [
    ...assertionValues(sorted),
    sorted.map(({ version }) => version),
    ...meteredValues(sorted.map(({ metered }) => metered)),
  ]);
  const byRequest = new Map(states.map((state) => [state.requestId, state]));
  return rows.map(({ requestId }) => toConsumed(byRequest.get(requestId)));
});

/**
 * Consumes the assertion of an introspection like `consumeAssertion`, and in the same statement records the metered
 * event.
 */
export const consumeAndMeter = (sql: Sql, row: Billed): Promise<ConsumedAssertion> =>
  consumeBilled(sql, { ...row, requestId: randomUUID() });

type Proof = { jkt: string; jti: string; htu: string; issuedAt: Date };

/** Whether a proof was fresh, and whether its key is on the blocklist. */
type ConsumedProof = { isFresh: boolean; isBlocked: boolean };

const insertProofs = statement<ConsumedProof & { requestId: string }>(
  "insert_dpop_jtis",
  `WITH sent AS (
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::uuid[])
       AS s (jkt, jti, htu, iat, request_id)
   ), kept AS (
     INSERT INTO dpop_jti (jkt, jti, htu, iat, request_id) SELECT * FROM sent
     ON CONFLICT DO NOTHING RETURNING request_id
   )
   SELECT sent.request_id AS "requestId", (kept.request_id IS NOT NULL) AS "isFresh",
          ${isKeyBlocked("sent.jkt")} AS "isBlocked"
     FROM sent LEFT JOIN kept ON kept.request_id = sent.request_id`,
);

/**
 * An index entry can have at most 2,704 bytes. Therefore, a `htu` of more characters than this is stored as its hash.
 * Otherwise, the statement would fail for all requests that share it.
 */
const maxAddressLength = 512;
const keptAddress = (htu: string): string => (htu.length > maxAddressLength ? sha256Base64url(htu) : htu);

const writeProofs = async (sql: Sql, rows: readonly Sent<Proof>[]): Promise<ConsumedProof[]> => {
  const sorted = inKeyOrder(rows, ({ jkt, jti, htu, issuedAt }) => `${jkt} ${jti} ${htu} ${issuedAt.getTime()}`);
  const consumed = await sql.query(insertProofs, [
    sorted.map(({ jkt }) => jkt),
    sorted.map(({ jti }) => jti),
    sorted.map(({ htu }) => htu),
    sorted.map(({ issuedAt }) => issuedAt.toISOString()),
    sorted.map(({ requestId }) => requestId),
  ]);
  const byRequest = new Map(consumed.map((row) => [row.requestId, row]));
  return rows.map(({ requestId }) => {
    const { isFresh = false, isBlocked = false } = byRequest.get(requestId) ?? {};
    return { isFresh, isBlocked };
  });
};

const consumeAssertions = coalesceByPool(writeAssertions);
const consumeProofs = coalesceByPool(writeProofs);

/**
 * At most one caller per (client, jti, exp), over all processes, gets a fresh result. Each row has the random id of its
 * request: if two requests with the same jti share a statement, only one of them is fresh.
 */
export const consumeAssertion = (sql: Sql, assertion: Assertion): Promise<ConsumedAssertion> =>
  consumeAssertions(sql, { ...assertion, requestId: randomUUID() });

/** At most one caller per (jkt, jti, htu, iat) gets a fresh result. */
export const consumeProof = (sql: Sql, proof: Proof): Promise<ConsumedProof> =>
  consumeProofs(sql, { ...proof, htu: keptAddress(proof.htu), requestId: randomUUID() });
