import { findMaintenancePage } from "../../data/status/maintenances.ts";
import type { Deps } from "../../deps/deps.ts";
import type { MaintenanceState } from "../rules/board.ts";

type Query = {
  /** a part of the title, or an id */
  search?: string | undefined;
  state?: MaintenanceState | undefined;
  startingAfter?: string | undefined;
  limit: number;
};

type Row = Awaited<ReturnType<typeof findMaintenancePage>>[number];

/** A page of maintenance windows, the latest first, including canceled ones. */
export const listMaintenances = async (
  { db }: Pick<Deps, "db">,
  { search, state, startingAfter, limit }: Query,
): Promise<{ maintenances: Row[]; hasMore: boolean }> => {
  const page = { search: search ?? null, state: state ?? null, startingAfter: startingAfter ?? null, limit };
  const rows = await findMaintenancePage(db, page);
  return { maintenances: rows.slice(0, limit), hasMore: rows.length > limit };
};
