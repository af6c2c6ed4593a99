import { type Sql, statement } from "../client.ts";

/** Answered requests of all web processes in the step that starts at `at`. */
export type RequestStep = { at: Date; requests: number; errors: number; counts: number[]; processes: number };

type Row = { at: Date; requests: bigint; errors: bigint; counts: bigint[]; processes: number };

/**
 * Summing by position is several times faster than unnesting the histograms.
 * @param buckets number of buckets of each histogram
 */
const select = (buckets: number) =>
  statement<Row>(
    "find_request_minutes",
    `SELECT date_bin($3::interval, minute, $1::timestamptz) AS at, sum(requests)::bigint AS requests,
            sum(errors)::bigint AS errors, count(DISTINCT process)::int AS processes,
            ARRAY[${Array.from({ length: buckets }, (_, bucket) => `coalesce(sum(counts[${bucket + 1}]), 0)`).join(", ")}]::bigint[] AS counts
       FROM request_minute WHERE minute >= $1::timestamptz AND minute < $2::timestamptz GROUP BY 1 ORDER BY 1`,
  );

type Period = { from: Date; to: Date; stepMinutes: number; buckets: number };

/** Steps in which no process reported are missing. @param period.from start of the first step */
export const findRequestSteps = async (sql: Sql, { from, to, stepMinutes, buckets }: Period): Promise<RequestStep[]> =>
  (await sql.query(select(buckets), [from, to, `${stepMinutes} minutes`])).map((row) => ({
    at: row.at,
    requests: Number(row.requests),
    errors: Number(row.errors),
    counts: row.counts.map(Number),
    processes: row.processes,
  }));
