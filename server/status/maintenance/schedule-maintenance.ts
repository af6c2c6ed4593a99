import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { findMaintenance, insertMaintenance, insertMaintenanceUpdate } from "../../data/status/maintenances.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { refuseTakenUpdateId } from "../incidents/taken-update-id.ts";
import type { ComponentKey } from "../rules/components.ts";
import { windowProblems } from "../rules/maintenance/maintenance-state.ts";
import { type MaintenanceUpdateResult, maintenanceNotFound } from "./record-maintenance-update.ts";

type Input = {
  /** chosen by the caller; a request that is sent twice announces one maintenance window */
  maintenanceId: string;
  updateId: string;
  title: string;
  components: readonly ComponentKey[];
  from: Date;
  to: Date;
  /** the public text */
  text: string;
  actor: Actor;
  requestId: string;
};

/**
 * Announces a maintenance window publicly. It starts and ends at the planned times, unless an operator starts or
 * completes it earlier.
 * @throws DomainError invalid_request for an invalid window; update_id_taken.
 */
export const scheduleMaintenance = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  input: Input,
): Promise<MaintenanceUpdateResult> => {
  const { maintenanceId: id, updateId, title, components, from, to, text, actor, requestId } = input;
  const at = clock.now();
  const known = await findMaintenance(db, id);
  if (known) return { isNew: false, state: known.state };
  const [problem] = windowProblems({ from, to }, at);
  if (problem) {
    const errors = [{ pointer: `/${problem.field}`, detail: problem.why }];
    throw new DomainError("invalid", { code: "invalid_request", message: problem.why, errors });
  }
  const scheduling = db.transaction(async (tx) => {
    const window = { announcedAt: at, scheduledFrom: from, scheduledTo: to };
    if (!(await insertMaintenance(tx, { id, title, components: [...components], ...window, actor: actor.id }))) {
      const other = await findMaintenance({ prisma: tx }, id);
      if (!other) throw maintenanceNotFound();
      return { isNew: false, state: other.state };
    }
    await insertMaintenanceUpdate(tx, id, { id: updateId, sequence: 1, state: "scheduled", text, actor: actor.id, at });
    await appendAudit(tx.sql, {
      at,
      actor,
      requestId,
      action: "maintenance.scheduled",
      subjectId: id,
      data: {
        components,
        from: from.toISOString(),
        to: to.toISOString(),
        update_id: updateId,
        reason: text,
      },
    });
    return { isNew: true, state: "scheduled" as const };
  });
  return scheduling.catch(refuseTakenUpdateId("maintenance"));
};
