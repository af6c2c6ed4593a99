import type { Deps } from "../../deps/deps.ts";
import { loadBoard } from "../../status/board/load-board.ts";
import type { Board } from "../../status/rules/board.ts";
import { withStartedMaintenances } from "../../status/rules/maintenance/started-maintenances.ts";
import { shareAnswer } from "./share-answer.ts";

const sharedMilliseconds = 60_000;

/**
 * The status page's board for the error budgets on the home page, at most a minute old: it takes about ten statements.
 * The status page covers production. @returns null in the sandbox.
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
