import type { findServiceFigures } from "../../../operators/figures/find-service-figures.ts";
import type { findBudgetBoard } from "../../../status/board/find-budget-board.ts";
import { toErrorBudgets } from "../../status/status-views.ts";

type Figures = Awaited<ReturnType<typeof findServiceFigures>>;
type BudgetBoard = NonNullable<Awaited<ReturnType<typeof findBudgetBoard>>>;

export const toServiceFigures = ({ points, workerSeenAt, ...figures }: Figures) => ({
  ...figures,
  points: points.map(({ at, ...point }) => ({ at: at.toISOString(), ...point })),
  workerSeenAt: workerSeenAt?.toISOString() ?? null,
});

/** The part of the error budgets page that the home page shows. */
export const toBudgetsLeft = (source: BudgetBoard & { statusUrl: string }) =>
  toErrorBudgets(source).components.map(({ id, name, allowed_ms, left_ms, used_up }) => ({
    id,
    name,
    allowedMilliseconds: allowed_ms,
    leftMilliseconds: left_ms,
    isUsedUp: used_up,
  }));

export type ServiceFigures = ReturnType<typeof toServiceFigures>;
export type BudgetsLeft = ReturnType<typeof toBudgetsLeft>;
