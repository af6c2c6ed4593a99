import { listMaintenanceRows } from "../../data/status/maintenances.ts";
import type { Deps } from "../../deps/deps.ts";

/** Older maintenance is on the status page. */
const pageSize = 100;

/** Latest window first, with canceled ones. */
export const listMaintenances = ({ db }: Pick<Deps, "db">) => listMaintenanceRows(db, pageSize);
