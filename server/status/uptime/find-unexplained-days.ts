import { memoizeBySecond } from "../overview/memoize-by-second.ts";
import type { Board, DayFigures, Incident } from "../rules/board.ts";
import { type ComponentKey, componentName, components } from "../rules/components.ts";
import { isDeployed } from "../rules/deployed.ts";
import { isPublicIncident } from "../rules/feeds/public-updates.ts";
import { timelineOf } from "../rules/uptime/component-timeline.ts";
import { figuresOf } from "../rules/uptime/days.ts";
import { clip, type Span } from "../rules/uptime/intervals.ts";
import { utcDaysOf, utcMonthOf } from "../rules/uptime/utc-calendar.ts";

/** A UTC day on which a component was down or degraded without a public incident. */
export type UnexplainedDay = { component: ComponentKey; componentName: string; day: number; figures: DayFigures };

export type UnexplainedDays = {
  /** false: nothing was measured in the month */
  isMeasured: boolean;
  /** newest first */
  unexplained: UnexplainedDay[];
};

const isImpaired = ({ partial_outage, major_outage, degraded }: DayFigures): boolean =>
  partial_outage + major_outage + degraded > 0;

const explains = (incident: Incident, component: ComponentKey, day: Span): boolean =>
  incident.components.some((one) => one.component === component) &&
  incident.startedAt.getTime() < day.to &&
  (incident.resolvedAt === null || incident.resolvedAt.getTime() >= day.from);

/** `month` as `2026-11`; without `component`: all components. */
type UnexplainedQuery = { month: string; component?: ComponentKey };

export const findUnexplainedDays = memoizeBySecond(
  (board: Board, now: Date, query: UnexplainedQuery): UnexplainedDays => {
    const month = clip(utcMonthOf(Date.parse(`${query.month}-01`)), { from: 0, to: now.getTime() });
    const incidents = board.incidents.filter(isPublicIncident);
    const keys = components
      .map(({ key }) => key)
      .filter((key) => query.component === undefined || key === query.component);
    const days = keys
      .filter((key) => isDeployed(board, key, now.getTime()))
      .flatMap((component) => {
        const timeline = timelineOf(board, component, month);
        const frozen = new Map(
          board.days.filter((day) => day.component === component).map(({ day, figures }) => [day.getTime(), figures]),
        );
        return utcDaysOf(month).map((span) => ({
          component,
          componentName: componentName(component),
          span,
          figures: frozen.get(span.from) ?? figuresOf(timeline, span),
        }));
      });
    return {
      isMeasured: days.some(({ figures }) => figures.up + figures.down > 0),
      unexplained: days
        .filter(({ component, span, figures }) => {
          return isImpaired(figures) && !incidents.some((incident) => explains(incident, component, span));
        })
        .map(({ span, ...day }) => ({ ...day, day: span.from }))
        .toSorted((left, right) => right.day - left.day),
    };
  },
);
