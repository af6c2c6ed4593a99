import { z } from "zod";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStoreTokens } from "../../contract/headers.ts";
import { revokeToken } from "../../oauth/tokens/revoke-token.ts";
import { clientErrors, clientForm } from "./client-form.ts";

export const revokeEndpoint = defineEndpoint({
  method: "POST",
  path: "/oauth/revoke",
  operationId: "revokeToken",
  summary: "Revoke a token. A refresh token's mandates are revoked too",
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
      token_type_hint: z.string().optional().describe("Ignored: all token types are searched"),
    }),
    example: {
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: "eyJ…",
      token: "…",
    },
  },
  responses: { 200: { description: "Revoked. An unknown or invalid token gets the same response (RFC 7009 §2.2)" } },
  async handle({ deps, info, caller }, { body }) {
    await revokeToken(deps, { client: caller, token: body.token, info });
    return { status: 200, headers: noStoreTokens };
  },
});
