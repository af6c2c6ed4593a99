import type { DateRange } from "../../portal/lists/date-range.ts";
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

/** The filters in the URL. Malformed values are ignored. */
export const readLogQuery = (params: SearchParams): LogQuery => ({
  app: searchId(params, "app"),
  method: oneOf(logMethods, params["method"]),
  path: searchText(params, "path", 200),
  status: oneOf(Object.keys(statusClasses) as (keyof typeof statusClasses)[], params["status"]),
  request: searchText(params, "request", 64),
  from: searchText(params, "from", 10),
  to: searchText(params, "to", 10),
  after: searchId(params, "after"),
});

export const toLogFilter = (query: LogQuery, { start, end }: Pick<DateRange, "start" | "end">) => ({
  clientId: query.app,
  method: query.method,
  path: query.path,
  statusClass: query.status && Number(query.status),
  requestId: query.request,
  from: start?.toISOString(),
  until: end?.toISOString(),
  startingAfter: query.after,
});

export const logsAddress = (query: LogQuery): string => listAddress("/merchant/logs", query);

export const isFilteredLog = ({ after: _, ...filters }: LogQuery): boolean =>
  Object.values(filters).some((value) => value !== undefined);
