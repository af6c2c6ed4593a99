import type { ComponentState, IncidentState } from "../board.ts";
import { severityOf } from "../severity.ts";

/** The public states of an incident before it is resolved. */
export const openIncidentStates = ["investigating", "identified", "monitoring"] as const;
/** All states, as an operator can filter by them. */
export const incidentStates = [
  "draft",
  ...openIncidentStates,
  "resolved",
  "dismissed",
] as const satisfies readonly IncidentState[];
export type OpenIncidentState = (typeof openIncidentStates)[number];

/** The states that an operator may set for a component; `operational` ends the state set before. */
export const operatorStates = ["operational", "degraded", "partial_outage", "major_outage"] as const;
export type OperatorState = (typeof operatorStates)[number];

export type IncidentAct = "confirm" | "dismiss" | "update" | "resolve";
type Refusal = "incident_draft" | "incident_public" | "incident_resolved" | "incident_dismissed";

/**
 * Why an action isn't possible in this state; null if it is. A draft can only be confirmed or dismissed. A public
 * incident can't be withdrawn, only resolved. A closed incident gets no new state. An update may return to an earlier
 * state, for example if a fix failed.
 */
export const incidentActRefusal = (state: IncidentState, act: IncidentAct): Refusal | null => {
  if (state === "resolved") return "incident_resolved";
  if (state === "dismissed") return "incident_dismissed";
  const isDraftAct = act === "confirm" || act === "dismiss";
  if (state === "draft") return isDraftAct ? null : "incident_draft";
  return isDraftAct ? "incident_public" : null;
};

export const worseState = (before: ComponentState | undefined, now: ComponentState): ComponentState =>
  before !== undefined && severityOf(before) > severityOf(now) ? before : now;

const maxBackdateSeconds = 24 * 3600;

/** Why an incident can't start at this time; null if it can. The limit prevents large changes to finished days. */
export const startTimeProblem = (startedAt: Date, now: Date): string | null => {
  if (startedAt > now) return "The start can’t be in the future.";
  const isTooOld = now.getTime() - startedAt.getTime() > maxBackdateSeconds * 1000;
  return isTooOld ? "The start can be at most 24 hours ago." : null;
};
