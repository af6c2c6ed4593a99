import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { Tx } from "../../data/client.ts";
import { insertOperatorChanges, listOperatorChanges } from "../../data/status/component-changes.ts";
import {
  findIncident,
  findIncidentOfUpdate,
  type IncidentChange,
  insertIncidentUpdate,
  lockIncident,
  saveIncidentComponents,
  updateIncidentRow,
} from "../../data/status/incidents.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { ComponentState, IncidentState } from "../rules/board.ts";
import type { ComponentKey } from "../rules/components.ts";
import {
  type IncidentAct,
  incidentActRefusal,
  type OperatorState,
  worseState,
} from "../rules/incidents/incident-state.ts";
import { nextUpdateTime } from "../rules/incidents/next-update-time.ts";
import { refuseTakenUpdateId, takenUpdateIdRefusal } from "./taken-update-id.ts";

type IncidentDeps = Pick<Deps, "db" | "clock">;

/** The state that an operator sets for one component. */
export type OperatorComponentState = { component: ComponentKey; state: OperatorState };

export type IncidentInput = {
  incidentId: string;
  /** chosen by the caller; an update that is sent twice is recorded once */
  updateId: string;
  /** the public text; for a dismissed draft, the reason */
  text: string;
  actor: Actor;
  requestId: string;
};

export type IncidentUpdateResult = { isNew: boolean; state: IncidentState };

export type LockedIncident = NonNullable<Awaited<ReturnType<typeof findIncident>>> & {
  /** the states that operators have set, by component */
  operatorStates: ReadonlyMap<string, ComponentState>;
};

type IncidentUpdate = {
  /** in the audit log */
  action: string;
  state: IncidentState;
  change?: Omit<IncidentChange, "state">;
  components: readonly OperatorComponentState[];
};

type IncidentDecision = {
  act: IncidentAct;
  /** @param at when the update is recorded. */
  decide: (incident: LockedIncident, at: Date) => IncidentUpdate;
};

const refusals = {
  incident_draft: "This incident isn’t confirmed yet. Confirm or dismiss it first.",
  incident_public: "This incident is already public and can’t be dismissed. Resolve it instead.",
  incident_resolved: "This incident is resolved. If the problem returns, open a new one.",
  incident_dismissed: "This draft was dismissed. If it was an incident after all, open a new one.",
} as const;

export const incidentNotFound = (): DomainError =>
  new DomainError("not_found", { code: "incident_not_found", message: "Incident not found. Check the ID." });

/**
 * Records one update of an incident in one transaction: its state, text, components and audit entry. Updates of one
 * incident are serialized: each sees the state after the previous one.
 * @throws DomainError incident_not_found, update_id_taken; depending on the incident's state also incident_draft,
 *   incident_public, incident_resolved or incident_dismissed.
 */
export const recordIncidentUpdate = (
  { db, clock }: IncidentDeps,
  { incidentId, updateId, text, actor, requestId }: IncidentInput,
  { act, decide }: IncidentDecision,
): Promise<IncidentUpdateResult> =>
  db
    .transaction(async (tx) => {
      const incident = await getLockedIncident(tx, incidentId);
      if (await isUpdateRecorded(tx, incidentId, updateId)) return { isNew: false, state: incident.state };
      const code = incidentActRefusal(incident.state, act);
      if (code) throw new DomainError("conflict", { code, message: refusals[code] });
      const at = nextUpdateTime(clock.now(), [...incident.updates.map((update) => update.at), ...incident.changedAt]);
      const { action, state, change = {}, components } = decide(incident, at);
      const sequence = (incident.updates.at(-1)?.sequence ?? 0) + 1;
      await updateIncidentRow(tx, incidentId, { ...change, state });
      await insertIncidentUpdate(tx, incidentId, { id: updateId, sequence, state, text, actor: actor.id, at });
      await recordComponentStates(tx, { incident, components, at, text, actor });
      await appendAudit(tx.sql, {
        at,
        actor,
        requestId,
        action: `incident.${action}`,
        subjectId: incidentId,
        data: {
          state,
          update_id: updateId,
          reason: text,
          components: Object.fromEntries(componentEntries(components)),
        },
      });
      return { isNew: true, state };
    })
    .catch(refuseTakenUpdateId("incident"));

export const componentEntries = (components: readonly OperatorComponentState[]): [ComponentKey, OperatorState][] =>
  components.map(({ component, state }) => [component, state]);

const getLockedIncident = async (tx: Tx, id: string): Promise<LockedIncident & { changedAt: Date[] }> => {
  if (!(await lockIncident(tx.sql, id))) throw incidentNotFound();
  const incident = await findIncident({ prisma: tx }, id);
  if (!incident) throw incidentNotFound();
  const changes = await listOperatorChanges({ prisma: tx }, id);
  const operatorStates = new Map(changes.map(({ component, state }) => [component, state]));
  return { ...incident, operatorStates, changedAt: changes.map(({ at }) => at) };
};

/** @throws DomainError update_id_taken if another incident has an update with this id. */
const isUpdateRecorded = async (tx: Tx, incidentId: string, updateId: string): Promise<boolean> => {
  const ownerId = await findIncidentOfUpdate(tx, updateId);
  if (ownerId === null || ownerId === incidentId) return ownerId !== null;
  throw takenUpdateIdRefusal("incident");
};

type ComponentStatesInput = {
  incident: Pick<LockedIncident, "id" | "components" | "operatorStates">;
  components: readonly OperatorComponentState[];
  at: Date;
  text: string;
  actor: Actor;
};

/** States that are set already aren't recorded again. */
export const recordComponentStates = async (
  tx: Tx,
  { incident, components, at, text, actor }: ComponentStatesInput,
): Promise<void> => {
  const changes = components.filter(
    ({ component, state }) => (incident.operatorStates.get(component) ?? "operational") !== state,
  );
  await insertOperatorChanges(tx, {
    subject: incident.id,
    at,
    reason: text,
    actor: actor.id,
    states: changes.map((change) => ({ ...change, id: newId("cch") })),
  });
  const before = new Map(incident.components.map(({ component, state }) => [component, state]));
  await saveIncidentComponents(
    tx,
    incident.id,
    components
      .filter(({ component, state }) => state !== "operational" || before.has(component))
      .map(({ component, state }) => ({ component, state: worseState(before.get(component), state) })),
  );
};
