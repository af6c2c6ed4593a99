import { cacheable } from "../../contract/cacheable.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { statuspageExample, statuspageSchema } from "../../status/overview/statuspage.wire.ts";
import { toStatuspageSummary } from "../../status/overview/statuspage-summary.ts";
import { defineStatusEndpoint } from "./status-endpoint.ts";

/** What tools for Atlassian Statuspage ask: `/api/v2/summary.json` of the status page's host, and below /status. */
export const statuspageEndpoint = defineStatusEndpoint({
  method: "GET",
  path: "/status/api/v2/summary.json",
  operationId: "getStatuspageSummary",
  summary: "The summary as Atlassian Statuspage tells it; also /api/v2/summary.json of the status page's host",
  tag: "Status",
  standards: [],
  errorCodes: [],
  // Tools for Statuspage add a cache buster of their own.
  request: { otherParameters: "ignored" },
  responses: {
    200: {
      description: "Page, components, incidents that go on, and maintenance to come",
      schema: statuspageSchema,
      example: statuspageExample,
      headers: {
        etag: "Strong entity tag (RFC 9110 §8.8.3)",
        "access-control-allow-origin": "`*`: pages of any site may read it",
      },
    },
    304: { description: "The reader’s copy is the present one (If-None-Match)" },
  },
  async answer({ deps, request }) {
    const body = JSON.stringify(toStatuspageSummary(deps.board(), deps.clock.now(), deps.config.statusUrl));
    const reply = cacheable(request, {
      body,
      contentType: "application/json",
      etag: `"${sha256Base64url(body)}"`,
      cacheControl: "public, max-age=5",
    });
    return { ...reply, headers: { ...reply.headers, "access-control-allow-origin": "*" } };
  },
});
