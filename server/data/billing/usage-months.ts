import { type Sql, statement } from "../client.ts";

const lock = statement<never>(
  "lock_usage_months",
  "SELECT pg_advisory_xact_lock(hashtextextended('paygrant.usage_months.' || $1, 0))",
);

/**
 * Locks the merchant's monthly quantities until the end of the transaction. Call it before any row is locked, so that
 * concurrent batches can't deadlock.
 */
export const lockUsageMonths = async (sql: Sql, merchantId: string): Promise<void> => {
  await sql.query(lock, [merchantId]);
};

type MeterMonth = { meter: string; month: { from: Date; to: Date } };

const sum = statement<{ quantity: string }>(
  "sum_usage_months",
  `SELECT coalesce(h.quantity, 0)::text AS quantity
     FROM unnest($2::text[], $3::timestamptz[], $4::timestamptz[]) WITH ORDINALITY AS wanted (meter, "from", "to", place)
     CROSS JOIN LATERAL (
       SELECT sum(h.quantity) AS quantity FROM usage_hour h
        WHERE h.merchant_id = $1 AND h.hour >= wanted."from" AND h.hour < wanted."to" AND h.meter = wanted.meter COLLATE "C") h
    ORDER BY wanted.place`,
);

/** The quantities that a merchant's own meters have recorded in these UTC months, in the same order. */
export const sumUsageMonths = async <Wanted extends MeterMonth>(
  sql: Sql,
  merchantId: string,
  wanted: readonly Wanted[],
): Promise<(Wanted & { quantity: bigint })[]> => {
  const rows = await sql.query(sum, [
    merchantId,
    wanted.map(({ meter }) => meter),
    wanted.map(({ month }) => month.from.toISOString()),
    wanted.map(({ month }) => month.to.toISOString()),
  ]);
  return wanted.map((one, index) => ({ ...one, quantity: BigInt(rows[index]?.quantity ?? 0) }));
};
