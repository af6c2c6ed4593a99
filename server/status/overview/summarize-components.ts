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

const maxDays = 90;
const burnMilliseconds = 6 * 3600 * 1000;
/** Decimal places of a percentage. */
const digits = 2;

/** A component's current state, recent days, uptime and error budget. */
export type ComponentSummary = Pick<Component, "key" | "name" | "group" | "objective"> & {
  state: ComponentState;
  since: Date;
  /** false: no days, no figures, not part of the overall state */
  isDeployed: boolean;
  /** names of components whose outage affects this one */
  affectedBy: string[];
  /** oldest first, today last; none if it isn't deployed */
  days: DaySummary[];
  /** percent of this UTC month; null if nothing was measured */
  uptime: string | null;
  /** null if there is no objective */
  budget: (Budget & { burnRate: number | null; forecast: Forecast }) | null;
};

const summarizeComponentBudget = (
  { objective }: Pick<Component, "objective">,
  timeline: ReturnType<typeof timelineOf>,
  now: number,
): ComponentSummary["budget"] => {
  if (objective === null) return null;
  const month = utcMonthOf(now);
  const budget = budgetOf(tally(timeline.counted, month), objective, month);
  const rate = burnRate(tally(timeline.counted, { from: now - burnMilliseconds, to: now }), objective);
  const forecast = forecastOf({ rate, budget, objective }, { now, monthEnd: month.to });
  return { ...budget, burnRate: rate, forecast };
};

type Moment = { now: number; cascade: ReadonlyMap<ComponentKey, ComponentKey[]> };

const summarizeComponent = (
  board: Board,
  { key, name, group, objective }: Component,
  { now, cascade }: Moment,
): ComponentSummary => {
  const timeline = timelineOf(board, key, { from: timelineStart(now, maxDays), to: now });
  const { state, since } = currentStateOf(timeline);
  const present = { key, name, group, objective, state, since: new Date(since) };
  if (!isDeployed(board, key, now))
    return { ...present, isDeployed: false, affectedBy: [], days: [], uptime: null, budget: null };
  return {
    ...present,
    isDeployed: true,
    affectedBy: (cascade.get(key) ?? []).map(componentName),
    days: recentDays(board, { component: key, timeline, count: maxDays }),
    uptime: uptimePercent(tally(timeline.counted, utcMonthOf(now)), digits),
    budget: summarizeComponentBudget({ objective }, timeline, now),
  };
};

/** Components that count for the overall state: the deployed ones, or all if none is known to be deployed. */
export const deployedOrAll = (all: readonly ComponentSummary[]): readonly ComponentSummary[] => {
  const deployed = all.filter((one) => one.isDeployed);
  return deployed.length > 0 ? deployed : all;
};

export const summarizeOverall = (all: readonly ComponentSummary[]) => {
  const deployed = deployedOrAll(all);
  return overallOf(
    deployed.map(({ state }) => state),
    deployed.length === all.length,
  );
};

/** All components at `now`, in the order of the page. */
export const summarizeComponents = memoizeBySecond((board: Board, now: Date): ComponentSummary[] => {
  const moment = { now: now.getTime(), cascade: currentCascade(board, now.getTime()) };
  return components.map((component) => summarizeComponent(board, component, moment));
});

/** @returns null if there is no such component. */
export const findComponentSummary = (board: Board, key: string, now: Date): ComponentSummary | null => {
  const component = components.find((one) => one.key === key);
  const moment = { now: now.getTime(), cascade: currentCascade(board, now.getTime()) };
  return component ? summarizeComponent(board, component, moment) : null;
};

/** Whether the oldest days are demo data. */
export const hasDemoHistory = ({ changes }: Pick<Board, "changes">): boolean =>
  changes.some(({ actor }) => actor === demoActor);
