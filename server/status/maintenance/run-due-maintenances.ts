import { findDueMaintenances } from "../../data/status/maintenances.ts";
import type { Deps } from "../../deps/deps.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { isResetMaintenance } from "../rules/maintenance/reset-maintenance.ts";
import { recordMaintenanceUpdate } from "./record-maintenance-update.ts";

const actor = { kind: "system", id: "run-maintenances" } as const;

/**
 * Starts and completes maintenance that no operator has started or completed. The recorded times are the bounds of its
 * window, even if no worker was running then. @returns how many were due; call again while the result equals `limit`.
 */
export const runDueMaintenances = async (
  deps: Pick<Deps, "db" | "clock">,
  { limit }: { limit: number },
): Promise<number> => {
  const due = await findDueMaintenances(deps.db, deps.clock.now(), limit);
  for (const { id, state, scheduledFrom, scheduledTo } of due) {
    const input = { maintenanceId: id, updateId: newId("upd"), actor, requestId: newId("req") };
    const isStart = state === "scheduled";
    const text = isStart ? "The maintenance has started." : completionText(id);
    const decision = isStart
      ? ({ act: "start", asOf: scheduledFrom } as const)
      : ({ act: "complete", asOf: scheduledTo } as const);
    await recordMaintenanceUpdate(deps, { ...input, text }, decision).catch(ignoreDone);
  }
  return due.length;
};

/** Doesn't say that the reset was done, because only the sandbox can confirm this. */
const completionText = (id: string): string =>
  isResetMaintenance(id) ? "The reset window is over." : "The maintenance is completed.";

/** Ignores the error if another worker or an operator was first. */
const ignoreDone = (error: unknown): void => {
  if (!isDomainError(error) || error.kind !== "conflict") throw error;
};
