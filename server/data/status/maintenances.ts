import type { MaintenanceState } from "../../status/rules/board.ts";
import { type Db, type Sql, statement, type Tx } from "../client.ts";
import type { NewUpdate } from "./incidents.ts";
import { type PageAfter, titleOrId } from "./status-page.ts";

export type NewMaintenance = {
  id: string;
  title: string;
  components: string[];
  announcedAt: Date;
  scheduledFrom: Date;
  scheduledTo: Date;
  actor: string;
};

/** At most one caller per id inserts the maintenance window. @returns false if it already exists. */
export const insertMaintenance = async (tx: Tx, maintenance: NewMaintenance): Promise<boolean> =>
  (await tx.maintenance.createMany({ data: { ...maintenance, state: "scheduled" }, skipDuplicates: true })).count === 1;

const lock = statement<{ id: string }>("lock_maintenance", "SELECT id FROM maintenance WHERE id = $1 FOR UPDATE");

/** Each change of a maintenance window holds this lock until the commit. @returns false if the window doesn't exist. */
export const lockMaintenance = async (sql: Sql, id: string): Promise<boolean> =>
  (await sql.query(lock, [id])).length === 1;

const include = { updates: { orderBy: { sequence: "asc" } } } as const;

export const findMaintenance = ({ prisma }: Pick<Db, "prisma"> | { prisma: Tx }, id: string) =>
  prisma.maintenance.findUnique({ where: { id }, include });

export type MaintenancePage = { search: string | null; state: MaintenanceState | null } & PageAfter;

/**
 * Latest window first. Returns `limit` + 1 if there are more. The window `startingAfter` might no longer match the
 * filter, so only its position in the list counts. If its id is unknown, the page is empty.
 * @param search a part of the title, or an id.
 */
export const findMaintenancePage = async (
  { prisma }: Pick<Db, "prisma">,
  { search, state, startingAfter, limit }: MaintenancePage,
) => {
  const earlier = startingAfter === null ? {} : await earlierThan(prisma, startingAfter);
  if (earlier === null) return [];
  return prisma.maintenance.findMany({
    where: { AND: [titleOrId(search), state === null ? {} : { state }, earlier] },
    orderBy: [{ scheduledFrom: "desc" }, { id: "desc" }],
    take: limit + 1,
    include,
  });
};

const earlierThan = async (prisma: Db["prisma"], id: string) => {
  const last = await prisma.maintenance.findUnique({ where: { id }, select: { scheduledFrom: true } });
  if (!last) return null;
  return { OR: [{ scheduledFrom: { lt: last.scheduledFrom } }, { scheduledFrom: last.scheduledFrom, id: { lt: id } }] };
};

/** Maintenance to start or complete: its window has begun or ended, and its state hasn't changed yet. */
export const findDueMaintenances = ({ prisma }: Pick<Db, "prisma">, now: Date, limit: number) =>
  prisma.maintenance.findMany({
    where: {
      OR: [
        { state: "scheduled", scheduledFrom: { lte: now } },
        { state: "in_progress", scheduledTo: { lte: now } },
      ],
    },
    orderBy: [{ scheduledFrom: "asc" }, { id: "asc" }],
    take: limit,
    select: { id: true, state: true, scheduledFrom: true, scheduledTo: true },
  });

export type MaintenanceChange = { state: MaintenanceState; startedAt?: Date; endedAt?: Date };

export const updateMaintenanceRow = async (tx: Tx, id: string, data: MaintenanceChange): Promise<void> => {
  await tx.maintenance.update({ where: { id }, data });
};

export const insertMaintenanceUpdate = async (
  tx: Tx,
  maintenanceId: string,
  update: NewUpdate<MaintenanceState>,
): Promise<void> => {
  await tx.maintenanceUpdate.create({ data: { ...update, maintenanceId } });
};

/** @returns id of the maintenance window that has this update; null if there is no such update. */
export const findMaintenanceOfUpdate = async (tx: Tx, updateId: string): Promise<string | null> =>
  (await tx.maintenanceUpdate.findUnique({ where: { id: updateId }, select: { maintenanceId: true } }))
    ?.maintenanceId ?? null;
