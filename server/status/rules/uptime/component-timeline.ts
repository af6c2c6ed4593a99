import { type Board, type ComponentState, type DayFigures, retentionMilliseconds } from "../board.ts";
import { type ComponentKey, components } from "../components.ts";
import { affectedBy } from "../probes/cascade.ts";
import { figuresOf } from "./days.ts";
import { clipOverdueMaintenance, mergeTracks, type Segment, type Span, type Track, tracksOf } from "./intervals.ts";
import { type Counted, countTime } from "./uptime.ts";
import { dayMilliseconds, utcDayOf, utcDaysOf, utcMonthOf } from "./utc-calendar.ts";

/** A probe runs every 30 seconds: after this much silence nobody knows any more. */
const freshMilliseconds = 90_000;

/** What is known of a component within a window: the state that is shown at each time, and how each time counts. */
export type ComponentTimeline = {
  window: Span;
  /** what each source says: all others are computed from these */
  tracks: Track[];
  states: Segment[];
  counted: Counted[];
};

type TimelineSource = Pick<Board, "changes" | "heartbeats" | "maintenances">;

/** Up to the last probe; up to now where that is as young as it must be, since the next one is only just due. */
const probedUntil = ({ heartbeats }: TimelineSource, component: ComponentKey, now: number): number | null => {
  const at = heartbeats.find((heartbeat) => heartbeat.component === component)?.at.getTime() ?? null;
  return at !== null && now - at <= freshMilliseconds ? now : at;
};

/** @param window begins with a UTC month, since what maintenance may exclude is counted by month. */
export const timelineOf = (board: TimelineSource, component: ComponentKey, window: Span): ComponentTimeline => {
  const changes = board.changes.filter((change) => change.component === component);
  const maintenances = board.maintenances.filter((one) => one.components.includes(component));
  const heard = tracksOf(changes, { probedUntil: probedUntil(board, component, window.to), window });
  const tracks = clipOverdueMaintenance(heard, maintenances);
  return { window, tracks, states: mergeTracks(tracks, window), counted: countTime({ tracks, maintenances }, window) };
};

/** Since when all is known of the component that the board tells; null: nothing ever was. */
export const measuredSince = (
  { changes, readAt }: Pick<Board, "changes" | "readAt">,
  component: ComponentKey,
): number | null => {
  const first = changes.find((change) => change.component === component);
  return first ? Math.max(first.at.getTime(), readAt.getTime() - retentionMilliseconds) : null;
};

/** The state that holds at the end of the window, and since when as far as the window tells. */
export const currentStateOf = ({ states, window }: ComponentTimeline): { state: ComponentState; since: number } => {
  const last = states.at(-1);
  return last ? { state: last.state, since: last.from } : { state: "unknown", since: window.to };
};

export type DaySummary = { day: number; figures: DayFigures };

/** The last `count` UTC days, today as its end: as they were frozen, and computed where they aren't yet. */
export const recentDays = (
  { days }: Pick<Board, "days">,
  { component, course, count }: { component: ComponentKey; course: ComponentTimeline; count: number },
): DaySummary[] => {
  const frozen = new Map(
    days.filter((day) => day.component === component).map(({ day, figures }) => [day.getTime(), figures]),
  );
  const today = utcDayOf(course.window.to - 1);
  return utcDaysOf({ from: today.from - (count - 1) * dayMilliseconds, to: today.to }).map((day) => ({
    day: day.from,
    figures: frozen.get(day.from) ?? figuresOf(course, day),
  }));
};

/** Where the window of `count` days begins so that its first month is whole. */
export const timelineStart = (now: number, count: number): number => utcMonthOf(now - count * dayMilliseconds).from;

/** Whose outage is felt where, as probes and operators tell the outages themselves. */
export const currentCascade = (board: TimelineSource, now: number): Map<ComponentKey, ComponentKey[]> => {
  const own = { ...board, changes: board.changes.filter(({ source }) => source !== "cascade") };
  const window = { from: utcMonthOf(now).from, to: now };
  return affectedBy(new Map(components.map(({ key }) => [key, currentStateOf(timelineOf(own, key, window)).state])));
};
