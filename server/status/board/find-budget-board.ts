import type { Deps } from "../../deps/deps.ts";
import { shareAnswer } from "../../platform/share-answer.ts";
import type { Board } from "../rules/board.ts";
import { withStartedMaintenances } from "../rules/maintenance/started-maintenances.ts";
import { loadBoard } from "./load-board.ts";

const sharedMilliseconds = 60_000;

/**
 * The board of the status page, for the error budgets on the home page. Reading it takes about ten statements, so it is
 * shared for up to a minute. The status page covers production. @returns null in the sandbox.
 */
export const findBudgetBoard = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
): Promise<{ board: Board; now: Date } | null> => {
  if (deps.config.environment !== "production") return null;
  return shareAnswer(deps, { name: "budgets", milliseconds: sharedMilliseconds }, async () => {
    const now = deps.clock.now();
    return { board: withStartedMaintenances(await loadBoard(deps), now), now };
  });
};
