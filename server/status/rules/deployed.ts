import type { Board } from "./board.ts";
import { type Component, type ComponentKey, components } from "./components.ts";
import { demoActor } from "./journal/journal-record.ts";
import { checkDefinitions } from "./probes/checks.ts";
import { wasSeenWorking } from "./probes/decide-change.ts";
import { notDeployed } from "./probes/observe.ts";
import { currentStateOf, timelineOf } from "./uptime/component-timeline.ts";
import { utcMonthOf } from "./uptime/utc-calendar.ts";

/** Components that an installation might not have: their checks may report `not_found`. */
const optional = new Set(
  Object.values(checkDefinitions)
    .filter(({ isOptional }) => isOptional)
    .map(({ component }) => component),
);

/**
 * Whether this installation has the component. An optional component counts as deployed once a probe has seen it work,
 * and before its first probe if it has demo data. Any other component counts as deployed unless the last run had no
 * check of it. A component that isn't deployed has no history (not even demo data), no uptime and no error budget, and
 * doesn't affect the overall state.
 */
export const isDeployed = (board: Board, component: ComponentKey, now: number): boolean => {
  if (wasSeenWorking(board, component)) return true;
  const last = board.changes.findLast((change) => change.component === component && change.source === "probe");
  const isMissing = optional.has(component) ? last?.actor !== demoActor : last?.reason === notDeployed;
  // A component also counts as deployed while a state that an operator set applies to it.
  return (
    !isMissing ||
    currentStateOf(timelineOf(board, component, { from: utcMonthOf(now).from, to: now })).state !== "unknown"
  );
};

/** The components that pages offer for selection. Requests may name other components too. */
export const deployedComponents = (board: Board, now: number): readonly Component[] =>
  components.filter(({ key }) => isDeployed(board, key, now));
