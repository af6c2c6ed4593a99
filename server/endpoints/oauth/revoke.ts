import { z } from "zod";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStoreTokens } from "../../contract/headers.ts";
import { revokeToken } from "../../oauth/tokens/revoke-token.ts";
import { clientErrors, clientForm } from "./client-form.ts";

export const revokeEndpoint = defineEndpoint({
  method: "POST",
  path: "/oauth/revoke",
  operationId: "revokeToken",
  summary: "Revoke a token; a refresh token takes its mandates with it",
  tag: "Authorization server",
  standards: ["RFC 7009"],
  auth: { kind: "client" },
  errors: "oauth",
  errorCodes: [...clientErrors, "invalid_grant", "unsupported_token_type"],
  isPublic: true,
  request: {
    content: "form",
    body: z.object({
      ...clientForm,
      token: z.string("is missing"),
      token_type_hint: z.string().optional().describe("ignored: all kinds are looked up"),
    }),
    example: {
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: "eyJ…",
      token: "…",
    },
  },
  responses: { 200: { description: "Revoked, or unknown: an invalid token is no error (RFC 7009 §2.2)" } },
  async handle({ deps, info, caller }, { body }) {
    await revokeToken(deps, { client: caller, token: body.token, info });
    return { status: 200, headers: noStoreTokens };
  },
});
