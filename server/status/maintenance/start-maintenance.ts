import type { Deps } from "../../deps/deps.ts";
import {
  type MaintenanceInput,
  type MaintenanceUpdateResult,
  recordMaintenanceUpdate,
} from "./record-maintenance-update.ts";

/**
 * Starts a maintenance window: until it ends, `maintenance` applies to its components instead of the measured states.
 * @throws DomainError as recordMaintenanceUpdate does.
 */
export const startMaintenance = (
  deps: Pick<Deps, "db" | "clock">,
  input: MaintenanceInput,
): Promise<MaintenanceUpdateResult> => recordMaintenanceUpdate(deps, input, { act: "start" });
