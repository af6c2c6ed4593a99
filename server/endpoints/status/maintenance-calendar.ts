import { z } from "zod";
import { cacheable } from "../../contract/cacheable.ts";
import { calendarType, renderCalendar } from "../../status/rules/feeds/calendar.ts";
import { entityTag } from "../../status/rules/feeds/feed.ts";
import { defineStatusEndpoint } from "./status-endpoint.ts";

/** Calendar programs subscribe to it. The status host also serves it as `/maintenance.ics`. */
export const maintenanceCalendarEndpoint = defineStatusEndpoint({
  method: "GET",
  path: "/status/maintenance.ics",
  operationId: "getMaintenanceCalendar",
  summary: "Maintenance as iCalendar, for calendar programs. The status host also serves it as /maintenance.ics",
  tag: "Status",
  standards: ["RFC 5545"],
  isPublic: true,
  errorCodes: [],
  // Sites that link to the calendar add parameters such as `utm_source`.
  request: { otherParameters: "ignored" },
  responses: {
    200: {
      description: "One event for each of the 200 newest maintenance windows",
      contentType: "text/calendar",
      schema: z.string(),
      example: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n…\r\nEND:VCALENDAR\r\n",
      headers: { etag: "Strong entity tag (RFC 9110 §8.8.3)" },
    },
    304: { description: "Not modified: the caller’s copy is current (If-None-Match)" },
  },
  async answer({ deps, request }) {
    const body = renderCalendar(deps.board().maintenances, deps.config.statusUrl);
    return cacheable(request, {
      body,
      contentType: calendarType,
      etag: entityTag(body),
      cacheControl: "public, max-age=60",
    });
  },
});
