import type { AuditTopic } from "#server/merchants/rules/audit-actions.ts";
import type { DateRange } from "../../portal/lists/date-range.ts";
import { listAddress, type SearchParams, searchId, searchText } from "../../portal/lists/list-address.ts";
import { auditTopicLabels } from "./audit-labels.ts";

export type AuditQuery = {
  topic?: AuditTopic | undefined;
  actor?: string | undefined;
  /** id of an object or a request */
  q?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  after?: string | undefined;
};

const topics = Object.keys(auditTopicLabels) as AuditTopic[];

/** The filters in the URL. Malformed values are ignored. */
export const readAuditQuery = (params: SearchParams): AuditQuery => ({
  topic: topics.find((topic) => topic === params["topic"]),
  actor: searchId(params, "actor"),
  q: searchText(params, "q", 64),
  from: searchText(params, "from", 10),
  to: searchText(params, "to", 10),
  after: /^[0-9a-z]{1,10}\.[0-9a-z]{1,10}$/.exec(searchText(params, "after", 64) ?? "")?.[0],
});

export const toAuditFilter = (query: AuditQuery, { start, end }: Pick<DateRange, "start" | "end">) => ({
  topic: query.topic,
  actor: query.actor,
  id: query.q,
  from: start?.toISOString(),
  until: end?.toISOString(),
  cursor: query.after,
});

export const auditListAddress = (query: AuditQuery): string => listAddress("/merchant/audit", query);

export const isFilteredAudit = ({ after: _, ...filters }: AuditQuery): boolean =>
  Object.values(filters).some((value) => value !== undefined);
