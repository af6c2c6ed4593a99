import type { ComponentState } from "./board.ts";

const severities: Readonly<Record<ComponentState, number>> = {
  unknown: 0,
  maintenance: 0,
  operational: 0,
  degraded: 1,
  partial_outage: 2,
  major_outage: 3,
};

/** Impact on users; unknown and maintenance have none. */
export const severityOf = (state: ComponentState): number => severities[state];

/** Down counts against the objective; degraded is up (docs/spec/status.md, Uptime). */
export const isDown = (state: ComponentState): boolean => severityOf(state) >= severities.partial_outage;
