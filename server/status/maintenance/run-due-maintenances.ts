import { findDueMaintenances } from "../../data/status/maintenances.ts";
import type { Deps } from "../../deps/deps.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { isResetMaintenance } from "../rules/maintenance/reset-maintenance.ts";
import { recordMaintenanceUpdate } from "./record-maintenance-update.ts";

const actor = { kind: "system", id: "run-maintenances" } as const;

/**
 * Begins and ends what nobody began or ended by hand, as of the window's own bounds: a worker that was down meanwhile,
 * as it may well be then, changes nothing of what is told. @returns how many; call again while it equals `limit`.
 */
export const runDueMaintenances = async (
  deps: Pick<Deps, "db" | "clock">,
  { limit }: { limit: number },
): Promise<number> => {
  const due = await findDueMaintenances(deps.db, deps.clock.now(), limit);
  for (const { id, state, scheduledFrom, scheduledTo } of due) {
    const input = { maintenanceId: id, updateId: newId("upd"), actor, requestId: newId("req") };
    await (state === "scheduled"
      ? recordMaintenanceUpdate(deps, { ...input, text: "The maintenance has begun." }, "start", scheduledFrom)
      : recordMaintenanceUpdate(deps, { ...input, text: endWords(id) }, "complete", scheduledTo)
    ).catch(unlessDone);
  }
  return due.length;
};

/** Whether the sandbox was reset, or had to leave it out, is the sandbox's to know. */
const endWords = (id: string): string =>
  isResetMaintenance(id) ? "The time of the reset is over." : "The maintenance is completed.";

/** Another worker or an operator was first. */
const unlessDone = (error: unknown): void => {
  if (!isDomainError(error) || error.kind !== "conflict") throw error;
};
