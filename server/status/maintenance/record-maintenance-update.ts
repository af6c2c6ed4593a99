import { type Actor, appendAudit } from "../../data/audit/audit.ts";
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
  /** made by the caller: whoever sends it twice tells it once */
  updateId: string;
  /** what everybody reads */
  text: string;
  actor: Actor;
  requestId: string;
};

export type MaintenanceUpdateResult = { isNew: boolean; state: MaintenanceState };

const refusals = {
  maintenance_scheduled: "This maintenance hasn’t started.",
  maintenance_in_progress: "This maintenance is in progress.",
  maintenance_completed: "This maintenance is completed.",
  maintenance_cancelled: "This maintenance was cancelled.",
} as const;

const actions = { start: "started", complete: "completed", cancel: "cancelled", update: "updated" } as const;

type Row = NonNullable<Awaited<ReturnType<typeof findMaintenance>>>;

export const maintenanceNotFound = (): DomainError =>
  new DomainError("not_found", "maintenance_not_found", "Maintenance not found. Check the id.");

/**
 * Tells one thing of a maintenance: state, words, its components' states and audit entry in one transaction. Those who
 * act on it at the same moment, a job among them, are one after the other, and each decides by what the one before left.
 * @param asOf when it is so: at the window's own bounds where a job does it, late or not.
 * @throws DomainError maintenance_not_found, update_id_taken, and by its state maintenance_scheduled,
 * maintenance_in_progress, maintenance_completed or maintenance_cancelled.
 */
export const recordMaintenanceUpdate = (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { maintenanceId: id, updateId, text, actor, requestId }: MaintenanceInput,
  act: MaintenanceAct,
  asOf: Date = clock.now(),
): Promise<MaintenanceUpdateResult> =>
  db
    .transaction(async (tx) => {
      const found = await lockMaintenance(tx.sql, id);
      const maintenance = found ? await findMaintenance({ prisma: tx }, id) : null;
      if (!maintenance) throw maintenanceNotFound();
      const toldOf = await findMaintenanceOfUpdate(tx, updateId);
      if (toldOf === id) return { isNew: false, state: maintenance.state };
      if (toldOf) throw takenUpdateIdRefusal("maintenance");
      // It began when it was announced to, whoever writes so (started-maintenances.ts).
      const isBegun = maintenance.state === "scheduled" && maintenance.scheduledFrom <= asOf;
      const code = maintenanceActRefusal(isBegun && act === "cancel" ? "in_progress" : maintenance.state, act);
      if (code) throw new DomainError("conflict", code, refusals[code]);
      const words = await listOperatorChanges({ prisma: tx }, id);
      const at = nextUpdateTime(
        isBegun && act === "start" ? maintenance.scheduledFrom : asOf,
        [...maintenance.updates, ...words].map((told) => told.at),
      );
      const { change, said } = decide(maintenance, act, at);
      const sequence = (maintenance.updates.at(-1)?.sequence ?? 0) + 1;
      await updateMaintenanceRow(tx, id, change);
      await insertMaintenanceUpdate(tx, id, { id: updateId, sequence, state: change.state, text, actor: actor.id, at });
      await insertOperatorChanges(tx, {
        subject: id,
        at,
        reason: text,
        actor: actor.id,
        states: said ? maintenance.components.map((component) => ({ id: newId("cch"), component, state: said })) : [],
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

/** A cancelled one says nothing of its components, then or ever: it never began. */
const decide = (
  { state }: Row,
  act: MaintenanceAct,
  at: Date,
): { change: MaintenanceChange; said: "maintenance" | "operational" | null } => {
  switch (act) {
    case "start":
      return { change: { state: "in_progress", startedAt: at }, said: "maintenance" };
    case "complete":
      return { change: { state: "completed", endedAt: at }, said: "operational" };
    case "cancel":
      return { change: { state: "cancelled" }, said: null };
    case "update":
      return { change: { state }, said: null };
  }
};
