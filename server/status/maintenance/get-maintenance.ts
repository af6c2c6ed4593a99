import { findMaintenance } from "../../data/status/maintenances.ts";
import type { Deps } from "../../deps/deps.ts";
import { maintenanceNotFound } from "./record-maintenance-update.ts";

/** @throws DomainError maintenance_not_found. */
export const getMaintenance = async ({ db }: Pick<Deps, "db">, { maintenanceId }: { maintenanceId: string }) => {
  const maintenance = await findMaintenance(db, maintenanceId);
  if (!maintenance) throw maintenanceNotFound();
  return maintenance;
};
