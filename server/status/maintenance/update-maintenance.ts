import type { Deps } from "../../deps/deps.ts";
import {
  type MaintenanceInput,
  type MaintenanceUpdateResult,
  recordMaintenanceUpdate,
} from "./record-maintenance-update.ts";

/** Tells more of it; its state stays. @throws DomainError as tellMaintenance does. */
export const updateMaintenance = (
  deps: Pick<Deps, "db" | "clock">,
  input: MaintenanceInput,
): Promise<MaintenanceUpdateResult> => recordMaintenanceUpdate(deps, input, "update");
