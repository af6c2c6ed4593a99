import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { isResetMaintenance } from "../rules/maintenance/reset-maintenance.ts";
import {
  type MaintenanceInput,
  type MaintenanceUpdateResult,
  recordMaintenanceUpdate,
} from "./record-maintenance-update.ts";

/**
 * Cancels a maintenance window that hasn't started. The window doesn't affect the uptime. Operators can't cancel the
 * announcement of a sandbox reset, because the reset follows its schedule.
 * @throws DomainError reset_by_schedule, and as recordMaintenanceUpdate does.
 */
export const cancelMaintenance = async (
  deps: Pick<Deps, "db" | "clock">,
  input: MaintenanceInput,
): Promise<MaintenanceUpdateResult> => {
  if (input.actor.kind === "operator" && isResetMaintenance(input.maintenanceId)) {
    throw new DomainError("conflict", {
      code: "reset_by_schedule",
      message: "This reset is scheduled by SANDBOX_RESET. Change or remove that setting to cancel the announcement.",
    });
  }
  return recordMaintenanceUpdate(deps, input, { act: "cancel" });
};
