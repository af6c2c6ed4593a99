import type { Tx } from "../client.ts";
import type { ComponentState } from "./component-changes.ts";
import type { NewIncident, NewUpdate } from "./incidents.ts";
import type { NewMaintenance } from "./maintenances.ts";
import { replayHeartbeat, replayIncidentComponents } from "./status-journal.ts";

/** What was published and is to stand in the database again. Nothing that stands there is changed, but what is behind. */

type ChangeRow = {
  id: string;
  component: string;
  source: "probe" | "operator" | "cascade";
  subject: string;
  state: ComponentState;
  at: Date;
  reason: string;
  actor: string;
};

export const restoreChanges = async (tx: Tx, changes: readonly ChangeRow[]): Promise<void> => {
  const rows = changes.map(({ id, component, source, subject, state, at, reason, actor }) => ({
    id,
    component,
    source,
    subject,
    state,
    at,
    reason,
    actor,
  }));
  await tx.componentChange.createMany({ data: rows, skipDuplicates: true });
};

export const restoreHeartbeats = async (tx: Tx, beats: readonly { component: string; at: Date }[]): Promise<void> => {
  for (const { component, at } of beats) await replayHeartbeat(tx.sql, { components: [component], at });
};

/** The updates that are missing, behind those that stand there. */
const missingUpdates = <State>(
  known: readonly { id: string; sequence: number }[],
  told: readonly NewUpdate<State>[],
) => {
  const last = Math.max(0, ...known.map(({ sequence }) => sequence));
  return told
    .filter(({ id }) => !known.some((one) => one.id === id))
    .map(({ id, state, text, actor, at }, index) => ({ id, state, text, actor, at, sequence: last + index + 1 }));
};

type PublishedIncident = Omit<NewIncident, "publicAt"> & {
  source: "probe" | "operator" | "cascade";
  publicAt: Date | null;
  resolvedAt: Date | null;
  components: readonly { component: string; state: ComponentState }[];
  updates: readonly NewUpdate<NewIncident["state"]>[];
};

/** What operators have ended since stays ended. */
export const restoreIncident = async (tx: Tx, incident: PublishedIncident): Promise<void> => {
  const { id, title, state, impact, source, openedBy, startedAt, publicAt, resolvedAt, createdAt } = incident;
  const known = await tx.incident.findUnique({ where: { id }, include: { updates: true } });
  const isOver = known?.state === "resolved" || known?.state === "dismissed";
  const course = { title, state, impact, publicAt, resolvedAt };
  if (!known) await tx.incident.create({ data: { id, ...course, source, openedBy, startedAt, createdAt } });
  else if (!isOver) await tx.incident.update({ where: { id }, data: course });
  const updates = missingUpdates(known?.updates ?? [], incident.updates).map((update) => ({
    ...update,
    incidentId: id,
  }));
  await tx.incidentUpdate.createMany({ data: updates });
  await replayIncidentComponents(tx.sql, id, incident.components);
};

type PublishedMaintenance = NewMaintenance & {
  state: "scheduled" | "in_progress" | "completed" | "cancelled";
  startedAt: Date | null;
  endedAt: Date | null;
  updates: readonly NewUpdate<"scheduled" | "in_progress" | "completed" | "cancelled">[];
};

export const restoreMaintenance = async (tx: Tx, maintenance: PublishedMaintenance): Promise<void> => {
  const { id, title, state, components, announcedAt, scheduledFrom, scheduledTo, startedAt, endedAt, actor } =
    maintenance;
  const known = await tx.maintenance.findUnique({ where: { id }, include: { updates: true } });
  const isOver = known?.state === "completed" || known?.state === "cancelled";
  const course = { title, state, components, scheduledFrom, scheduledTo, startedAt, endedAt };
  if (!known) await tx.maintenance.create({ data: { id, ...course, announcedAt, actor } });
  else if (!isOver) await tx.maintenance.update({ where: { id }, data: course });
  const updates = missingUpdates(known?.updates ?? [], maintenance.updates).map((update) => ({
    ...update,
    maintenanceId: id,
  }));
  await tx.maintenanceUpdate.createMany({ data: updates });
};
