import type {
  findServiceCharges,
  findServiceQueues,
  findServiceRequests,
} from "../../../operators/figures/find-service-figures.ts";
import type { findBudgetBoard } from "../../../status/board/find-budget-board.ts";
import { toErrorBudgets } from "../../status/status-views.ts";

type Requests = Awaited<ReturnType<typeof findServiceRequests>>;
type Queues = Awaited<ReturnType<typeof findServiceQueues>>;
type BudgetBoard = NonNullable<Awaited<ReturnType<typeof findBudgetBoard>>>;

export const toServiceRequests = ({ points, ...figures }: Requests) => ({
  ...figures,
  points: points.map(({ at, ...point }) => ({ at: at.toISOString(), ...point })),
});

export const toServiceQueues = ({ queues, workerSeenAt }: Queues) => ({
  queues,
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

export type ServiceRequests = ReturnType<typeof toServiceRequests>;
export type ServiceQueues = ReturnType<typeof toServiceQueues>;
export type ServiceCharges = Awaited<ReturnType<typeof findServiceCharges>>;
export type BudgetsLeft = ReturnType<typeof toBudgetsLeft>;
