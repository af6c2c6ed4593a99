import type { ComponentState, IncidentImpact, IncidentState } from "../../status/rules/board.ts";
import { type Db, type Sql, statement, type Tx } from "../client.ts";
import { type PageAfter, titleOrId } from "./status-page.ts";

export type NewIncident = {
  id: string;
  title: string;
  state: IncidentState;
  impact: IncidentImpact;
  openedBy: string;
  startedAt: Date;
  publicAt: Date;
  createdAt: Date;
};

/** At most one caller per id inserts the incident. @returns false if it already exists. */
export const insertIncident = async (tx: Tx, incident: NewIncident): Promise<boolean> =>
  (await tx.incident.createMany({ data: { ...incident, source: "operator" }, skipDuplicates: true })).count === 1;

const lock = statement<{ id: string }>("lock_incident", "SELECT id FROM incident WHERE id = $1 FOR UPDATE");

/**
 * Locks an incident until the transaction ends. Each change of an incident first takes this lock.
 * @returns false if the incident doesn't exist.
 */
export const lockIncident = async (sql: Sql, id: string): Promise<boolean> =>
  (await sql.query(lock, [id])).length === 1;

type Reader = Pick<Db, "prisma"> | { prisma: Tx };

/**
 * Adds the components, updates and postmortem of each incident. The queries run one after the other, because a
 * transaction has one connection.
 */
export const withIncidentDetails = async <Incident extends { id: string }>(
  { prisma }: Reader,
  incidents: readonly Incident[],
) => {
  const where = { incidentId: { in: incidents.map(({ id }) => id) } };
  const ofIncident = ({ incidentId }: { incidentId: string }) => incidentId;
  const components = await prisma.incidentComponent.findMany({ where, orderBy: { component: "asc" } });
  const updates = await prisma.incidentUpdate.findMany({ where, orderBy: { sequence: "asc" } });
  const actions = { orderBy: { position: "asc" } } as const;
  const postmortems = await prisma.postmortem.findMany({ where, include: { actions } });
  const [componentsOf, updatesOf] = [Map.groupBy(components, ofIncident), Map.groupBy(updates, ofIncident)];
  const postmortemOf = new Map(postmortems.map((postmortem) => [postmortem.incidentId, postmortem]));
  return incidents.map((incident) => ({
    ...incident,
    components: componentsOf.get(incident.id) ?? [],
    updates: updatesOf.get(incident.id) ?? [],
    postmortem: postmortemOf.get(incident.id) ?? null,
  }));
};

export const findIncident = async (reader: Reader, id: string) => {
  const incident = await reader.prisma.incident.findUnique({ where: { id } });
  const [found = null] = incident ? await withIncidentDetails(reader, [incident]) : [];
  return found;
};

export type IncidentPage = { search: string | null; state: IncidentState | null } & PageAfter;

/**
 * Newest first. Returns `limit` + 1 if there are more. The incident `startingAfter` might no longer match the filter,
 * so only its position in the list counts. If its id is unknown, the page is empty.
 * @param search a part of the title, or an id.
 */
export const findIncidentPage = async (reader: Reader, { search, state, startingAfter, limit }: IncidentPage) => {
  const older = startingAfter === null ? {} : await olderThan(reader, startingAfter);
  if (older === null) return [];
  const incidents = await reader.prisma.incident.findMany({
    where: { AND: [titleOrId(search), state === null ? {} : { state }, older] },
    orderBy: [{ startedAt: "desc" }, { id: "desc" }],
    take: limit + 1,
  });
  return withIncidentDetails(reader, incidents);
};

const olderThan = async ({ prisma }: Reader, id: string) => {
  const last = await prisma.incident.findUnique({ where: { id }, select: { startedAt: true } });
  if (!last) return null;
  return { OR: [{ startedAt: { lt: last.startedAt } }, { startedAt: last.startedAt, id: { lt: id } }] };
};

export type IncidentChange = {
  state?: IncidentState;
  title?: string;
  impact?: IncidentImpact;
  publicAt?: Date;
  resolvedAt?: Date;
};

export const updateIncidentRow = async (tx: Tx, id: string, data: IncidentChange): Promise<void> => {
  await tx.incident.update({ where: { id }, data });
};

export type NewUpdate<State> = { id: string; sequence: number; state: State; text: string; actor: string; at: Date };

export const insertIncidentUpdate = async (
  tx: Tx,
  incidentId: string,
  update: NewUpdate<IncidentState>,
): Promise<void> => {
  await tx.incidentUpdate.create({ data: { ...update, incidentId } });
};

/** @returns id of the incident that has this update; null if there is no such update. */
export const findIncidentOfUpdate = async (tx: Tx, updateId: string): Promise<string | null> =>
  (await tx.incidentUpdate.findUnique({ where: { id: updateId }, select: { incidentId: true } }))?.incidentId ?? null;

/** Saves the worst state that each component had during the incident. */
export const saveIncidentComponents = async (
  tx: Tx,
  incidentId: string,
  components: readonly { component: string; state: ComponentState }[],
): Promise<void> => {
  for (const { component, state } of components) {
    const key = { incidentId, component };
    await tx.incidentComponent.upsert({
      where: { incidentId_component: key },
      create: { ...key, state },
      update: { state },
    });
  }
};
