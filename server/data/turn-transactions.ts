import { createTurns, type Phase, type Turn } from "./turns.ts";
import { isUnavailable } from "./unavailable.ts";

/**
 * Maximum callers per shared transaction, which limits how long another caller, for example a revocation, waits for the
 * row.
 */
const maxTogether = 16;

type Transaction<Sql> = <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;
type How = { phase?: Phase };
type SharedHow<Sql, T> = How & {
  interleaves?: boolean;
  /**
   * The work as a single statement outside a transaction, for a caller that shares its turn with no other. If the work
   * needs a transaction, it writes nothing and returns undefined.
   */
  alone?: ((sql: Sql) => Promise<T | undefined>) | null;
};
export type InTurn<Sql> = <T>(key: string, work: (sql: Sql) => Promise<T>, how?: How) => Promise<T>;
export type InSharedTurn<Sql> = <T>(key: string, work: (sql: Sql) => Promise<T>, how?: SharedHow<Sql, T>) => Promise<T>;

/**
 * Waits for all callers before it rejects: a statement that a caller sends after the rejection would run outside the
 * transaction.
 */
const allOf = async (works: readonly Promise<unknown>[]): Promise<void> => {
  await Promise.allSettled(works);
  await Promise.all(works);
};

/** Turns of one process at contended rows; see `Db`. */
export const takeTurnsAt = <Sql>(
  transaction: Transaction<Sql>,
  outside: Sql,
): { inTurn: InTurn<Sql>; inSharedTurn: InSharedTurn<Sql> } => {
  type Run = (sql: Sql) => Promise<unknown>;
  type Work = { run: Run; interleaves: boolean; alone: Run | null };
  const runAlone = async ({ run, alone }: Work): Promise<unknown> => {
    const done = await alone?.(outside);
    return done === undefined ? transaction(run) : done;
  };
  const serveAlone = ({ work, resolve, reject }: Turn<Work>): Promise<void> => runAlone(work).then(resolve, reject);

  /** @returns whether every caller has an answer. */
  const serveTogether = async (turns: readonly Turn<Work>[]): Promise<boolean> => {
    try {
      const answers = new Map<Turn<Work>, unknown>();
      await transaction(async (sql) => {
        const serve = async (turn: Turn<Work>): Promise<void> => {
          answers.set(turn, await turn.work.run(sql));
        };
        await allOf(turns.filter(({ work }) => work.interleaves).map(serve));
        for (const turn of turns) if (!turn.work.interleaves) await serve(turn);
      });
      for (const turn of turns) turn.resolve(answers.get(turn));
      return true;
    } catch (error) {
      // The transaction may have been committed: its work must not be repeated.
      if (!isUnavailable(error)) return false;
      for (const { reject } of turns) reject(error);
      return true;
    }
  };

  const serve = async (turns: readonly Turn<Work>[]): Promise<void> => {
    if (turns.length > 1 && (await serveTogether(turns))) return;
    for (const turn of turns) await serveAlone(turn);
  };

  const [own, shared] = [createTurns<Work>(serve, 1), createTurns<Work>(serve, maxTogether)];
  return {
    inTurn: (key, run, { phase } = {}) =>
      own(key, { run, interleaves: false, alone: null }, phase) as ReturnType<typeof run>,
    inSharedTurn: (key, run, { phase, interleaves = false, alone = null } = {}) =>
      shared(key, { run, interleaves, alone }, phase) as ReturnType<typeof run>,
  };
};
