import { addDays, startOfDay } from "#server/kernel/time/calendar.ts";
import { listAddress, type SearchParams, searchId, searchText } from "../../portal/lists/list-address.ts";

export const logMethods = ["GET", "POST", "PUT", "DELETE"] as const;
export const statusClasses = { "2": "2xx: success", "3": "3xx: redirect", "4": "4xx: refused", "5": "5xx: our error" };

export type LogQuery = {
  app?: string | undefined;
  method?: (typeof logMethods)[number] | undefined;
  path?: string | undefined;
  status?: keyof typeof statusClasses | undefined;
  request?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  after?: string | undefined;
};

const oneOf = <T extends string>(known: readonly T[], text: unknown): T | undefined =>
  known.find((value) => value === text);

/** The filters of the address. Malformed values are ignored. */
export const readLogQuery = (params: SearchParams): LogQuery => ({
  app: searchId(params, "app"),
  method: oneOf(logMethods, params["method"]),
  path: searchText(params, "path", 200),
  status: oneOf(Object.keys(statusClasses) as (keyof typeof statusClasses)[], params["status"]),
  request: searchText(params, "request", 64),
  from: readDay(params["from"]),
  to: readDay(params["to"]),
  after: searchId(params, "after"),
});

const readDay = (value: unknown): string | undefined =>
  typeof value === "string" && startOfDay(value, "UTC") ? value : undefined;

/** Days are in the reader's time zone, both included. */
export const toLogFilter = (query: LogQuery, timeZone: string) => ({
  clientId: query.app,
  method: query.method,
  path: query.path,
  statusClass: query.status && Number(query.status),
  requestId: query.request,
  from: query.from && startOfDay(query.from, timeZone)?.toISOString(),
  until: query.to && startOfDay(addDays(query.to, 1), timeZone)?.toISOString(),
  startingAfter: query.after,
});

export const logsAddress = (query: LogQuery): string => listAddress("/merchant/logs", query);

export const isFilteredLog = ({ after: _, ...filters }: LogQuery): boolean =>
  Object.values(filters).some((value) => value !== undefined);
