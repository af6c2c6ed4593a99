import { type Sql, statement } from "../client.ts";
import type { Parameter } from "../parameters.ts";

/** Route of the idempotency keys of charges. */
export const chargeRoute = "POST /merchant_test/charge";
/** Routes of the idempotency keys of captures and voids. */
export const actRoute = (chargeId: string, kind: string): string => `POST /merchant_test/charges/${chargeId}/${kind}`;
/** Route of the idempotency keys of refunds. */
export const refundRoute = (chargeId: string): string => actRoute(chargeId, "refunds");

/** Identifies a request: its key, and the hash that a repeated request must have. */
export type RequestKey = { route: string; key: string; bodyHash: string };

/** Columns of the key's row. */
export const requestKeyColumns: readonly Parameter<RequestKey>[] = [
  ["route", ({ route }) => route],
  ["key", ({ key }) => key],
  ["body_hash", ({ bodyHash }) => bodyHash],
];

export type IdempotencyKey = {
  bodyHash: string;
  chargeId: string;
  /** for the keys of refunds */
  refundId: string | null;
  /** the first final answer; null until there is one */
  answer: Answer | null;
};

/** Status code and body, as sent and as stored. */
export type Answer = { status: number; body: string };

type Row = Omit<IdempotencyKey, "answer"> & { responseStatus: number | null; responseBody: string | null };

const find = statement<Row>(
  "find_idempotency_key",
  `SELECT body_hash AS "bodyHash", charge_id AS "chargeId", refund_id AS "refundId", response_status AS "responseStatus", response_body AS "responseBody"
   FROM idempotency_key WHERE merchant_id = $1 AND route = $2 AND key = $3`,
);

export const findIdempotencyKey = async (
  sql: Sql,
  input: { merchantId: string; route: string; key: string },
): Promise<IdempotencyKey | null> => {
  const [row] = await sql.query(find, [input.merchantId, input.route, input.key]);
  if (!row) return null;
  const { responseStatus: status, responseBody: body, ...key } = row;
  return { ...key, answer: status === null || body === null ? null : { status, body } };
};

const keep = statement<never>(
  "keep_first_final_answers",
  `UPDATE idempotency_key k SET response_status = answer.status, response_body = answer.body, answered_at = $6::timestamptz
   FROM unnest($3::text[], $4::int[], $5::text[]) AS answer (route, status, body)
   WHERE k.merchant_id = $1 AND k.charge_id = $2 AND k.route = answer.route AND k.response_status IS NULL`,
);

export type KeptAnswer = Answer & { route: string };

/**
 * Stores each answer under the charge's open keys of the same route. Call it in the transaction that makes the charge,
 * or the act on the charge, final.
 */
export const keepFinalAnswers = async (
  sql: Sql,
  {
    merchantId,
    chargeId,
    answers,
    at,
  }: { merchantId: string; chargeId: string; answers: readonly KeptAnswer[]; at: Date },
): Promise<void> => {
  const [routes, statuses, bodies] = [
    answers.map(({ route }) => route),
    answers.map(({ status }) => status),
    answers.map(({ body }) => body),
  ];
  await sql.query(keep, [merchantId, chargeId, routes, statuses, bodies, at]);
};

const insertAnswered = statement<never>(
  "insert_answered_idempotency_key",
  `INSERT INTO idempotency_key (merchant_id, route, key, body_hash, charge_id, created_at, response_status, response_body, answered_at)
   VALUES ($1, $2, $3, $4, $5, $6::timestamptz, $7::int, $8, $6::timestamptz)`,
);

/** Stores a key together with its answer, in the transaction of an act that needs no processor. */
export const insertAnsweredKey = async (
  sql: Sql,
  answered: {
    merchantId: string;
    route: string;
    key: string;
    bodyHash: string;
    chargeId: string;
    at: Date;
    status: number;
    body: string;
  },
): Promise<void> => {
  const { merchantId, route, key, bodyHash, chargeId, at, status, body } = answered;
  await sql.query(insertAnswered, [merchantId, route, key, bodyHash, chargeId, at, status, body]);
};

const free = statement<never>(
  "free_idempotency_key",
  "DELETE FROM idempotency_key WHERE merchant_id = $1 AND charge_id = $2 AND route = $3 AND response_status IS NULL",
);

/** Frees the key of a request that was never sent to the processor, so that the key can be used for another attempt. */
export const freeIdempotencyKey = async (
  sql: Sql,
  { merchantId, chargeId, route }: { merchantId: string; chargeId: string; route: string },
): Promise<void> => {
  await sql.query(free, [merchantId, chargeId, route]);
};
