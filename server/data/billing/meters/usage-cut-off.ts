import { type Sql, statement } from "../../client.ts";

const intake = "hashtextextended('paygrant.usage_intake.' || $1, 0)";

const share = statement<never>("share_usage_intake", `SELECT pg_advisory_xact_lock_shared(${intake})`);

/**
 * Call it before usage is recorded, in the same transaction: until the transaction ends, no new cut-off can be stored. The
 * next statement sees all earlier cut-offs.
 */
export const shareUsageIntake = async (sql: Sql, merchantId: string): Promise<void> => {
  await sql.query(share, [merchantId]);
};

const lock = statement<never>("lock_usage_intake", `SELECT pg_advisory_xact_lock(${intake})`);
const store = statement<never>(
  "store_usage_cut_off",
  `INSERT INTO billing_usage_cut_off AS c (merchant_id, cut_off_at) VALUES ($1, $2::timestamptz)
   ON CONFLICT (merchant_id) DO UPDATE SET cut_off_at = greatest(c.cut_off_at, excluded.cut_off_at)`,
);

/**
 * Sets the cut-off of a merchant's usage to a time, unless it is already later. Once the transaction has committed,
 * every event that was received before the cut-off is committed, and every further event gets a time of receipt at the
 * cut-off or later. Waits for requests that are recording usage, and makes new ones wait, so the transaction must be
 * short.
 */
export const cutOffUsage = async (sql: Sql, merchantId: string, at: Date): Promise<void> => {
  await sql.query(lock, [merchantId]);
  await sql.query(store, [merchantId, at]);
};

const find = statement<{ at: Date }>(
  "find_usage_cut_off",
  "SELECT cut_off_at AS at FROM billing_usage_cut_off WHERE merchant_id = $1",
);

/** The last cut-off of a merchant's usage; null if there is none. */
export const findUsageCutOff = async (sql: Sql, merchantId: string): Promise<Date | null> =>
  (await sql.query(find, [merchantId]))[0]?.at ?? null;
