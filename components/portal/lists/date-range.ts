import { addDays, dayIn, startOfDay } from "#server/kernel/time/calendar.ts";
import type { SearchParams } from "./list-address.ts";

/** The period of a list, from its URL: `from` and `to` are days in the reader's zone, both included. */
export type DateRange = {
  from: string | undefined;
  to: string | undefined;
  /** The first instant. Undefined: from the beginning, or the range has a problem. */
  start: Date | undefined;
  /** The first instant after the range. Undefined: no end, or the range has a problem. */
  end: Date | undefined;
  problem: "invalid" | "reversed" | null;
};

const oneDay = (params: SearchParams, name: string): string | undefined => {
  const value = params[name];
  return typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, 10) : undefined;
};

/** Whether the instant is before year 1 in UTC. Procedures refuse such instants. */
const isBeforeYearOne = (at: Date | string | undefined): boolean => at instanceof Date && at.getUTCFullYear() < 1;

export const readDateRange = (params: SearchParams, timeZone: string): DateRange => {
  const [from, to] = [oneDay(params, "from"), oneDay(params, "to")];
  const open = { from, to, start: undefined, end: undefined };
  const [start, last] = [from && startOfDay(from, timeZone), to && startOfDay(to, timeZone)];
  if (start === null || last === null) return { ...open, problem: "invalid" };
  if ([start, last].some(isBeforeYearOne)) return { ...open, problem: "invalid" };
  if (from && to && to < from) return { ...open, problem: "reversed" };
  const end = to && startOfDay(addDays(to, 1), timeZone);
  return { from, to, start: start || undefined, end: end || undefined, problem: null };
};

/** The period as procedures take it: `from` is included, `to` isn't. */
export const periodOf = ({ start, end }: DateRange) => ({ from: start?.toISOString(), to: end?.toISOString() });

/** Lists rows. With invalid dates, returns `none`: the page shows the problem instead of rows of another period. */
export const listInRange = async <Rows>(range: DateRange, none: Rows, list: () => Promise<Rows>): Promise<Rows> =>
  range.problem === null ? list() : none;

export type RangePreset = { name: "today" | "week" | "thirtyDays" | "month"; from: string; to: string };

/** The usual periods up to today, in the reader's zone. */
export const rangePresets = (now: Date, timeZone: string): RangePreset[] => {
  const today = dayIn(timeZone, now);
  return [
    { name: "today", from: today, to: today },
    { name: "week", from: addDays(today, -6), to: today },
    { name: "thirtyDays", from: addDays(today, -29), to: today },
    { name: "month", from: `${today.slice(0, 7)}-01`, to: today },
  ];
};
