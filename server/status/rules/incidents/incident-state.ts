import type { ComponentState, IncidentState } from "../board.ts";
import { severityOf } from "../severity.ts";

/** What the public is told of an incident that isn't over. */
export const openIncidentStates = ["investigating", "identified", "monitoring"] as const;
export type OpenIncidentState = (typeof openIncidentStates)[number];

/** What an operator may say of a component; `operational` ends what was said before. */
export const operatorStates = ["operational", "degraded", "partial_outage", "major_outage"] as const;
export type OperatorState = (typeof operatorStates)[number];

export type IncidentAct = "confirm" | "dismiss" | "update" | "resolve";
type Refusal = "incident_draft" | "incident_public" | "incident_resolved" | "incident_dismissed";

/**
 * What may follow. A draft is confirmed or dismissed, and nothing else; what was told is never unsaid, so an incident
 * that is public can only be resolved; one that is over takes a postmortem, but no new state. Updates may go back: a
 * fix that didn't hold is investigated again.
 */
export const incidentActRefusal = (state: IncidentState, act: IncidentAct): Refusal | null => {
  if (state === "resolved") return "incident_resolved";
  if (state === "dismissed") return "incident_dismissed";
  const isOfDraft = act === "confirm" || act === "dismiss";
  if (state === "draft") return isOfDraft ? null : "incident_draft";
  return isOfDraft ? "incident_public" : null;
};

/** Of a component in an incident's course. */
export const worseState = (before: ComponentState | undefined, now: ComponentState): ComponentState =>
  before !== undefined && severityOf(before) > severityOf(now) ? before : now;

const maxBackdateSeconds = 24 * 3600;

/** Why an incident can't have begun then, null where it can: figures of days that are over are hardly changed. */
export const startTimeProblem = (startedAt: Date, now: Date): string | null => {
  if (startedAt > now) return "The start can’t be in the future.";
  const isTooOld = now.getTime() - startedAt.getTime() > maxBackdateSeconds * 1000;
  return isTooOld ? "The start can be at most 24 hours ago." : null;
};
