import { createTurns, type Turn } from "./turns.ts";
import { isUnavailable } from "./unavailable.ts";

/** So many share a transaction at the most: whoever else wants the row, a revocation say, waits no longer than that. */
const together = 16;

type Transaction<Sql> = <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;
type InTurn<Sql> = <T>(key: string, work: (sql: Sql) => Promise<T>) => Promise<T>;

/** Turns of one process at rows that many want at once; see `Db`. */
export const takeTurnsAt = <Sql>(transaction: Transaction<Sql>): { inTurn: InTurn<Sql>; inSharedTurn: InTurn<Sql> } => {
  type Work = (sql: Sql) => Promise<unknown>;
  const serveAlone = ({ work, resolve, reject }: Turn<Work>): Promise<void> => transaction(work).then(resolve, reject);

  /** @returns whether everybody has an answer. */
  const serveTogether = async (turns: readonly Turn<Work>[]): Promise<boolean> => {
    try {
      const answers = await transaction(async (sql) => {
        const done: unknown[] = [];
        for (const { work } of turns) done.push(await work(sql));
        return done;
      });
      for (const [index, { resolve }] of turns.entries()) resolve(answers[index]);
      return true;
    } catch (error) {
      // It may have been committed for all that is known: nobody may do it once more.
      if (!isUnavailable(error)) return false;
      for (const { reject } of turns) reject(error);
      return true;
    }
  };

  const serve = async (turns: readonly Turn<Work>[]): Promise<void> => {
    if (turns.length > 1 && (await serveTogether(turns))) return;
    for (const turn of turns) await serveAlone(turn);
  };

  const [own, shared] = [createTurns<Work>(serve, 1), createTurns<Work>(serve, together)];
  return {
    inTurn: (key, work) => own(key, work) as ReturnType<typeof work>,
    inSharedTurn: (key, work) => shared(key, work) as ReturnType<typeof work>,
  };
};
