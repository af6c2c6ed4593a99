import { listOperatorChanges } from "../../data/status/component-changes.ts";
import { findIncident } from "../../data/status/incidents.ts";
import type { Deps } from "../../deps/deps.ts";
import type { ComponentState } from "../rules/board.ts";
import { type PostmortemStatus, postmortemStatusOf } from "../rules/incidents/postmortem-status.ts";
import { incidentNotFound } from "./record-incident-update.ts";

type IncidentRow = NonNullable<Awaited<ReturnType<typeof findIncident>>>;

export type IncidentForOperator = {
  incident: IncidentRow;
  /** the states that operators have set, by component; for all other components, the measured state applies */
  operatorStates: ReadonlyMap<string, ComponentState>;
  postmortemStatus: PostmortemStatus;
};

/** An incident or a draft as operators see it. @throws DomainError incident_not_found. */
export const getIncident = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { incidentId }: { incidentId: string },
): Promise<IncidentForOperator> => {
  const incident = await findIncident(db, incidentId);
  if (!incident) throw incidentNotFound();
  const changes = await listOperatorChanges(db, incidentId);
  return {
    incident,
    operatorStates: new Map(changes.map(({ component, state }) => [component, state])),
    postmortemStatus: postmortemStatusOf(incident, clock.now()),
  };
};
