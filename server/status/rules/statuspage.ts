import type { ComponentState, Incident, Maintenance } from "./board.ts";

/** Statuspage has no unknown state; ours must not look operational. */
export const statuspageComponentStatus = (state: ComponentState) =>
  (
    ({
      operational: "operational",
      degraded: "degraded_performance",
      partial_outage: "partial_outage",
      major_outage: "major_outage",
      maintenance: "under_maintenance",
      unknown: "degraded_performance",
    }) as const
  )[state];

export const statuspageIndicator = (overall: ComponentState) =>
  (
    ({
      operational: "none",
      maintenance: "maintenance",
      unknown: "minor",
      degraded: "minor",
      partial_outage: "major",
      major_outage: "critical",
    }) as const
  )[overall];

type StateUpdate = { state: string; at: Date };

/** When an incident first reached a state; null: never. */
export const firstAt = (
  updates: readonly StateUpdate[],
  state: Incident["state"] | Maintenance["state"],
): Date | null =>
  updates
    .filter((update) => update.state === state)
    .reduce<Date | null>((first, { at }) => (first === null || at < first ? at : first), null);
