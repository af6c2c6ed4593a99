import { z } from "zod";
import { badgeStates, findStatus } from "../../assets/find-status.ts";
import { badgeLabel, drawBadge } from "../../assets/rules/draw-badge.ts";
import { cacheable } from "../../contract/cacheable.ts";
import { defineEndpoint, type EndpointRequest, type RawReply } from "../../contract/endpoint.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { componentName, components } from "../../status/rules/components.ts";

const component = z.enum(components.map(({ key }) => key));
const query = z.object({
  component: component.optional().describe("The component. Without it, the state of all components together"),
});

const shared = {
  method: "GET",
  tag: "Assets",
  standards: [],
  auth: { kind: "none" },
  rateLimit: "open",
  errors: "problem",
  errorCodes: ["invalid_request"],
  isPublic: true,
  request: { query },
} as const;

const answerBadge = (request: EndpointRequest, body: string, contentType: string): RawReply => {
  const etag = `"${sha256Base64url(body)}"`;
  const reply = cacheable(request, { body, contentType, etag, cacheControl: "public, max-age=30" });
  return {
    ...reply,
    headers: {
      ...reply.headers,
      "cross-origin-resource-policy": "cross-origin",
      "timing-allow-origin": "*",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    },
  };
};

const subjectOf = (key: z.infer<typeof component> | undefined) =>
  key === undefined ? null : { key, name: componentName(key) };

export const statusBadgeEndpoint = defineEndpoint({
  ...shared,
  path: "/cdn/v1/status-badge.svg",
  operationId: "getStatusBadge",
  summary: "The current state of a component as a picture",
  responses: {
    200: { description: "The badge", contentType: "image/svg+xml", example: "<svg …>" },
    304: { description: "Not modified: the caller’s copy is current (If-None-Match)" },
  },
  async handle({ deps, request }, input) {
    return answerBadge(request, drawBadge(await findStatus(deps, subjectOf(input.query.component))), "image/svg+xml");
  },
});

const badgeSchema = z.object({
  component: component.nullable().describe("Null: all components together"),
  name: z.string(),
  state: z.enum(badgeStates),
  label: z.string().describe("The state in words"),
  status_url: z.url().describe("The status page"),
});

export const statusBadgeDataEndpoint = defineEndpoint({
  ...shared,
  path: "/cdn/v1/status-badge.json",
  operationId: "getStatusBadgeData",
  summary: "The data of the status badge, which `<paygrant-status>` shows",
  responses: {
    200: {
      description: "The current state",
      schema: badgeSchema,
      example: {
        component: "authorization_server",
        name: "Authorization server",
        state: "operational",
        label: "Operational",
        status_url: "https://status.example.com",
      },
    },
    304: { description: "Not modified: the caller’s copy is current (If-None-Match)" },
  },
  async handle({ deps, request }, input) {
    const { name, state } = await findStatus(deps, subjectOf(input.query.component));
    const body = {
      component: input.query.component ?? null,
      name,
      state,
      label: badgeLabel(state),
      status_url: deps.config.statusUrl,
    } satisfies z.infer<typeof badgeSchema>;
    return answerBadge(request, JSON.stringify(body), "application/json");
  },
});
