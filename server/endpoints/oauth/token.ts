import { z } from "zod";
import { defineEndpoint, type FormFields } from "../../contract/endpoint.ts";
import { noStoreTokens } from "../../contract/headers.ts";
import { grantToken } from "../../oauth/grants/grant-token.ts";
import { dpopNonceHeaders } from "../../oauth/tokens/verify-dpop-proof.ts";
import { clientErrors, clientForm, permissionErrors } from "./client-form.ts";

const body = z.looseObject({
  ...clientForm,
  grant_type: z.string().optional().describe("One of grant_types_supported in the metadata"),
  code: z.string().optional(),
  redirect_uri: z.string().optional(),
  code_verifier: z.string().optional(),
  refresh_token: z.string().optional(),
  scope: z
    .string()
    .optional()
    .describe(
      "Scopes of one resource. The default for client_credentials is all registered scopes of `resource`, or of the client's default resource. The default for refresh_token is the granted scopes",
    ),
  resource: z.array(z.string()).optional().describe("The resource that the token is for (RFC 8707)"),
  authorization_details: z.string().optional().describe("JSON array that narrows what was granted (RFC 9396 §6.1)"),
  subject_token: z.string().optional().describe("Token exchange: a valid access token of this client"),
  subject_token_type: z.string().optional().describe("Must be urn:ietf:params:oauth:token-type:access_token"),
  requested_token_type: z.string().optional().describe("Must be urn:ietf:params:oauth:token-type:access_token"),
  audience: z.array(z.string()).optional().describe("Token exchange: the id of one merchant"),
});

const tokenResponse = z.object({
  access_token: z.string(),
  token_type: z.enum(["DPoP", "Bearer"]),
  expires_in: z.int(),
  issued_token_type: z.string().optional().describe("Only for token exchange (RFC 8693 §2.2.1)"),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
  authorization_details: z.array(z.looseObject({ type: z.string(), identifier: z.string() })).optional(),
  grant_id: z.string().optional(),
});

export const tokenEndpoint = defineEndpoint({
  method: "POST",
  path: "/oauth/token",
  operationId: "token",
  summary: "Get an access token",
  tag: "Authorization server",
  standards: ["RFC 6749", "RFC 7523", "RFC 7636", "RFC 8693", "RFC 9068", "RFC 9396", "RFC 9449"],
  auth: { kind: "pending_client" },
  errors: "oauth",
  errorCodes: [...clientErrors, "invalid_grant", "unauthorized_client", "unsupported_grant_type", ...permissionErrors],
  isPublic: true,
  request: {
    content: "form",
    body,
    headers: { DPoP: { description: "Binds the token to a key (RFC 9449 §5)", required: false } },
    example: {
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: "eyJ…",
      grant_type: "client_credentials",
      scope: "mandates.verify charges.write",
    },
  },
  responses: {
    200: {
      description: "The access token",
      schema: tokenResponse,
      example: { access_token: "eyJ…", token_type: "Bearer", expires_in: 600, scope: "mandates.verify charges.write" },
    },
  },
  async handle({ deps, info, caller, request }, { body: form }) {
    const response = await grantToken(deps, {
      info,
      pending: caller,
      form: form as FormFields,
      dpopProof: request.headers.get("dpop"),
    });
    return { status: 200, headers: { ...noStoreTokens, ...dpopNonceHeaders(deps) }, body: response };
  },
});
