import type { Deps } from "../../deps/deps.ts";
import {
  type MaintenanceInput,
  type MaintenanceUpdateResult,
  recordMaintenanceUpdate,
} from "./record-maintenance-update.ts";

/** Publishes a text; the state doesn't change. @throws DomainError as recordMaintenanceUpdate does. */
export const updateMaintenance = (
  deps: Pick<Deps, "db" | "clock">,
  input: MaintenanceInput,
): Promise<MaintenanceUpdateResult> => recordMaintenanceUpdate(deps, input, { act: "update" });
