import type { Deps } from "../deps/deps.ts";

/**
 * The sandbox's time if an operator has moved it forward, otherwise null.
 * @throws Error if the database is unreachable.
 */
export const findDisplayedClock = async ({
  config,
  businessClock,
  clock,
}: Pick<Deps, "businessClock" | "clock"> & { config: Pick<Deps["config"], "environment"> }): Promise<Date | null> => {
  if (config.environment !== "sandbox") return null;
  const now = await businessClock.now();
  return now.getTime() - clock.now().getTime() >= 1_000 ? now : null;
};

/**
 * The date that pages display; empty if they display none. Never fails: without the database, it is `unknown`, and
 * pages display no clock.
 */
export const displayedClockDay = (deps: Parameters<typeof findDisplayedClock>[0]): Promise<string> =>
  findDisplayedClock(deps).then(
    (now) => now?.toISOString().slice(0, 10) ?? "",
    () => "unknown",
  );
