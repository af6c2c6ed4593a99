import type { Deps } from "../../deps/deps.ts";
import {
  type MaintenanceInput,
  type MaintenanceUpdateResult,
  recordMaintenanceUpdate,
} from "./record-maintenance-update.ts";

/** The measurements of its components no longer count. @throws DomainError as recordMaintenanceUpdate does. */
export const startMaintenance = (
  deps: Pick<Deps, "db" | "clock">,
  input: MaintenanceInput,
): Promise<MaintenanceUpdateResult> => recordMaintenanceUpdate(deps, input, { act: "start" });
