import type { Deps } from "../deps/deps.ts";

/**
 * Whether work that is due at this instant of business time may start. While the clock is being moved, the process that
 * moves it does this work.
 * @param dueAt null: there is no work
 */
export const isBusinessDue = async (
  dueAt: Date | null,
  { businessClock }: Pick<Deps, "businessClock">,
): Promise<boolean> => {
  if (dueAt === null) return false;
  const until = await businessClock.dueUntil();
  return until !== null && dueAt <= until;
};
