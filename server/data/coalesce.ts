import type { Sql } from "./client.ts";
import { isUnavailable } from "./unavailable.ts";

/** Maximum number of shared statements of one kind that run at the same time. Further rows wait for the next one. */
const maxUnderWay = 2;
const maxRows = 200;
/**
 * Minimum milliseconds between the starts of two statements, by the number of rows of the first one, so that more rows
 * share a statement (measured: three times as many rows, and a third less CPU per request). After a statement with one
 * row, the next one starts without a delay.
 */
const spacingAfter = (size: number): number => (size < 2 ? 0 : size < 8 ? 4 : 8);

type Waiting<Row, Answer> = { row: Row; resolve(answer: Answer): void; reject(error: unknown): void };

/**
 * Concurrent rows share one multi-row statement. Each caller gets its own row's answer when the row is durable. If a
 * statement with several rows fails although the database is available, each row is written by a statement of its own.
 * @param write returns one answer per row, in row order.
 */
export const coalesce = <Row, Answer>(
  write: (rows: readonly Row[]) => Promise<readonly Answer[]>,
): ((row: Row) => Promise<Answer>) => {
  let waiting: Waiting<Row, Answer>[] = [];
  let underWay = 0;
  let last = { startedAt: 0, size: 0 };
  let isPlanned = false;

  /** The statement wrote nothing. One caller's row must not make the other rows fail. */
  const writeAlone = async ({ row, resolve, reject }: Waiting<Row, Answer>): Promise<void> => {
    try {
      const [answer] = await write([row]);
      if (answer === undefined) throw new Error("the statement returned no answer for a row");
      resolve(answer);
    } catch (error) {
      reject(error);
    }
  };

  const flush = async (): Promise<void> => {
    const batch = waiting.slice(0, maxRows);
    waiting = waiting.slice(maxRows);
    underWay += 1;
    last = { startedAt: performance.now(), size: batch.length };
    try {
      const answers = await write(batch.map(({ row }) => row));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const answer = answers[index];
        if (answer === undefined) reject(new Error("the statement returned no answer for a row"));
        else resolve(answer);
      }
    } catch (error) {
      if (batch.length === 1 || isUnavailable(error)) for (const { reject } of batch) reject(error);
      else await Promise.all(batch.map(writeAlone));
    } finally {
      underWay -= 1;
      plan();
    }
  };

  const plan = (): void => {
    if (isPlanned || waiting.length === 0 || underWay >= maxUnderWay) return;
    isPlanned = true;
    const start = () => {
      isPlanned = false;
      void flush();
    };
    const delayMilliseconds = last.startedAt + spacingAfter(last.size) - performance.now();
    if (delayMilliseconds > 0) setTimeout(start, delayMilliseconds);
    // Rows that arrive in this turn of the event loop still join the statement.
    else setImmediate(start);
  };

  return (row) =>
    new Promise((resolve, reject) => {
      waiting.push({ row, resolve, reject });
      plan();
    });
};

/** `coalesce` per pool: requests share statements only with requests to the same database. */
export const coalesceByPool = <Row, Answer>(
  write: (sql: Sql, rows: readonly Row[]) => Promise<readonly Answer[]>,
): ((sql: Sql, row: Row) => Promise<Answer>) => {
  const byPool = new WeakMap<Sql, (row: Row) => Promise<Answer>>();
  return (sql, row) => {
    let shared = byPool.get(sql);
    if (!shared) {
      shared = coalesce((rows: readonly Row[]) => write(sql, rows));
      byPool.set(sql, shared);
    }
    return shared(row);
  };
};
