import type { ComponentState, Incident, Maintenance } from "#server/status/rules/board.ts";
import type { Tone } from "../../ui/pill.tsx";
import { formatList } from "../text.ts";

export const componentStateLabels: Readonly<Record<ComponentState, { label: string; tone: Tone }>> = {
  operational: { label: "Operational", tone: "good" },
  degraded: { label: "Degraded", tone: "warn" },
  partial_outage: { label: "Partial outage", tone: "bad" },
  major_outage: { label: "Major outage", tone: "bad" },
  maintenance: { label: "Maintenance", tone: "note" },
  unknown: { label: "Unknown", tone: "unknown" },
};

/** A component that isn't deployed. */
export const notDeployedLabel: { label: string; tone: Tone } = { label: "Not deployed", tone: "neutral" };

export const incidentStateLabels: Readonly<Record<Incident["state"], { label: string; tone: Tone }>> = {
  draft: { label: "Draft", tone: "neutral" },
  investigating: { label: "Investigating", tone: "warn" },
  identified: { label: "Identified", tone: "warn" },
  monitoring: { label: "Monitoring", tone: "note" },
  resolved: { label: "Resolved", tone: "good" },
  dismissed: { label: "Dismissed", tone: "neutral" },
};

export const incidentImpactLabels: Readonly<Record<Incident["impact"], string>> = {
  none: "No impact",
  minor: "Minor impact",
  major: "Major impact",
  critical: "Critical impact",
};

export const maintenanceStateLabels: Readonly<Record<Maintenance["state"], { label: string; tone: Tone }>> = {
  scheduled: { label: "Scheduled", tone: "note" },
  in_progress: { label: "In progress", tone: "note" },
  completed: { label: "Completed", tone: "good" },
  cancelled: { label: "Canceled", tone: "neutral" },
};

/** The error budget policy. @param names components whose budget is used up. @returns null for none. */
export const describeErrorBudgetPolicy = (names: readonly string[]): string | null =>
  names.length === 0
    ? null
    : `Reliability first: this month’s error budget of ${formatList(names)} is used up. Only fixes are released until the next month (UTC).`;
