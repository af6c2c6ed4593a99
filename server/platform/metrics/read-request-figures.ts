import { findRequestSteps } from "../../data/platform/request-minutes.ts";
import type { Deps } from "../../deps/deps.ts";
import { noDurations } from "./rules/durations.ts";
import { currentOf, type FigureRange, figurePeriod, pointsOf, totalOf } from "./rules/request-figures.ts";

export type { FigureRange } from "./rules/request-figures.ts";

/**
 * Requests that all web processes answered, at most a minute late. One statement.
 * @returns `points`: one for each step of the range; `current`: the last minutes, only meaningful for the range `hour`.
 */
export const readRequestFigures = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { range }: { range: FigureRange },
) => {
  const period = figurePeriod(range, clock.now());
  const steps = await findRequestSteps(db.sql, { ...period, buckets: noDurations().length });
  return {
    points: pointsOf(steps, period),
    total: totalOf(steps, period.stepMinutes),
    current: currentOf(steps, period.to),
  };
};
