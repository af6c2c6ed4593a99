/** Nobody's turn comes sooner by waiting longer than this: whoever asked is told to come back. */
const patienceMs = 10_000;
/** Callers of one key that wait at the same time to begin something. */
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

/** Who finishes what was begun is served before who begins something, and never turned away for the length of the line. */
export type Phase = "begins" | "finishes";

type Line<Work> = Record<Phase, Turn<Work>[]>;

/**
 * Callers of one key take turns in the order in which they came, those first who finish what was begun: else a line of
 * beginners would keep them from ever making room. Callers of different keys know nothing of each other.
 * It keeps a queue for a contended row out of the database, where each waiter would hold a connection. It is no lock:
 * other processes take turns of their own, so that what must hold is still the database's to keep.
 * @param serve one turn at a time of each key, of at most `together` callers; answers each of them and never throws.
 */
export const createTurns = <Work>(
  serve: (turns: readonly Turn<Work>[]) => Promise<void>,
  together: number,
): ((key: string, work: Work, phase?: Phase) => Promise<unknown>) => {
  /** those who wait, for each key that somebody's turn is under way of */
  const lines = new Map<string, Line<Work>>();

  /** One place of those who may share a turn is left to who has waited longest to begin. */
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
      }, patienceMs).unref();
      queue.push(turn);
    });
};
