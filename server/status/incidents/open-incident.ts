import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { findIncident, insertIncident, insertIncidentUpdate } from "../../data/status/incidents.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import type { IncidentImpact, IncidentState } from "../rules/board.ts";
import { type OpenIncidentState, startTimeProblem } from "../rules/incidents/incident-state.ts";
import {
  componentEntries,
  incidentNotFound,
  type OperatorComponentState,
  recordComponentStates,
} from "./record-incident-update.ts";
import { refuseTakenUpdateId } from "./taken-update-id.ts";

type Input = {
  /** chosen by the caller; a request that is sent twice opens one incident */
  incidentId: string;
  updateId: string;
  title: string;
  impact: IncidentImpact;
  state: OpenIncidentState;
  /** the first public text */
  text: string;
  components: readonly OperatorComponentState[];
  /** null: now */
  startedAt: Date | null;
  actor: Actor;
  requestId: string;
};

/**
 * Opens a public incident with its first update, in one transaction.
 * @throws DomainError invalid_request if it starts in the future or too long ago; update_id_taken.
 */
export const openIncident = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  input: Input,
): Promise<{ isNew: boolean; state: IncidentState }> => {
  const { incidentId: id, updateId, title, impact, state, text, components, actor, requestId } = input;
  const at = clock.now();
  const startedAt = input.startedAt ?? at;
  const problem = startTimeProblem(startedAt, at);
  if (problem) {
    const errors = [{ pointer: "/startedAt", detail: problem }];
    throw new DomainError("invalid", { code: "invalid_request", message: problem, errors });
  }
  const opening = db.transaction(async (tx) => {
    const row = { id, title, state, impact, openedBy: actor.id, startedAt, publicAt: at, createdAt: at };
    if (!(await insertIncident(tx, row))) {
      const known = await findIncident({ prisma: tx }, id);
      if (!known) throw incidentNotFound();
      return { isNew: false, state: known.state };
    }
    await insertIncidentUpdate(tx, id, { id: updateId, sequence: 1, state, text, actor: actor.id, at });
    await recordComponentStates(tx, {
      incident: { id, components: [], operatorStates: new Map() },
      at: startedAt,
      components,
      text,
      actor,
    });
    await appendAudit(tx.sql, {
      at,
      actor,
      requestId,
      action: "incident.opened",
      subjectId: id,
      data: {
        state,
        impact,
        update_id: updateId,
        reason: text,
        started_at: startedAt.toISOString(),
        components: Object.fromEntries(componentEntries(components)),
      },
    });
    return { isNew: true, state };
  });
  return opening.catch(refuseTakenUpdateId("incident"));
};
