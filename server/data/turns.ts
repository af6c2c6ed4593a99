/** Nobody's turn comes sooner by waiting longer than this: whoever asked is told to come back. */
const patienceMs = 10_000;
/** Callers of one key that wait at the same time. */
const maxWaiting = 1_000;

/** A caller's turn did not come in time. Nothing was begun for it. */
export class NoTurn extends Error {
  readonly code = "NO_TURN";
  constructor() {
    super("too many wait for the same row");
  }
}

/** One caller's work, and how it hears what came of it. */
export type Turn<Work> = { work: Work; resolve(answer: unknown): void; reject(error: unknown): void };

/**
 * Callers of one key take turns in the order in which they came; those of different keys know nothing of each other.
 * It keeps a queue for a contended row out of the database, where each waiter would hold a connection. It is no lock:
 * other processes take turns of their own, so that what must hold is still the database's to keep.
 * @param serve one turn at a time of each key, of at most `together` callers; answers each of them and never throws.
 */
export const createTurns = <Work>(
  serve: (turns: readonly Turn<Work>[]) => Promise<void>,
  together: number,
): ((key: string, work: Work) => Promise<unknown>) => {
  /** those who wait, for each key that somebody's turn is under way of */
  const queues = new Map<string, Turn<Work>[]>();

  const run = async (key: string, first: Turn<Work>, queue: Turn<Work>[]): Promise<void> => {
    queues.set(key, queue);
    for (let turns = [first]; turns.length > 0; turns = queue.splice(0, together)) await serve(turns);
    queues.delete(key);
  };

  return (key, work) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(key);
      if (!queue) return void run(key, { work, resolve, reject }, []);
      if (queue.length >= maxWaiting) return reject(new NoTurn());
      const turn = { work, resolve, reject };
      setTimeout(() => {
        const place = queue.indexOf(turn);
        if (place < 0) return;
        queue.splice(place, 1);
        reject(new NoTurn());
      }, patienceMs).unref();
      queue.push(turn);
    });
};
