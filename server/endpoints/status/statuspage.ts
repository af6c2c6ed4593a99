import { cacheable } from "../../contract/cacheable.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { statuspageExample, statuspageSchema } from "../../status/overview/statuspage.wire.ts";
import { toStatuspageSummary } from "../../status/overview/statuspage-summary.ts";
import { defineStatusEndpoint } from "./status-endpoint.ts";

/**
 * For tools that read the format of Atlassian Statuspage. The path is `/api/v2/summary.json` on the status page's host,
 * and the same path below `/status`.
 */
export const statuspageEndpoint = defineStatusEndpoint({
  method: "GET",
  path: "/status/api/v2/summary.json",
  operationId: "getStatuspageSummary",
  summary:
    "Status summary in the format of Atlassian Statuspage. The status host also serves it as /api/v2/summary.json",
  tag: "Status",
  standards: [],
  errorCodes: [],
  // Tools for Statuspage add cache busters.
  request: { otherParameters: "ignored" },
  responses: {
    200: {
      description: "Page, components, open incidents and upcoming maintenance",
      schema: statuspageSchema,
      example: statuspageExample,
      headers: {
        etag: "Strong entity tag (RFC 9110 §8.8.3)",
        "access-control-allow-origin": "`*`: web pages of any origin may read the response",
      },
    },
    304: { description: "Not modified: the caller’s copy is current (If-None-Match)" },
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
