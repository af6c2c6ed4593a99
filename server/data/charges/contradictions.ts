import { type Sql, statement } from "../client.ts";

export type ContradictionRow = {
  id: string;
  chargeId: string;
  about: "payment" | "refund";
  processorRef: string;
  reported: string;
  amount: bigint;
  raisedAt: Date;
};

const insert = statement<{ id: string }>(
  "insert_contradiction",
  `INSERT INTO contradiction (id, charge_id, about, processor_ref, reported, amount, raised_at)
   VALUES ($1, $2, $3, $4, $5, $6::bigint, $7::timestamptz)
   ON CONFLICT (charge_id, processor_ref, reported) DO NOTHING RETURNING id`,
);

/** @returns false if the same contradiction was raised before, even if it is closed. */
export const insertContradiction = async (sql: Sql, row: ContradictionRow): Promise<boolean> => {
  const { id, chargeId, about, processorRef, reported, amount, raisedAt } = row;
  return (await sql.query(insert, [id, chargeId, about, processorRef, reported, amount, raisedAt])).length === 1;
};

export type OpenContradiction = ContradictionRow & {
  currency: string;
  chargeState: string;
  merchantName: string;
  reference: string | null;
  processor: string;
};

// The join has no creation time, so it searches every partition for the charge. Contradictions are rare, so this is
// fast enough.
const list = statement<OpenContradiction>(
  "list_open_contradictions",
  `SELECT x.id, x.charge_id AS "chargeId", x.about, x.processor_ref AS "processorRef", x.reported, x.amount, x.raised_at AS "raisedAt",
     c.currency, c.state::text AS "chargeState", c.reference, c.processor, m.display_name AS "merchantName"
   FROM contradiction x JOIN charge c ON c.id = x.charge_id JOIN merchant m ON m.id = c.merchant_id
   WHERE x.closed_at IS NULL AND ($1::text IS NULL OR x.charge_id = $1)
   ORDER BY x.raised_at, x.id LIMIT $2::int`,
);

/** Oldest first. @param chargeId null: of all charges. */
export const findOpenContradictions = (
  sql: Sql,
  { chargeId, limit }: { chargeId: string | null; limit: number },
): Promise<OpenContradiction[]> => sql.query(list, [chargeId, limit]);

const close = statement<{ chargeId: string }>(
  "close_contradiction",
  `UPDATE contradiction SET closed_at = $2::timestamptz, closed_by = $3 WHERE id = $1 AND closed_at IS NULL
   RETURNING charge_id AS "chargeId"`,
);

/**
 * At most one caller closes a contradiction.
 * @returns the id of its charge; null if it doesn't exist or is already closed.
 */
export const updateContradictionClosed = async (
  sql: Sql,
  input: { id: string; at: Date; closedBy: string },
): Promise<string | null> => (await sql.query(close, [input.id, input.at, input.closedBy]))[0]?.chargeId ?? null;
