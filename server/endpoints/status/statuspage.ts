import type { z } from "zod";
import { cacheable } from "../../contract/cacheable.ts";
import { statuspageExample, statuspageSchemas } from "../../status/overview/statuspage.wire.ts";
import { type StatuspageSource, statuspageViews } from "../../status/overview/statuspage-views.ts";
import { entityTag } from "../../status/rules/feeds/feed.ts";
import { defineStatusEndpoint } from "./status-endpoint.ts";

type StatuspageEndpoint<Schema extends z.ZodType> = {
  /** below `/api/v2/` */
  path: string;
  operationId: string;
  /** what the response contains */
  content: string;
  schema: Schema;
  example: z.infer<Schema>;
  view(source: StatuspageSource): z.infer<Schema>;
};

/**
 * For tools that read the format of Atlassian Statuspage. The path is below `/api/v2` on the status page's host, and
 * below `/status/api/v2`.
 */
const statuspageEndpoint = <Schema extends z.ZodType>({
  path,
  operationId,
  content,
  schema,
  example,
  view,
}: StatuspageEndpoint<Schema>) =>
  defineStatusEndpoint({
    method: "GET",
    path: `/status/api/v2/${path}`,
    operationId,
    summary: `${content}, in the format of Atlassian Statuspage. The status host also serves it as /api/v2/${path}`,
    tag: "Status",
    standards: [],
    isPublic: true,
    errorCodes: [],
    // Tools for Statuspage add cache busters.
    request: { otherParameters: "ignored" },
    responses: {
      200: {
        description: content,
        schema,
        example,
        headers: {
          etag: "Strong entity tag (RFC 9110 §8.8.3)",
          "access-control-allow-origin": "`*`: web pages of any origin may read the response",
        },
      },
      304: { description: "Not modified: the caller’s copy is current (If-None-Match)" },
    },
    async answer({ deps, request }) {
      const source = { board: deps.board(), now: deps.clock.now(), statusUrl: deps.config.statusUrl };
      const body = JSON.stringify(view(source));
      return cacheable(request, {
        body,
        contentType: "application/json",
        etag: entityTag(body),
        cacheControl: "public, max-age=5",
      });
    },
  });

const { page, status, components, incidents, scheduled_maintenances } = statuspageExample;

export const statuspageSummaryEndpoint = statuspageEndpoint({
  path: "summary.json",
  operationId: "getStatuspageSummary",
  content: "Status, components, open incidents and upcoming maintenance",
  schema: statuspageSchemas.summary,
  example: statuspageExample,
  view: statuspageViews.summary,
});

export const statuspageStatusEndpoint = statuspageEndpoint({
  path: "status.json",
  operationId: "getStatuspageStatus",
  content: "Status of the whole page",
  schema: statuspageSchemas.status,
  example: { page, status },
  view: statuspageViews.status,
});

export const statuspageComponentsEndpoint = statuspageEndpoint({
  path: "components.json",
  operationId: "listStatuspageComponents",
  content: "Components with their status",
  schema: statuspageSchemas.components,
  example: { page, components },
  view: statuspageViews.components,
});

const incidentList = { schema: statuspageSchemas.incidents, example: { page, incidents } };

export const statuspageIncidentsEndpoint = statuspageEndpoint({
  ...incidentList,
  path: "incidents.json",
  operationId: "listStatuspageIncidents",
  content: "The 50 newest incidents",
  view: statuspageViews.incidents,
});

export const statuspageUnresolvedEndpoint = statuspageEndpoint({
  ...incidentList,
  path: "incidents/unresolved.json",
  operationId: "listStatuspageUnresolvedIncidents",
  content: "Incidents that aren’t resolved",
  view: statuspageViews.unresolved,
});

const maintenanceList = { schema: statuspageSchemas.maintenances, example: { page, scheduled_maintenances } };

export const statuspageMaintenancesEndpoint = statuspageEndpoint({
  ...maintenanceList,
  path: "scheduled-maintenances.json",
  operationId: "listStatuspageMaintenances",
  content: "The 50 newest maintenance windows",
  view: statuspageViews.maintenances,
});

export const statuspageActiveEndpoint = statuspageEndpoint({
  ...maintenanceList,
  path: "scheduled-maintenances/active.json",
  operationId: "listStatuspageActiveMaintenances",
  content: "Maintenance in progress",
  view: statuspageViews.active,
});

export const statuspageUpcomingEndpoint = statuspageEndpoint({
  ...maintenanceList,
  path: "scheduled-maintenances/upcoming.json",
  operationId: "listStatuspageUpcomingMaintenances",
  content: "Maintenance that is scheduled",
  view: statuspageViews.upcoming,
});

export const statuspageEndpoints = [
  statuspageSummaryEndpoint,
  statuspageStatusEndpoint,
  statuspageComponentsEndpoint,
  statuspageIncidentsEndpoint,
  statuspageUnresolvedEndpoint,
  statuspageMaintenancesEndpoint,
  statuspageActiveEndpoint,
  statuspageUpcomingEndpoint,
];
