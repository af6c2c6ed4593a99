import type { Board, ComponentChange, ComponentState } from "../board.ts";
import { type ComponentKey, components } from "../components.ts";
import { demoActor } from "../journal/journal-record.ts";
import { severityOf } from "../severity.ts";
import { clipOverdueMaintenance, mergeTracks, tracksOf } from "../uptime/intervals.ts";
import { affectedBy } from "./cascade.ts";
import type { Observation } from "./observe.ts";

/** The state of a component that works but depends on a component that is down. */
const affectedState = "degraded";

/** The writer adds an id. */
export type NewComponentChange = Omit<ComponentChange, "id">;

const lastOf = (
  board: Board,
  component: ComponentKey,
  source: ComponentChange["source"],
): ComponentChange | undefined =>
  board.changes.findLast((change) => change.component === component && change.source === source);

/** The state that probes reported last; null if never. */
export const probedState = (board: Board, component: ComponentKey): ComponentState | null =>
  lastOf(board, component, "probe")?.state ?? null;

/**
 * Whether a probe ever saw the component work. Only this proves that the component exists: a failure may be a proxy's
 * response, and demo data isn't measured.
 */
export const wasSeenWorking = ({ changes }: Board, component: ComponentKey): boolean =>
  changes.some(
    (change) =>
      change.component === component &&
      change.source === "probe" &&
      change.actor !== demoActor &&
      (change.state === "operational" || change.state === "degraded"),
  );

/** The time since which probes report that state. */
export const probedSince = (board: Board, component: ComponentKey): Date | null =>
  lastOf(board, component, "probe")?.at ?? null;

/** Whether a run would change a component to or from a bad state: the checks are then repeated first. */
export const needsRecheck = (board: Board, observed: readonly Observation[]): boolean =>
  observed.some(({ component, state }) => {
    const before = probedState(board, component);
    const isBad = severityOf(state) > 0 || (before !== null && severityOf(before) > 0);
    return state !== before && isBad;
  });

/**
 * Combines two runs in a row: a state changes only if both runs differ from it, and then to the better state of the two
 * runs.
 */
export const combineRuns = (
  board: Board,
  first: readonly Observation[],
  second: readonly Observation[],
): Observation[] =>
  second.map((again) => {
    const before = first.find(({ component }) => component === again.component) ?? again;
    const known = probedState(board, again.component);
    const unchanged = [before, again].find(({ state }) => state === known);
    return unchanged ?? (severityOf(before.state) < severityOf(again.state) ? before : again);
  });

/**
 * Changes that a run adds to the probes' tracks. Time since the last heartbeat is unknown if it is longer than the gap.
 * @param at when the run began.
 */
export const probeChanges = (
  board: Board,
  observed: readonly Observation[],
  { at, gapMilliseconds }: { at: Date; gapMilliseconds: number },
): NewComponentChange[] =>
  observed.flatMap(({ component, state, reason }) => {
    const base = { component, source: "probe", subject: "", actor: "probe" } as const;
    const heartbeat = board.heartbeats.find((one) => one.component === component)?.at;
    const isGap = heartbeat !== undefined && at.getTime() - heartbeat.getTime() > gapMilliseconds;
    const before = isGap ? "unknown" : probedState(board, component);
    // Right after the heartbeat, which is the last known moment.
    const gap = { state: "unknown", reason: "No probe ran", at: new Date((heartbeat ?? at).getTime() + 1) } as const;
    // Demo data isn't a measurement, so the first probe adds a change even if the demo data has the same state.
    const isDemo = lastOf(board, component, "probe")?.actor === demoActor;
    const isAffected = lastOf(board, component, "cascade")?.state === affectedState;
    return [
      ...(isGap && probedState(board, component) !== "unknown" ? [{ ...base, ...gap }] : []),
      ...(isGap && isAffected ? [{ ...base, ...gap, source: "cascade" as const, actor: "cascade" }] : []),
      ...(state === before && !isDemo ? [] : [{ ...base, state, reason, at }]),
    ];
  });

/** Each component's state at this instant, without cascades. */
const ownStates = (board: Board, at: Date): Map<ComponentKey, ComponentState> => {
  const window = { from: at.getTime(), to: at.getTime() + 1 };
  return new Map(
    components.map(({ key }) => {
      const changes = board.changes.filter(
        (change) => change.component === key && change.source !== "cascade" && change.at <= at,
      );
      const tracks = clipOverdueMaintenance(tracksOf(changes, { probedUntil: window.to, window }), board.maintenances);
      const [segment] = mergeTracks(tracks, window);
      return [key, segment?.state ?? "unknown"];
    }),
  );
};

/** New cascade changes: a component is affected while a dependency is down. */
export const cascadeChanges = (board: Board, at: Date): NewComponentChange[] => {
  const affected = affectedBy(ownStates(board, at));
  return components.flatMap(({ key }): NewComponentChange[] => {
    const by = affected.get(key);
    const isRecorded = lastOf(board, key, "cascade")?.state === affectedState;
    if (isRecorded === (by !== undefined)) return [];
    const base = { component: key, source: "cascade", subject: "", actor: "cascade", at } as const;
    if (!by) return [{ ...base, state: "operational", reason: "Its dependencies have recovered" }];
    const names = components.filter((one) => by.includes(one.key)).map(({ name }) => name);
    return [{ ...base, state: affectedState, reason: `Affected by production: outage of ${names.join(", ")}` }];
  });
};
