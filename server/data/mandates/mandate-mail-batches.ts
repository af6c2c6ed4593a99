import { type Sql, statement } from "../client.ts";

/** Mandates that changed together. All mandates of a payer are in one batch. */
export type MandateMailBatch = {
  id: string;
  mandateIds: string[];
  change: string;
  actorKind: string;
  /** when they changed, in business time */
  at: Date;
  requestId: string;
};

const insert = statement<never>(
  "insert_mandate_mail_batches",
  `INSERT INTO mandate_mail_batch (id, created_at, mandate_ids, change, actor_kind, at, request_id)
   SELECT $1 || '_' || batch, $2::timestamptz, array_agg(id ORDER BY id), $4, $5, $6::timestamptz, $7 FROM (
     SELECT id, (dense_rank() OVER (ORDER BY payer_id) - 1) / $8::int AS batch FROM mandate WHERE id = ANY ($3::text[])
   ) AS changed GROUP BY batch`,
);

/** Call it in the transaction of the change. @param payers the number of payers in a batch. */
export const insertMandateMailBatches = async (
  sql: Sql,
  {
    id,
    mandateIds,
    change,
    actorKind,
    at,
    requestId,
    createdAt,
    payers,
  }: Omit<MandateMailBatch, "mandateIds"> & { mandateIds: readonly string[]; createdAt: Date; payers: number },
): Promise<void> => {
  await sql.query(insert, [id, createdAt, mandateIds, change, actorKind, at, requestId, payers]);
};

const take = statement<MandateMailBatch>(
  "take_mandate_mail_batch",
  `DELETE FROM mandate_mail_batch WHERE id = (
     SELECT id FROM mandate_mail_batch ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
   ) RETURNING id, mandate_ids AS "mandateIds", change, actor_kind AS "actorKind", at, request_id AS "requestId"`,
);

/**
 * Removes and returns the oldest batch that no other transaction has locked. If the transaction is rolled back, the
 * batch is kept.
 * @returns null if there is none.
 */
export const takeMandateMailBatch = async (sql: Sql): Promise<MandateMailBatch | null> =>
  (await sql.query(take, []))[0] ?? null;
