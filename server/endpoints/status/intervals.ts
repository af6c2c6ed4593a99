import { z } from "zod";
import { DomainError } from "../../kernel/errors.ts";
import { isComponentKey } from "../../status/rules/components.ts";
import { computeRawUptime } from "../../status/uptime/compute-uptime.ts";
import { defineStatusEndpoint } from "./status-endpoint.ts";

const header = "from,to,source,subject,state";

/** Ids, states and times have no comma, quote or line break, so nothing is quoted (RFC 4180 §2). */
export const intervalsCsvEndpoint = defineStatusEndpoint({
  method: "GET",
  path: "/status/components/{component}/intervals.csv",
  operationId: "downloadIntervals",
  summary:
    "State intervals of one component as CSV: the state that each source reported. The published figures can be recomputed from them",
  tag: "Status",
  isPublic: true,
  standards: ["RFC 4180"],
  errorCodes: ["component_not_found"],
  request: { params: z.object({ component: z.string().meta({ example: "sandbox" }) }) },
  responses: {
    200: {
      description: "One line for each interval, in UTC, oldest first",
      contentType: "text/csv",
      schema: z.string(),
      example: `${header}\r\n2026-11-01T00:00:00.000Z,2026-11-21T12:00:00.000Z,probe,,operational\r\n`,
      headers: { "content-disposition": "A file name for downloads" },
    },
  },
  async answer({ deps }, { params: { component } }) {
    if (!isComponentKey(component)) {
      throw new DomainError("not_found", {
        code: "component_not_found",
        message: "Component not found. /status/v1/summary lists all components.",
      });
    }
    const { intervals } = computeRawUptime(deps.board(), deps.clock.now(), component);
    const lines = intervals.map(({ from, to, source, subject, state }) =>
      [new Date(from).toISOString(), new Date(to).toISOString(), source, subject, state].join(","),
    );
    return {
      status: 200,
      contentType: "text/csv; charset=utf-8; header=present",
      headers: {
        "cache-control": "no-store",
        "content-disposition": `attachment; filename="${component}-intervals.csv"`,
      },
      body: `${[header, ...lines].join("\r\n")}\r\n`,
    };
  },
});
