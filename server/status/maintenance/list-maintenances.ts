import { listMaintenanceRows as list } from "../../data/status/maintenances.ts";
import type { Deps } from "../../deps/deps.ts";

/** A page's worth: older ones are on the status page. */
const pageSize = 100;

/** The latest window first, cancelled ones too. */
export const listMaintenances = ({ db }: Pick<Deps, "db">) => list(db, pageSize);
