import { createTurns, type Phase, type Turn } from "./turns.ts";
import { isUnavailable } from "./unavailable.ts";

/**
 * Maximum callers per shared transaction, which limits how long another caller, for example a revocation, waits for the
 * row.
 */
const maxTogether = 16;

type Transaction<Sql> = <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;
type How = { phase?: Phase };
type SharedHow = How & {
  interleaves?: boolean;
  /** the work is a single statement, so a caller that shares its turn with no other needs no transaction */
  isOneStatement?: boolean;
};
export type InTurn<Sql> = <T>(key: string, work: (sql: Sql) => Promise<T>, how?: How) => Promise<T>;
export type InSharedTurn<Sql> = <T>(key: string, work: (sql: Sql) => Promise<T>, how?: SharedHow) => Promise<T>;

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
  type Work = { run: (sql: Sql) => Promise<unknown>; interleaves: boolean; isOneStatement: boolean };
  const serveAlone = ({ work, resolve, reject }: Turn<Work>): Promise<void> =>
    (work.isOneStatement ? work.run(outside) : transaction(work.run)).then(resolve, reject);

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
      own(key, { run, interleaves: false, isOneStatement: false }, phase) as ReturnType<typeof run>,
    inSharedTurn: (key, run, { phase, interleaves = false, isOneStatement = false } = {}) =>
      shared(key, { run, interleaves, isOneStatement }, phase) as ReturnType<typeof run>,
  };
};
