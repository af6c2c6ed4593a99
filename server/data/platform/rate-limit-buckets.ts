import { type Sql, statement } from "../client.ts";

type Usage = {
  key: string;
  takenMilliseconds: number;
  sinceMilliseconds: number;
  /** the most that the bucket can owe */
  maxOwedMilliseconds: number;
  isRefused: boolean;
};
type BucketState = { key: string; owedMilliseconds: number; isAuditDue: boolean };

// Tokens count from the time at which they were taken, so that tokens drained since then aren't owed. Each statement
// deletes more drained rows than it may add, so the table holds little more than the rows in use. A drained row is kept
// for one more minute, because no second refusal of a bucket is audited within a minute. If the recorded time of an
// audit is in the future, it was recorded before the clock stepped back, and doesn't count.
const shareUsage = statement<BucketState>(
  "share_rate_limit_usage",
  `WITH removed AS (
     DELETE FROM rate_limit_bucket WHERE key IN (
       SELECT key FROM rate_limit_bucket WHERE full_at < now() - interval '1 minute' AND key <> ALL ($1::text[])
       ORDER BY full_at LIMIT 1000 FOR UPDATE SKIP LOCKED
     )
   )
   INSERT INTO rate_limit_bucket AS b (key, full_at, used_ms, audited_at)
   SELECT key, now() + make_interval(secs => (taken - since) / 1000), taken, CASE WHEN refused = 1 THEN now() END
     FROM unnest($1::text[], $2::float8[], $3::float8[], $4::int[]) AS sent (key, taken, since, refused)
   ON CONFLICT (key) DO UPDATE
      SET full_at = greatest(b.full_at + make_interval(secs => excluded.used_ms / 1000), excluded.full_at),
          used_ms = excluded.used_ms,
          audited_at = CASE WHEN b.audited_at BETWEEN now() - interval '1 minute' AND now() THEN b.audited_at
                            ELSE coalesce(excluded.audited_at, b.audited_at) END
   RETURNING key, (extract(epoch FROM full_at - now()) * 1000)::float8 AS "owedMilliseconds",
             coalesce(audited_at = now(), false) AS "isAuditDue"`,
);

const capDebts = statement<never>(
  "cap_rate_limit_debts",
  `UPDATE rate_limit_bucket b SET full_at = least(b.full_at, now() + make_interval(secs => sent.max_owed / 1000))
     FROM (SELECT key, max_owed FROM unnest($1::text[], $2::float8[]) AS s (key, max_owed) ORDER BY key) sent WHERE b.key = sent.key`,
);

/**
 * Adds the tokens that one node took to the shared usage of all nodes.
 * @returns the state of each bucket over all nodes. At most one node per bucket and minute is asked to audit its
 * refusal. No bucket owes more than its maximum, even if the database's clock stepped back.
 */
export const shareRateLimitUsage = async (sql: Sql, usages: readonly Usage[]): Promise<BucketState[]> => {
  // In key order, so that two nodes that write the same keys can't deadlock.
  const sorted = usages.toSorted((left, right) => (left.key < right.key ? -1 : 1));
  const states = await sql.query(shareUsage, [
    sorted.map(({ key }) => key),
    sorted.map(({ takenMilliseconds }) => takenMilliseconds),
    sorted.map(({ sinceMilliseconds }) => sinceMilliseconds),
    sorted.map(({ isRefused }) => (isRefused ? 1 : 0)),
  ]);
  const maxOwed = new Map(usages.map(({ key, maxOwedMilliseconds }) => [key, maxOwedMilliseconds]));
  const maxOwedOf = ({ key }: BucketState): number => maxOwed.get(key) ?? 0;
  const overdrawn = states.filter((state) => state.owedMilliseconds > maxOwedOf(state));
  if (overdrawn.length > 0) await sql.query(capDebts, [overdrawn.map(({ key }) => key), overdrawn.map(maxOwedOf)]);
  return states.map((state) => ({
    ...state,
    owedMilliseconds: Math.min(state.owedMilliseconds, maxOwedOf(state)),
  }));
};
