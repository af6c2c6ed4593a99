import type { Board } from "./board.ts";
import { type Component, type ComponentKey, components } from "./components.ts";
import { demoActor } from "./journal/journal-record.ts";
import { checkDefinitions } from "./probes/checks.ts";
import { wasSeenWorking } from "./probes/decide-change.ts";
import { notDeployed } from "./probes/observe.ts";
import { currentStateOf, timelineOf } from "./uptime/component-timeline.ts";
import { utcMonthOf } from "./uptime/utc-calendar.ts";

/** Components that an installation may do without: all that probes ask of them may be missing. */
const optional = new Set(
  Object.values(checkDefinitions)
    .filter(({ isOptional }) => isOptional)
    .map(({ component }) => component),
);

/**
 * Whether this installation has the component. One that probes never saw and can't find isn't deployed: it has no history
 * (demo data included), no uptime and no error budget, and doesn't count for the overall state. Unknown before the first probe.
 */
export const isDeployed = (board: Board, component: ComponentKey, now: number): boolean => {
  if (wasSeenWorking(board, component)) return true;
  const last = board.changes.findLast((change) => change.component === component && change.source === "probe");
  const isMissed = optional.has(component) ? last?.actor !== demoActor : last?.reason === notDeployed;
  // Operators may speak of it all the same.
  return (
    !isMissed ||
    currentStateOf(timelineOf(board, component, { from: utcMonthOf(now).from, to: now })).state !== "unknown"
  );
};

/** What pages offer to choose from. Requests may name the others too. */
export const deployedComponents = (board: Board, now: number): readonly Component[] =>
  components.filter(({ key }) => isDeployed(board, key, now));
