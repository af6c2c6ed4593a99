import { findMaintenance } from "../data/maintenances.ts";
import type { Deps } from "../deps.ts";
import { maintenanceNotFound } from "./tell-maintenance.ts";

/** @throws DomainError maintenance_not_found. */
export const getMaintenance = async ({ db }: Pick<Deps, "db">, { maintenanceId }: { maintenanceId: string }) => {
  const maintenance = await findMaintenance(db, maintenanceId);
  if (!maintenance) throw maintenanceNotFound();
  return maintenance;
};
