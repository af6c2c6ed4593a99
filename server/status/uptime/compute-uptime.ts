import { memoizeBySecond } from "../overview/memoize-by-second.ts";
import type { Board, ComponentDay, ComponentState, DayFigures, Maintenance } from "../rules/board.ts";
import { type Component, type ComponentKey, components } from "../rules/components.ts";
import { isDeployed } from "../rules/deployed.ts";
import { type ComponentTimeline, measuredSince, timelineOf } from "../rules/uptime/component-timeline.ts";
import { figuresOf } from "../rules/uptime/days.ts";
import { clip, type Span } from "../rules/uptime/intervals.ts";
import { type Tally, tally, tallyForCredits, uptimePercent } from "../rules/uptime/uptime.ts";
import { dayMilliseconds, utcDayOf, utcDaysOf, utcMonthOf, utcMonthsOf } from "../rules/uptime/utc-calendar.ts";

const uptimeDays = 90;

export type UptimeFigure = { span: Span; sums: Tally; percent: string | null };

export type RawDay = {
  span: Span;
  /** as computed now */
  figures: DayFigures;
  percent: string | null;
  /** null: not finished, or not frozen yet */
  frozen: ComponentDay | null;
  /** the figures computed now differ from the frozen ones, because of later findings */
  isAmended: boolean;
};

type RawInterval = Span & { source: string; subject: string; state: ComponentState };

/** All input of a component's figures. */
export type RawUptime = { intervals: RawInterval[]; maintenances: Maintenance[]; days: RawDay[] };

export type ComponentUptime = Pick<Component, "key" | "name" | "objective"> & {
  isDeployed: boolean;
  /** null: never measured, or not deployed */
  known: Span | null;
  ninetyDays: UptimeFigure;
  /**
   * UTC calendar months, newest first. Only the known part of each month is counted. `creditPercent` is null if the
   * component was never measured, or if no time of the month counts.
   */
  months: (UptimeFigure & { creditPercent: string | null })[];
};

const measured = (
  board: Board,
  component: ComponentKey,
  now: number,
): { timeline: ComponentTimeline; known: Span | null } => {
  const from = isDeployed(board, component, now) ? measuredSince(board, component) : null;
  const isKnown = from !== null && from < now;
  const timeline = timelineOf(board, component, { from: isKnown ? utcMonthOf(from).from : now, to: now });
  return { timeline, known: isKnown ? { from, to: now } : null };
};

const figureOf = ({ timeline, known }: ReturnType<typeof measured>, window: Span): UptimeFigure => {
  const span = known ? clip(window, known) : window;
  const sums = tally(known ? timeline.counted : [], span);
  return { span, sums, percent: uptimePercent(sums) };
};

/** The uptime of one component or all: the last 90 UTC days including today, and each calendar month. */
export const computeUptime = memoizeBySecond(
  (board: Board, now: Date, ...[only]: [ComponentKey?]): ComponentUptime[] => {
    const at = now.getTime();
    const ninetyDays = { from: utcDayOf(at).from - (uptimeDays - 1) * dayMilliseconds, to: at };
    const selected = components.filter(({ key }) => only === undefined || key === only);
    return selected.map(({ key, name, objective }) => {
      const all = measured(board, key, at);
      const wasMeasured = all.timeline.counted.some(({ counts }) => counts === "up" || counts === "down");
      const months = all.known ? utcMonthsOf(all.known).toReversed() : [];
      return {
        key,
        name,
        objective,
        isDeployed: isDeployed(board, key, at),
        known: all.known,
        ninetyDays: figureOf(all, ninetyDays),
        months: months.map((month) => {
          const figure = figureOf(all, month);
          const creditPercent = wasMeasured ? uptimePercent(tallyForCredits(figure.sums)) : null;
          return { ...figure, creditPercent };
        }),
      };
    });
  },
);

/** Everything that is needed to recompute a component's figures, and the component's frozen days. */
const collectRawUptime = (board: Board, now: Date, component: ComponentKey): RawUptime => {
  const { timeline, known } = measured(board, component, now.getTime());
  const frozen = new Map(
    board.days.filter((day) => day.component === component).map((day) => [day.day.getTime(), day]),
  );
  return {
    intervals: timeline.tracks
      .flatMap(({ source, subject, segments }) => segments.map((segment) => ({ source, subject, ...segment })))
      .sort((left, right) => left.from - right.from),
    maintenances: board.maintenances.filter((maintenance) => maintenance.components.includes(component)),
    days: (known ? utcDaysOf(known) : []).map((span) => rawDayOf(timeline, span, frozen.get(span.from) ?? null)),
  };
};

export const computeRawUptime = memoizeBySecond(collectRawUptime);

const rawDayOf = (timeline: ComponentTimeline, span: Span, frozen: ComponentDay | null): RawDay => {
  const figures = figuresOf(timeline, span);
  const names = Object.keys(figures) as (keyof DayFigures)[];
  return {
    span,
    figures,
    frozen,
    percent: uptimePercent(figures),
    isAmended: frozen !== null && names.some((name) => frozen.figures[name] !== figures[name]),
  };
};
