/** Maximum wait for a turn. After that the caller is refused and may retry. */
const maxWaitMilliseconds = 10_000;
/** Maximum callers of one key that wait to start work. */
const maxWaiting = 1_000;

/** The caller waited too long for its turn, or too many callers were waiting. Its work was not started. */
export class NoTurn extends Error {
  readonly code = "NO_TURN";
  constructor() {
    super("too many requests wait for the same row");
  }
}

/** One caller's work, and the callbacks for its result. */
export type Turn<Work> = { work: Work; resolve(answer: unknown): void; reject(error: unknown): void };

/**
 * A caller that finishes started work is served before callers that start work, and is never refused because of the
 * queue length.
 */
export type Phase = "begins" | "finishes";

type Line<Work> = Record<Phase, Turn<Work>[]>;

/**
 * Callers of one key take turns in order of arrival. Callers that finish started work go first: otherwise a queue of
 * new work would prevent them from freeing capacity. Callers of different keys are independent. This keeps the queue
 * for a contended row out of the database, where each waiter would hold a connection. It isn't a lock: other processes
 * have their own turns, so the database must still enforce correctness.
 * @param serve runs one turn per key at a time, with at most `together` callers; answers each of them and never throws.
 */
export const createTurns = <Work>(
  serve: (turns: readonly Turn<Work>[]) => Promise<void>,
  together: number,
): ((key: string, work: Work, phase?: Phase) => Promise<unknown>) => {
  /** waiting callers by key, for each key with a turn in progress */
  const lines = new Map<string, Line<Work>>();

  /** One slot of a shared turn is reserved for the caller that has waited longest to start work. */
  const next = ({ finishes, begins }: Line<Work>): Turn<Work>[] => {
    const turns = finishes.splice(0, begins.length > 0 ? Math.max(together - 1, 1) : together);
    return turns.concat(begins.splice(0, together - turns.length));
  };

  const run = async (key: string, first: Turn<Work>): Promise<void> => {
    const line: Line<Work> = { finishes: [], begins: [] };
    lines.set(key, line);
    for (let turns = [first]; turns.length > 0; turns = next(line)) await serve(turns);
    lines.delete(key);
  };

  return (key, work, phase = "begins") =>
    new Promise((resolve, reject) => {
      const line = lines.get(key);
      if (!line) return void run(key, { work, resolve, reject });
      const queue = line[phase];
      if (phase === "begins" && queue.length >= maxWaiting) return reject(new NoTurn());
      const turn = { work, resolve, reject };
      setTimeout(() => {
        const place = queue.indexOf(turn);
        if (place < 0) return;
        queue.splice(place, 1);
        reject(new NoTurn());
      }, maxWaitMilliseconds).unref();
      queue.push(turn);
    });
};
