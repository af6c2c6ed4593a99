import { headers } from "next/headers";
import type { Board } from "#server/status/rules/board.ts";
import { currentStatusDeps } from "#server/status/runtime.ts";

/** The data of a status page at one instant. Reading the request headers makes the page dynamic. */
export const statusPage = async (): Promise<{ board: Board; now: Date; statusUrl: string; productionUrl: string }> => {
  await headers();
  const { board, clock, config } = currentStatusDeps();
  return { board: board(), now: clock.now(), statusUrl: config.statusUrl, productionUrl: config.baseUrl };
};
