import { listOperatorChanges } from "../../data/status/component-changes.ts";
import { findIncident } from "../../data/status/incidents.ts";
import type { Deps } from "../../deps/deps.ts";
import type { ComponentState } from "../rules/board.ts";
import { type PostmortemStatus, postmortemStatusOf } from "../rules/incidents/postmortem-status.ts";
import { incidentNotFound } from "./record-incident-update.ts";

type IncidentRow = NonNullable<Awaited<ReturnType<typeof findIncident>>>;

export type IncidentForOperator = {
  incident: IncidentRow;
  /** what operators say of each component now; those of whom they say nothing are as measured */
  operatorStates: ReadonlyMap<string, ComponentState>;
  postmortemStatus: PostmortemStatus;
};

/** One incident as operators see it, drafts too. @throws DomainError incident_not_found. */
export const getIncident = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { incidentId }: { incidentId: string },
): Promise<IncidentForOperator> => {
  const incident = await findIncident(db, incidentId);
  if (!incident) throw incidentNotFound();
  const words = await listOperatorChanges(db, incidentId);
  return {
    incident,
    operatorStates: new Map(words.map(({ component, state }) => [component, state])),
    postmortemStatus: postmortemStatusOf(incident, clock.now()),
  };
};
