import { type Sql, statement } from "../client.ts";

export type LatencyRow = { operation: string; requests: number; errors: number; counts: readonly number[] };

/** SQL: the sum of two arrays, element by element. */
const addedCounts = (left: string, right: string): string =>
  `(SELECT array_agg(coalesce(a, 0) + coalesce(b, 0) ORDER BY n)
      FROM unnest(${left}, ${right}) WITH ORDINALITY AS both_counts (a, b, n))`;

const add = statement<never>(
  "add_latency",
  `WITH in_minute AS (
     INSERT INTO request_minute AS m (minute, process, requests, errors, counts)
     VALUES (date_trunc('minute', $1::timestamptz, 'UTC'), $6, $7::bigint, $8::bigint, string_to_array($9, ' ')::bigint[])
     ON CONFLICT (minute, process) DO UPDATE SET requests = m.requests + excluded.requests,
       errors = m.errors + excluded.errors, counts = ${addedCounts("m.counts", "excluded.counts")}
   )
   INSERT INTO latency_hour AS l (operation, hour, requests, errors, counts)
   SELECT operation, date_trunc('hour', $1::timestamptz, 'UTC'), requests, errors, string_to_array(counts, ' ')::bigint[]
     FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[]) AS s (operation, requests, errors, counts) ORDER BY operation
   ON CONFLICT (operation, hour) DO UPDATE SET requests = l.requests + excluded.requests, errors = l.errors + excluded.errors,
     counts = ${addedCounts("l.counts", "excluded.counts")}`,
);

type Recorded = {
  /** any time in the minute in which the requests were answered */
  at: Date;
  /** id of the process */
  process: string;
  rows: readonly LatencyRow[];
  /** of all rows */
  total: Omit<LatencyRow, "operation">;
};

/**
 * Adds the request counts of one process, in one statement: to the hourly row of each endpoint, and to the process's
 * own row for the minute.
 */
export const addLatency = async (sql: Sql, { at, process, rows, total }: Recorded): Promise<void> => {
  await sql.query(add, [
    at,
    rows.map(({ operation }) => operation),
    rows.map(({ requests }) => requests),
    rows.map(({ errors }) => errors),
    rows.map(({ counts }) => counts.join(" ")),
    process,
    total.requests,
    total.errors,
    total.counts.join(" "),
  ]);
};

const sum = statement<{ operation: string; requests: bigint; errors: bigint; counts: bigint[] }>(
  "sum_latency",
  `WITH hours AS (SELECT * FROM latency_hour WHERE hour >= $1::timestamptz AND operation = ANY ($2::text[]))
   SELECT h.operation, sum(h.requests)::bigint AS requests, sum(h.errors)::bigint AS errors,
     (SELECT array_agg(total ORDER BY n) FROM (
        SELECT n, sum(count)::bigint AS total FROM hours o, unnest(o.counts) WITH ORDINALITY AS c (count, n)
         WHERE o.operation = h.operation GROUP BY n) AS totals) AS counts
   FROM hours h GROUP BY h.operation ORDER BY h.operation`,
);

/** Sums the latency of each of these endpoints, over all hours that begin at `since` or later. */
export const sumLatency = async (sql: Sql, since: Date, operations: readonly string[]): Promise<LatencyRow[]> =>
  (await sql.query(sum, [since, operations])).map(({ operation, requests, errors, counts }) => ({
    operation,
    requests: Number(requests),
    errors: Number(errors),
    counts: counts.map(Number),
  }));
