import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { isResetMaintenance } from "../rules/maintenance/reset-maintenance.ts";
import {
  type MaintenanceInput,
  type MaintenanceUpdateResult,
  recordMaintenanceUpdate,
} from "./record-maintenance-update.ts";

/**
 * It won’t happen. Only one that hasn’t begun can be cancelled, and it leaves no trace in the uptime. The sandbox resets
 * itself by its own schedule, whatever is said of it here: no operator cancels its announcement.
 * @throws DomainError reset_by_schedule, and as tellMaintenance does.
 */
export const cancelMaintenance = async (
  deps: Pick<Deps, "db" | "clock">,
  input: MaintenanceInput,
): Promise<MaintenanceUpdateResult> => {
  if (input.actor.kind === "operator" && isResetMaintenance(input.maintenanceId)) {
    throw new DomainError(
      "conflict",
      "reset_by_schedule",
      "This reset follows SANDBOX_RESET. Change or remove that setting to cancel the announcement.",
    );
  }
  return recordMaintenanceUpdate(deps, input, "cancel");
};
