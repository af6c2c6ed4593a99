import type { OperatorIncident, OperatorIncidentDetail } from "#server/trpc/operator/operator-status-views.ts";
import type { Tone } from "../../ui/pill.tsx";
import { formatShortUtcDate } from "../dates.ts";

type StateLabel = Readonly<{ tone: Tone; label: string }>;
type State = OperatorIncident["state"];
type Impact = OperatorIncident["impact"];
type ComponentState = NonNullable<OperatorIncidentDetail["operatorStates"][number]["state"]>;

export const incidentStates: Readonly<Record<State, StateLabel>> = {
  draft: { tone: "warn", label: "Needs review" },
  investigating: { tone: "bad", label: "Investigating" },
  identified: { tone: "bad", label: "Identified" },
  monitoring: { tone: "note", label: "Monitoring" },
  resolved: { tone: "good", label: "Resolved" },
  dismissed: { tone: "neutral", label: "Dismissed" },
};

export const isIncidentState = (text: string | undefined): text is State =>
  text !== undefined && Object.hasOwn(incidentStates, text);

/** Labels for past updates. The label of a past draft doesn't ask for a review. */
export const incidentUpdateStates: Readonly<Record<State, StateLabel>> = {
  ...incidentStates,
  draft: { tone: "neutral", label: "Draft" },
};

export const impacts: Readonly<Record<Impact, string>> = {
  none: "None",
  minor: "Minor",
  major: "Major",
  critical: "Critical",
};

export const componentStates: Readonly<Record<ComponentState, StateLabel>> = {
  operational: { tone: "good", label: "Operational" },
  degraded: { tone: "warn", label: "Degraded" },
  partial_outage: { tone: "bad", label: "Partial outage" },
  major_outage: { tone: "bad", label: "Major outage" },
  maintenance: { tone: "note", label: "Maintenance" },
  unknown: { tone: "unknown", label: "Unknown" },
};

/** The state for further updates; null for a draft or a closed incident. */
export const liveState = (state: State): "investigating" | "identified" | "monitoring" | null =>
  state === "draft" || state === "resolved" || state === "dismissed" ? null : state;

/** Says whether the postmortem is published, due or overdue; null if none is required. */
export const postmortemLabel = ({ kind, dueOn }: OperatorIncident["postmortem"], locale: string): StateLabel | null => {
  switch (kind) {
    case "not_required":
      return null;
    case "published":
      return { tone: "good", label: "Postmortem published" };
    case "due":
      return { tone: "warn", label: `Postmortem due ${formatShortUtcDate(dueOn ?? "", locale)}` };
    case "overdue":
      return { tone: "bad", label: `Postmortem overdue: was due ${formatShortUtcDate(dueOn ?? "", locale)}` };
  }
};
