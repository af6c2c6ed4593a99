import type { ComponentChange, Incident, Maintenance } from "../../status/rules/board.ts";
import type { Tx } from "../client.ts";
import type { NewUpdate } from "./incidents.ts";
import { replayHeartbeat, replayIncidentComponents } from "./status-journal.ts";

// Restores published records that the database lacks. Rows that exist are kept or brought up to date, never set back.

export const restoreChanges = async (tx: Tx, changes: readonly ComponentChange[]): Promise<void> => {
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

/** The updates that are missing, numbered after the existing ones. */
const missingUpdates = <State>(
  known: readonly { id: string; sequence: number }[],
  published: readonly NewUpdate<State>[],
) => {
  const last = Math.max(0, ...known.map(({ sequence }) => sequence));
  return published
    .filter(({ id }) => !known.some((one) => one.id === id))
    .map(({ id, state, text, actor, at }, index) => ({ id, state, text, actor, at, sequence: last + index + 1 }));
};

/** Incidents that an operator has closed in the meantime aren't reopened. */
export const restoreIncident = async (tx: Tx, incident: Incident): Promise<void> => {
  const { id, title, state, impact, source, openedBy, startedAt, publicAt, resolvedAt, createdAt } = incident;
  const known = await tx.incident.findUnique({ where: { id }, include: { updates: true } });
  const isOver = known?.state === "resolved" || known?.state === "dismissed";
  const current = { title, state, impact, publicAt, resolvedAt };
  if (!known) await tx.incident.create({ data: { id, ...current, source, openedBy, startedAt, createdAt } });
  else if (!isOver) await tx.incident.update({ where: { id }, data: current });
  const updates = missingUpdates(known?.updates ?? [], incident.updates).map((update) => ({
    ...update,
    incidentId: id,
  }));
  await tx.incidentUpdate.createMany({ data: updates });
  await replayIncidentComponents(tx.sql, id, incident.components);
};

export const restoreMaintenance = async (tx: Tx, maintenance: Maintenance): Promise<void> => {
  const { id, title, state, components, announcedAt, scheduledFrom, scheduledTo, startedAt, endedAt, actor } =
    maintenance;
  const known = await tx.maintenance.findUnique({ where: { id }, include: { updates: true } });
  const isOver = known?.state === "completed" || known?.state === "cancelled";
  const current = { title, state, components, scheduledFrom, scheduledTo, startedAt, endedAt };
  if (!known) await tx.maintenance.create({ data: { id, ...current, announcedAt, actor } });
  else if (!isOver) await tx.maintenance.update({ where: { id }, data: current });
  const updates = missingUpdates(known?.updates ?? [], maintenance.updates).map((update) => ({
    ...update,
    maintenanceId: id,
  }));
  await tx.maintenanceUpdate.createMany({ data: updates });
};
