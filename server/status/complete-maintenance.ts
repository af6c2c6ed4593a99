import type { Deps } from "../deps.ts";
import { type MaintenanceInput, type MaintenanceTold, tellMaintenance } from "./tell-maintenance.ts";

/** It is over: what is measured holds again. @throws DomainError as tellMaintenance does. */
export const completeMaintenance = (
  deps: Pick<Deps, "db" | "clock">,
  input: MaintenanceInput,
): Promise<MaintenanceTold> => tellMaintenance(deps, input, "complete");
