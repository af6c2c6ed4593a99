import { addDays, dayIn } from "#server/kernel/time/calendar.ts";
import { isTimeZone } from "#server/kernel/time/time-zone.ts";
import type { DateRange } from "../../../portal/lists/date-range.ts";
import { readDateRange } from "../../../portal/lists/date-range.ts";
import { listAddress, type SearchParams, searchText } from "../../../portal/lists/list-address.ts";

export const usageWindowNames = { hour: "Hour", day: "Day", month: "Month" } as const;
export type UsageWindowName = keyof typeof usageWindowNames;

/** How many days are shown if the URL has no start date. */
const defaultDays: Readonly<Record<UsageWindowName, number>> = { hour: 7, day: 30, month: 365 };

/** The filters in the URL of the usage explorer. `at`: the start of the window whose events are listed. */
export type UsageQuery = {
  meter: string;
  window: UsageWindowName;
  zone: string;
  from: string | undefined;
  to: string | undefined;
  at?: string | undefined;
  after?: string | undefined;
};

const path = "/merchant/billing/usage";

export const usageAddress = (query: UsageQuery): string => listAddress(path, query);

const isWindow = (text: unknown): text is UsageWindowName =>
  typeof text === "string" && Object.hasOwn(usageWindowNames, text);

type Read = {
  query: UsageQuery;
  /** the filters that the URL has, without defaults */
  chosen: Readonly<Record<"meter" | "window" | "zone" | "from" | "to", string | undefined>>;
  range: DateRange & { start: Date; end: Date };
  zoneProblem: string | null;
};

/**
 * Malformed filters are replaced by the defaults. An invalid date is kept and reported. An invalid time zone is
 * reported and replaced by the reader's time zone.
 */
export const readUsageQuery = (params: SearchParams, { timeZone, now }: { timeZone: string; now: Date }): Read => {
  const typedZone = searchText(params, "zone", 64);
  const zone = typedZone !== undefined && isTimeZone(typedZone) ? typedZone : timeZone;
  const window = isWindow(params["window"]) ? params["window"] : "day";
  const given = readDateRange(params, zone);
  const today = dayIn(zone, now);
  const last = given.problem === null ? (given.to ?? today) : today;
  const begin = given.problem === null ? given.from : undefined;
  const from = begin ?? addDays(last, 1 - defaultDays[window]);
  const { start = now, end = now } = readDateRange({ from, to: last }, zone);
  const meter = searchText(params, "meter", 100);
  const shown = given.problem === null ? { from, to: last } : { from: given.from, to: given.to };
  return {
    query: { meter: meter ?? "successful_charges", window, zone, ...shown },
    chosen: {
      meter,
      window: isWindow(params["window"]) ? params["window"] : undefined,
      zone: typedZone,
      from: given.from,
      to: given.to,
    },
    range: { ...given, ...shown, start, end },
    zoneProblem:
      typedZone !== undefined && typedZone !== zone ? `Unknown time zone. Times are shown in ${zone}.` : null,
  };
};
