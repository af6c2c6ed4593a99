import { type Board, type ComponentState, type DayFigures, retentionMilliseconds } from "../board.ts";
import { type ComponentKey, components } from "../components.ts";
import { affectedBy } from "../probes/cascade.ts";
import { figuresOf } from "./days.ts";
import { clipOverdueMaintenance, mergeTracks, type Segment, type Span, type Track, tracksOf } from "./intervals.ts";
import { type Counted, countTime } from "./uptime.ts";
import { dayMilliseconds, utcDayOf, utcDaysOf, utcMonthOf } from "./utc-calendar.ts";

/** A probe runs every 30 seconds. If the last one is older than this, the current state is unknown. */
const freshMilliseconds = 90_000;

/** A component within a window: its state over time, and how the time counts. */
export type ComponentTimeline = {
  window: Span;
  /** the states by source, from which the rest is computed */
  tracks: Track[];
  states: Segment[];
  counted: Counted[];
};

type TimelineSource = Pick<Board, "changes" | "heartbeats" | "maintenances">;

/** The time of the last probe, or `now` if the next probe isn't overdue. */
const probedUntil = ({ heartbeats }: TimelineSource, component: ComponentKey, now: number): number | null => {
  const at = heartbeats.find((heartbeat) => heartbeat.component === component)?.at.getTime() ?? null;
  return at !== null && now - at <= freshMilliseconds ? now : at;
};

/** @param window starts with a UTC month, since excluded maintenance is limited per month. */
export const timelineOf = (board: TimelineSource, component: ComponentKey, window: Span): ComponentTimeline => {
  const changes = board.changes.filter((change) => change.component === component);
  const maintenances = board.maintenances.filter((one) => one.components.includes(component));
  const ownTracks = tracksOf(changes, { probedUntil: probedUntil(board, component, window.to), window });
  const tracks = clipOverdueMaintenance(ownTracks, maintenances);
  return { window, tracks, states: mergeTracks(tracks, window), counted: countTime({ tracks, maintenances }, window) };
};

/** The time since which the board has data about the component; null: never. */
export const measuredSince = (
  { changes, readAt }: Pick<Board, "changes" | "readAt">,
  component: ComponentKey,
): number | null => {
  const first = changes.find((change) => change.component === component);
  return first ? Math.max(first.at.getTime(), readAt.getTime() - retentionMilliseconds) : null;
};

/** The state at the end of the window, and since when within the window. */
export const currentStateOf = ({ states, window }: ComponentTimeline): { state: ComponentState; since: number } => {
  const last = states.at(-1);
  return last ? { state: last.state, since: last.from } : { state: "unknown", since: window.to };
};

export type DaySummary = { day: number; figures: DayFigures };

/** The last `count` UTC days, including today: frozen figures, and computed ones for days that aren't frozen yet. */
export const recentDays = (
  { days }: Pick<Board, "days">,
  { component, timeline, count }: { component: ComponentKey; timeline: ComponentTimeline; count: number },
): DaySummary[] => {
  const frozen = new Map(
    days.filter((day) => day.component === component).map(({ day, figures }) => [day.getTime(), figures]),
  );
  const today = utcDayOf(timeline.window.to - 1);
  return utcDaysOf({ from: today.from - (count - 1) * dayMilliseconds, to: today.to }).map((day) => ({
    day: day.from,
    figures: frozen.get(day.from) ?? figuresOf(timeline, day),
  }));
};

/** Start of the month in which the last `count` days begin. */
export const timelineStart = (now: number, count: number): number => utcMonthOf(now - count * dayMilliseconds).from;

/** The outages that affect each component now, by the components' own states. */
export const currentCascade = (board: TimelineSource, now: number): Map<ComponentKey, ComponentKey[]> => {
  const own = { ...board, changes: board.changes.filter(({ source }) => source !== "cascade") };
  const window = { from: utcMonthOf(now).from, to: now };
  return affectedBy(new Map(components.map(({ key }) => [key, currentStateOf(timelineOf(own, key, window)).state])));
};
