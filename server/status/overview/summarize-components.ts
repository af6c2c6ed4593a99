import type { Board, ComponentState } from "../rules/board.ts";
import { type Component, type ComponentKey, componentName, components } from "../rules/components.ts";
import { isDeployed } from "../rules/deployed.ts";
import { demoActor } from "../rules/journal/journal-record.ts";
import { overallOf } from "../rules/overall.ts";
import { type Budget, budgetOf, burnRate, type Forecast, forecastOf } from "../rules/uptime/budget.ts";
import {
  currentCascade,
  currentStateOf,
  type DaySummary,
  recentDays,
  timelineOf,
  timelineStart,
} from "../rules/uptime/component-timeline.ts";
import { tally, uptimePercent } from "../rules/uptime/uptime.ts";
import { utcMonthOf } from "../rules/uptime/utc-calendar.ts";
import { memoizeBySecond } from "./memoize-by-second.ts";

const shownDays = 90;
const burnMilliseconds = 6 * 3600 * 1000;
/** Of a percentage, behind the point. */
const digits = 2;

/** How one component is and was. */
export type ComponentSummary = Pick<Component, "key" | "name" | "group" | "objective"> & {
  state: ComponentState;
  since: Date;
  /** false: it has neither days nor figures, and is no part of the whole */
  isDeployed: boolean;
  /** names of components whose outage is felt here */
  affectedBy: string[];
  /** oldest first, today last; none where it isn't deployed */
  days: DaySummary[];
  /** of this UTC month, percent; null where nothing was measured */
  uptime: string | null;
  /** null where there is no objective */
  budget: (Budget & { burnRate: number | null; forecast: Forecast }) | null;
};

const summarizeComponentBudget = (
  { objective }: Pick<Component, "objective">,
  course: ReturnType<typeof timelineOf>,
  now: number,
): ComponentSummary["budget"] => {
  if (objective === null) return null;
  const month = utcMonthOf(now);
  const budget = budgetOf(tally(course.counted, month), objective, month);
  const rate = burnRate(tally(course.counted, { from: now - burnMilliseconds, to: now }), objective);
  const forecast = forecastOf({ rate, budget, objective }, { now, monthEnd: month.to });
  return { ...budget, burnRate: rate, forecast };
};

const summarizeComponent = (
  board: Board,
  { key, name, group, objective }: Component,
  cascade: ReadonlyMap<ComponentKey, ComponentKey[]>,
  now: number,
): ComponentSummary => {
  const course = timelineOf(board, key, { from: timelineStart(now, shownDays), to: now });
  const { state, since } = currentStateOf(course);
  const present = { key, name, group, objective, state, since: new Date(since) };
  if (!isDeployed(board, key, now))
    return { ...present, isDeployed: false, affectedBy: [], days: [], uptime: null, budget: null };
  return {
    ...present,
    isDeployed: true,
    affectedBy: (cascade.get(key) ?? []).map(componentName),
    days: recentDays(board, { component: key, course, count: shownDays }),
    uptime: uptimePercent(tally(course.counted, utcMonthOf(now)), digits),
    budget: summarizeComponentBudget({ objective }, course, now),
  };
};

/** What the whole goes by: the components that are deployed here, or all where none is known to be. */
export const deployedOrAll = (all: readonly ComponentSummary[]): readonly ComponentSummary[] => {
  const deployed = all.filter((one) => one.isDeployed);
  return deployed.length > 0 ? deployed : all;
};

/** What holds of them as a whole. */
export const summarizeOverall = (all: readonly ComponentSummary[]) => {
  const deployed = deployedOrAll(all);
  return overallOf(
    deployed.map(({ state }) => state),
    deployed.length === all.length,
  );
};

/** All components as they are at `now`, in the order of the page. */
export const summarizeComponents = memoizeBySecond((board: Board, now: Date): ComponentSummary[] => {
  const at = now.getTime();
  const cascade = currentCascade(board, at);
  return components.map((component) => summarizeComponent(board, component, cascade, at));
});

/** @returns null where there is no such component. */
export const findComponentSummary = (board: Board, key: string, now: Date): ComponentSummary | null => {
  const component = components.find((one) => one.key === key);
  return component ? summarizeComponent(board, component, currentCascade(board, now.getTime()), now.getTime()) : null;
};

/** Whether the first of the days that it tells of are made up. */
export const hasDemoHistory = ({ changes }: Pick<Board, "changes">): boolean =>
  changes.some(({ actor }) => actor === demoActor);
