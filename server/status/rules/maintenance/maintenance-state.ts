import type { MaintenanceState } from "../board.ts";

/** All states, as an operator can filter by them. */
export const maintenanceStates = [
  "scheduled",
  "in_progress",
  "completed",
  "cancelled",
] as const satisfies readonly MaintenanceState[];

export type MaintenanceAct = "start" | "complete" | "cancel" | "update";
type Refusal = "maintenance_scheduled" | "maintenance_in_progress" | "maintenance_completed" | "maintenance_cancelled";

const allowed: Readonly<Record<MaintenanceState, readonly MaintenanceAct[]>> = {
  scheduled: ["start", "cancel", "update"],
  in_progress: ["complete", "update"],
  completed: [],
  cancelled: [],
};

/**
 * Why an action isn't possible; null if it is. Started maintenance can't be canceled: it is part of the uptime
 * record.
 */
export const maintenanceActRefusal = (state: MaintenanceState, act: MaintenanceAct): Refusal | null =>
  allowed[state].includes(act) ? null : `maintenance_${state}`;

const maxWindowSeconds = 7 * 24 * 3600;

/** Why a window can't be announced, by field. */
export const windowProblems = (
  window: { from: Date; to: Date },
  now: Date,
): { field: "from" | "to"; why: string }[] => {
  if (window.from < now) return [{ field: "from", why: "The start must be in the future." }];
  if (window.to <= window.from) return [{ field: "to", why: "The end must be after the start." }];
  const seconds = (window.to.getTime() - window.from.getTime()) / 1000;
  return seconds > maxWindowSeconds ? [{ field: "to", why: "The maintenance can last at most seven days." }] : [];
};
