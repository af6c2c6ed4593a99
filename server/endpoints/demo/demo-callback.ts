import { z } from "zod";
import { defineEndpoint } from "../../contract/endpoint.ts";

/**
 * The demo agent's redirect URI: on a loopback IP if BASE_URL is plain http (RFC 8252 §7.3). This endpoint therefore
 * redirects the browser to the demo's own origin.
 */
export const demoCallbackEndpoint = defineEndpoint({
  method: "GET",
  path: "/demo/callback",
  operationId: "demoCallback",
  summary: "Redirect URI of the demo agent",
  tag: "Demo",
  standards: ["RFC 8252 §7.3"],
  auth: { kind: "none" },
  rateLimit: "person",
  errors: "page",
  isOffered: ({ environment }) => environment === "sandbox",
  errorCodes: ["400"],
  request: {
    query: z.looseObject({ code: z.string().optional(), state: z.string().optional(), error: z.string().optional() }),
  },
  responses: { 303: { description: "Redirects to the demo with the same query" } },
  handle: async ({ deps, request }) => ({
    status: 303,
    headers: {
      location: `${deps.config.baseUrl}/demo/return${new URL(request.url).search}`,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    },
  }),
});
