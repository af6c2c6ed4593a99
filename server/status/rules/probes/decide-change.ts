import type { Board, ComponentChange, ComponentState } from "../board.ts";
import { type ComponentKey, components } from "../components.ts";
import { demoActor } from "../journal/journal-record.ts";
import { severityOf } from "../severity.ts";
import { clipOverdueMaintenance, mergeTracks, tracksOf } from "../uptime/intervals.ts";
import { affectedBy } from "./cascade.ts";
import type { Observation } from "./observe.ts";

/** What a cascade says of a component: it works by itself, and less than fully. */
const affectedState = "degraded";

/** A change that is to be written down; whoever writes it gives it an id. */
export type NewComponentChange = Omit<ComponentChange, "id">;

const lastOf = (
  board: Board,
  component: ComponentKey,
  source: ComponentChange["source"],
): ComponentChange | undefined =>
  board.changes.findLast((change) => change.component === component && change.source === source);

/** What the probes said last; null where they never said anything. */
export const probedState = (board: Board, component: ComponentKey): ComponentState | null =>
  lastOf(board, component, "probe")?.state ?? null;

/**
 * Whether the component is known to be there, since a probe saw it work once. What fails may be a proxy that answers for
 * nothing, and what a demo made up is no probe's word.
 */
export const wasSeenWorking = ({ changes }: Board, component: ComponentKey): boolean =>
  changes.some(
    (change) =>
      change.component === component &&
      change.source === "probe" &&
      change.actor !== demoActor &&
      (change.state === "operational" || change.state === "degraded"),
  );

/** Since when they say so. */
export const probedSince = (board: Board, component: ComponentKey): Date | null =>
  lastOf(board, component, "probe")?.at ?? null;

/** Whether a run would change what is said of a component, so that it is to be made again before it does. */
export const needsRecheck = (board: Board, observed: readonly Observation[]): boolean =>
  observed.some(({ component, state }) => {
    const before = probedState(board, component);
    const isBad = severityOf(state) > 0 || (before !== null && severityOf(before) > 0);
    return state !== before && isBad;
  });

/** What two runs in a row say together: nothing new unless both do, and then the better of the two. */
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
 * What a run adds to the probes' tracks: where none ran since the last heartbeat, or none ever, that time is unknown.
 * @param at when the run began.
 */
export const probeChanges = (
  board: Board,
  observed: readonly Observation[],
  { at, gapMilliseconds }: { at: Date; gapMilliseconds: number },
): NewComponentChange[] =>
  observed.flatMap(({ component, state, reason }) => {
    const said = { component, source: "probe", subject: "", actor: "probe" } as const;
    const heartbeat = board.heartbeats.find((one) => one.component === component)?.at;
    const isGap = heartbeat !== undefined && at.getTime() - heartbeat.getTime() > gapMilliseconds;
    const before = isGap ? "unknown" : probedState(board, component);
    // Right behind the heartbeat: until then it was known.
    const gap = { state: "unknown", reason: "No probe ran", at: new Date((heartbeat ?? at).getTime() + 1) } as const;
    // What a demo made up is no probe's word: the first of them says the same once more.
    const isMadeUp = lastOf(board, component, "probe")?.actor === demoActor;
    const isAffected = lastOf(board, component, "cascade")?.state === affectedState;
    return [
      ...(isGap && probedState(board, component) !== "unknown" ? [{ ...said, ...gap }] : []),
      ...(isGap && isAffected ? [{ ...said, ...gap, source: "cascade" as const, actor: "cascade" }] : []),
      ...(state === before && !isMadeUp ? [] : [{ ...said, state, reason, at }]),
    ];
  });

/** What others than the cascade say of each component at this instant. */
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

/** What the cascade says anew: who depends on something that is out is affected, until it is back. */
export const cascadeChanges = (board: Board, at: Date): NewComponentChange[] => {
  const affected = affectedBy(ownStates(board, at));
  return components.flatMap(({ key }): NewComponentChange[] => {
    const by = affected.get(key);
    const isTold = lastOf(board, key, "cascade")?.state === affectedState;
    if (isTold === (by !== undefined)) return [];
    const said = { component: key, source: "cascade", subject: "", actor: "cascade", at } as const;
    if (!by) return [{ ...said, state: "operational", reason: "What it depends on is back" }];
    const names = components.filter((one) => by.includes(one.key)).map(({ name }) => name);
    return [{ ...said, state: affectedState, reason: `Affected by production: ${names.join(", ")}` }];
  });
};
