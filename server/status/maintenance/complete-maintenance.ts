import type { Deps } from "../../deps/deps.ts";
import {
  type MaintenanceInput,
  type MaintenanceUpdateResult,
  recordMaintenanceUpdate,
} from "./record-maintenance-update.ts";

/** Measurements of its components count again. @throws DomainError as recordMaintenanceUpdate does. */
export const completeMaintenance = (
  deps: Pick<Deps, "db" | "clock">,
  input: MaintenanceInput,
): Promise<MaintenanceUpdateResult> => recordMaintenanceUpdate(deps, input, { act: "complete" });
