import type { Deps } from "../deps/deps.ts";

/** The sandbox's time where an operator has put it ahead, else null. @throws Error where the database can't be reached. */
export const findShownClock = async ({
  config,
  businessClock,
  clock,
}: Pick<Deps, "businessClock" | "clock"> & { config: Pick<Deps["config"], "environment"> }): Promise<Date | null> => {
  if (config.environment !== "sandbox") return null;
  const now = await businessClock.now();
  return now.getTime() - clock.now().getTime() >= 1_000 ? now : null;
};

/** The day that pages show of it. Never fails: without the database pages show no clock. */
export const shownClockDay = (deps: Parameters<typeof findShownClock>[0]): Promise<string> =>
  findShownClock(deps).then(
    (now) => now?.toISOString().slice(0, 10) ?? "",
    () => "unknown",
  );
