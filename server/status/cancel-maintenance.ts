import type { Deps } from "../deps.ts";
import { type MaintenanceInput, type MaintenanceTold, tellMaintenance } from "./tell-maintenance.ts";

/** It won’t happen. Only one that hasn’t begun can be cancelled, and it leaves no trace in the uptime. @throws DomainError as tellMaintenance does. */
export const cancelMaintenance = (
  deps: Pick<Deps, "db" | "clock">,
  input: MaintenanceInput,
): Promise<MaintenanceTold> => tellMaintenance(deps, input, "cancel");
