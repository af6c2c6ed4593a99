import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { Tx } from "../../data/client.ts";
import { insertOperatorChanges, listOperatorChanges } from "../../data/status/component-changes.ts";
import {
  findMaintenance,
  findMaintenanceOfUpdate,
  insertMaintenanceUpdate,
  lockMaintenance,
  type MaintenanceChange,
  updateMaintenanceRow,
} from "../../data/status/maintenances.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { refuseTakenUpdateId, takenUpdateIdRefusal } from "../incidents/taken-update-id.ts";
import type { MaintenanceState } from "../rules/board.ts";
import { nextUpdateTime } from "../rules/incidents/next-update-time.ts";
import { type MaintenanceAct, maintenanceActRefusal } from "../rules/maintenance/maintenance-state.ts";

export type MaintenanceInput = {
  maintenanceId: string;
  /** chosen by the caller; an update that is sent twice is recorded once */
  updateId: string;
  /** the public text */
  text: string;
  actor: Actor;
  requestId: string;
};

export type MaintenanceUpdateResult = { isNew: boolean; state: MaintenanceState };

const refusals = {
  maintenance_scheduled: "This maintenance hasn’t started.",
  maintenance_in_progress: "This maintenance is in progress.",
  maintenance_completed: "This maintenance is completed.",
  maintenance_cancelled: "This maintenance was canceled.",
} as const;
const actions = { start: "started", complete: "completed", cancel: "cancelled", update: "updated" } as const;

type Row = NonNullable<Awaited<ReturnType<typeof findMaintenance>>>;

export const maintenanceNotFound = (): DomainError =>
  new DomainError("not_found", { code: "maintenance_not_found", message: "Maintenance not found. Check the ID." });

/**
 * Records one update of a maintenance window in one transaction: its state, text, component states and audit entry.
 * Updates of one maintenance window are serialized: each sees the state after the previous one.
 * @param asOf when the state changed: a job gives the start or end of the window, even if the job runs late.
 * @throws DomainError maintenance_not_found, update_id_taken; depending on its state also maintenance_scheduled,
 *   maintenance_in_progress, maintenance_completed or maintenance_cancelled.
 */
export const recordMaintenanceUpdate = (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { maintenanceId: id, updateId, text, actor, requestId }: MaintenanceInput,
  { act, asOf = clock.now() }: { act: MaintenanceAct; asOf?: Date },
): Promise<MaintenanceUpdateResult> =>
  db
    .transaction(async (tx) => {
      const maintenance = await getLockedMaintenance(tx, id);
      if (await isUpdateRecorded(tx, id, updateId)) return { isNew: false, state: maintenance.state };
      // Maintenance starts when its window begins, even if the start wasn't recorded (started-maintenances.ts).
      const hasStarted = maintenance.state === "scheduled" && maintenance.scheduledFrom <= asOf;
      const code = maintenanceActRefusal(hasStarted && act === "cancel" ? "in_progress" : maintenance.state, act);
      if (code) throw new DomainError("conflict", { code, message: refusals[code] });
      const changes = await listOperatorChanges({ prisma: tx }, id);
      const at = nextUpdateTime(
        hasStarted && act === "start" ? maintenance.scheduledFrom : asOf,
        [...maintenance.updates, ...changes].map((earlier) => earlier.at),
      );
      const { change, componentState } = decide(maintenance, act, at);
      const sequence = (maintenance.updates.at(-1)?.sequence ?? 0) + 1;
      await updateMaintenanceRow(tx, id, change);
      await insertMaintenanceUpdate(tx, id, { id: updateId, sequence, state: change.state, text, actor: actor.id, at });
      await insertOperatorChanges(tx, {
        subject: id,
        at,
        reason: text,
        actor: actor.id,
        states: componentState
          ? maintenance.components.map((component) => ({ id: newId("cch"), component, state: componentState }))
          : [],
      });
      await appendAudit(tx.sql, {
        at: clock.now(),
        actor,
        requestId,
        action: `maintenance.${actions[act]}`,
        subjectId: id,
        data: { state: change.state, update_id: updateId, reason: text, as_of: at.toISOString() },
      });
      return { isNew: true, state: change.state };
    })
    .catch(refuseTakenUpdateId("maintenance"));

const getLockedMaintenance = async (tx: Tx, id: string): Promise<Row> => {
  const maintenance = (await lockMaintenance(tx.sql, id)) ? await findMaintenance({ prisma: tx }, id) : null;
  if (!maintenance) throw maintenanceNotFound();
  return maintenance;
};

/** @throws DomainError update_id_taken if another maintenance window has an update with this id. */
const isUpdateRecorded = async (tx: Tx, maintenanceId: string, updateId: string): Promise<boolean> => {
  const ownerId = await findMaintenanceOfUpdate(tx, updateId);
  if (ownerId === null || ownerId === maintenanceId) return ownerId !== null;
  throw takenUpdateIdRefusal("maintenance");
};

type Decision = { change: MaintenanceChange; componentState: "maintenance" | "operational" | null };

/** A canceled maintenance window never started, so it sets no component state. */
const decide = ({ state }: Row, act: MaintenanceAct, at: Date): Decision => {
  switch (act) {
    case "start":
      return { change: { state: "in_progress", startedAt: at }, componentState: "maintenance" };
    case "complete":
      return { change: { state: "completed", endedAt: at }, componentState: "operational" };
    case "cancel":
      return { change: { state: "cancelled" }, componentState: null };
    case "update":
      return { change: { state }, componentState: null };
  }
};
