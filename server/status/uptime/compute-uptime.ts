import { memoizeBySecond } from "../overview/memoize-by-second.ts";
import type { Board, ComponentDay, ComponentState, DayFigures, Maintenance } from "../rules/board.ts";
import { type Component, type ComponentKey, components } from "../rules/components.ts";
import { isDeployed } from "../rules/deployed.ts";
import { type ComponentTimeline, measuredSince, timelineOf } from "../rules/uptime/component-timeline.ts";
import { figuresOf } from "../rules/uptime/days.ts";
import { clip, type Span } from "../rules/uptime/intervals.ts";
import { type Tally, tally, tallyForCredits, uptimePercent } from "../rules/uptime/uptime.ts";
import { dayMilliseconds, utcDayOf, utcDaysOf, utcMonthOf, utcMonthsOf } from "../rules/uptime/utc-calendar.ts";

const shownDays = 90;

export type UptimeFigure = { span: Span; sums: Tally; percent: string | null };

export type RawDay = {
  span: Span;
  /** by what is known now */
  figures: DayFigures;
  percent: string | null;
  /** null: not finished, or not frozen yet */
  frozen: ComponentDay | null;
  /** what is known now is not what was frozen: it was found out later */
  isAmended: boolean;
};

type RawInterval = Span & { source: string; subject: string; state: ComponentState };

/** Everything that a figure of this component is computed from. */
export type RawUptime = { intervals: RawInterval[]; maintenances: Maintenance[]; days: RawDay[] };

export type ComponentUptime = Pick<Component, "key" | "name" | "objective"> & {
  isDeployed: boolean;
  /** null: nothing was ever measured, or it isn't deployed */
  known: Span | null;
  ninetyDays: UptimeFigure;
  /**
   * UTC calendar months, newest first, each as far as it is known. For credits there is no figure of what was never
   * measured in any of them: it isn't deployed.
   */
  months: (UptimeFigure & { creditPercent: string | null })[];
};

const measured = (
  board: Board,
  component: ComponentKey,
  now: number,
): { course: ComponentTimeline; known: Span | null } => {
  const from = isDeployed(board, component, now) ? measuredSince(board, component) : null;
  const isKnown = from !== null && from < now;
  const course = timelineOf(board, component, { from: isKnown ? utcMonthOf(from).from : now, to: now });
  return { course, known: isKnown ? { from, to: now } : null };
};

const figureOf = ({ course, known }: ReturnType<typeof measured>, window: Span): UptimeFigure => {
  const span = known ? clip(window, known) : window;
  const sums = tally(known ? course.counted : [], span);
  return { span, sums, percent: uptimePercent(sums) };
};

/** The uptime of each component, or of one alone: the last 90 UTC days with today, and by calendar month. */
export const computeUptime = memoizeBySecond(
  (board: Board, now: Date, ...[only]: [ComponentKey?]): ComponentUptime[] => {
    const at = now.getTime();
    const ninetyDays = { from: utcDayOf(at).from - (shownDays - 1) * dayMilliseconds, to: at };
    const asked = components.filter(({ key }) => only === undefined || key === only);
    return asked.map(({ key, name, objective }) => {
      const all = measured(board, key, at);
      const wasMeasured = all.course.counted.some(({ counts }) => counts === "up" || counts === "down");
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

/** What every figure of a component can be computed from again, and its days as they were frozen. */
const collectRawUptime = (board: Board, now: Date, component: ComponentKey): RawUptime => {
  const { course, known } = measured(board, component, now.getTime());
  const frozen = new Map(
    board.days.filter((day) => day.component === component).map((day) => [day.day.getTime(), day]),
  );
  return {
    intervals: course.tracks
      .flatMap(({ source, subject, segments }) => segments.map((segment) => ({ source, subject, ...segment })))
      .sort((left, right) => left.from - right.from),
    maintenances: board.maintenances.filter((maintenance) => maintenance.components.includes(component)),
    days: (known ? utcDaysOf(known) : []).map((span) => rawDayOf(course, span, frozen.get(span.from) ?? null)),
  };
};

/** As rawUptime tells it. */
export const computeRawUptime = memoizeBySecond(collectRawUptime);

const rawDayOf = (course: ComponentTimeline, span: Span, frozen: ComponentDay | null): RawDay => {
  const figures = figuresOf(course, span);
  const names = Object.keys(figures) as (keyof DayFigures)[];
  return {
    span,
    figures,
    frozen,
    percent: uptimePercent(figures),
    isAmended: frozen !== null && names.some((name) => frozen.figures[name] !== figures[name]),
  };
};
