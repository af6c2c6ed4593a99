import type { Deps } from "../deps/deps.ts";

type Kept = { at: number; answer: Promise<unknown> };

/** The kept answers of each database, by name. The names are few and fixed. */
const kept = new WeakMap<Deps["db"], Map<string, Kept>>();

/**
 * Returns one answer to all readers in this process for `milliseconds`. So the load doesn't grow with the number of
 * open pages, which update automatically. A failed answer isn't kept.
 */
export const shareAnswer = <Answer>(
  { db, clock }: Pick<Deps, "db" | "clock">,
  { name, milliseconds }: { name: string; milliseconds: number },
  load: () => Promise<Answer>,
): Promise<Answer> => {
  const answers = kept.get(db) ?? new Map<string, Kept>();
  kept.set(db, answers);
  const at = clock.now().getTime();
  const known = answers.get(name);
  if (known && at >= known.at && at - known.at < milliseconds) return known.answer as Promise<Answer>;
  const fresh: Kept = { at, answer: load() };
  answers.set(name, fresh);
  fresh.answer.catch(() => {
    if (answers.get(name) === fresh) answers.delete(name);
  });
  return fresh.answer as Promise<Answer>;
};
