import { isUnavailable } from "./unavailable.ts";

/** How many statements of one kind may be under way at once: the rest wait and share the next (measured: two is best). */
const maxUnderWay = 2;
const maxRows = 200;

type Waiting<Row, Answer> = { row: Row; resolve(answer: Answer): void; reject(error: unknown): void };

/**
 * Rows that wait at the same moment share one multi-row statement; each caller learns its own row's answer, and waits
 * until it is durable. Where a statement fails by what it says, its rows are written one by one.
 * @param write gives one answer per row, in the rows' order.
 */
export const coalesce = <Row, Answer>(
  write: (rows: readonly Row[]) => Promise<readonly Answer[]>,
): ((row: Row) => Promise<Answer>) => {
  let waiting: Waiting<Row, Answer>[] = [];
  let underWay = 0;

  /** The statement wrote nothing: one caller's row must not fail the others'. */
  const writeAlone = async ({ row, resolve, reject }: Waiting<Row, Answer>): Promise<void> => {
    try {
      const [answer] = await write([row]);
      if (answer === undefined) throw new Error("a row without an answer");
      resolve(answer);
    } catch (error) {
      reject(error);
    }
  };

  const flush = async (): Promise<void> => {
    const batch = waiting.slice(0, maxRows);
    waiting = waiting.slice(maxRows);
    underWay += 1;
    try {
      const answers = await write(batch.map(({ row }) => row));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const answer = answers[index];
        if (answer === undefined) reject(new Error("a row without an answer"));
        else resolve(answer);
      }
    } catch (error) {
      if (batch.length === 1 || isUnavailable(error)) for (const { reject } of batch) reject(error);
      else await Promise.all(batch.map(writeAlone));
    } finally {
      underWay -= 1;
      if (waiting.length > 0) void flush();
    }
  };

  return (row) =>
    new Promise((resolve, reject) => {
      waiting.push({ row, resolve, reject });
      if (underWay >= maxUnderWay || waiting.length > 1) return;
      // What arrives in this turn of the event loop still comes along.
      setImmediate(() => {
        if (waiting.length > 0 && underWay < maxUnderWay) void flush();
      });
    });
};
