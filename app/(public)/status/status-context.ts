import { headers } from "next/headers";
import type { Board } from "#server/status/rules/board.ts";
import { currentStatusDeps } from "#server/status/runtime.ts";

/** What a page of the status process tells from, as of one instant. Reading the request makes it dynamic. */
export const statusPage = async (): Promise<{ board: Board; now: Date; statusUrl: string; productionUrl: string }> => {
  await headers();
  const { board, clock, config } = currentStatusDeps();
  return { board: board(), now: clock.now(), statusUrl: config.statusUrl, productionUrl: config.baseUrl };
};
