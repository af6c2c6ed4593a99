import { z } from "zod";
import { defineEndpoint } from "../../http/endpoint.ts";
import { introspectToken } from "../introspect-token.ts";
import { clientErrors, clientForm } from "./client-form.ts";
import { noStore } from "./no-store.ts";

export const introspectEndpoint = defineEndpoint({
  method: "POST",
  path: "/oauth/introspect",
  operationId: "introspectToken",
  summary: "Ask whether a token of one’s own is live",
  tag: "Authorization server",
  standards: ["RFC 7662"],
  auth: { kind: "client" },
  rateLimit: "introspection",
  errors: "oauth",
  errorCodes: clientErrors,
  request: {
    content: "form",
    body: z.looseObject({ ...clientForm, token: z.string("is missing"), token_type_hint: z.string().optional() }),
    example: {
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: "eyJ…",
      token: "eyJ…",
    },
  },
  responses: {
    200: {
      description: 'Live, with what it carries; anything else is `{"active":false}` and nothing more',
      schema: z.looseObject({ active: z.boolean() }),
      example: { active: false },
    },
  },
  async handle({ deps, caller }, { body }) {
    return { status: 200, headers: noStore, body: await introspectToken(deps, { client: caller, token: body.token }) };
  },
});
