import { z } from "zod";
import { defineEndpoint, type FormFields } from "../../contract/endpoint.ts";
import { noStoreTokens } from "../../contract/headers.ts";
import { pushRequest } from "../../oauth/requests/push-request.ts";
import { dpopNonceHeaders } from "../../oauth/tokens/verify-dpop-proof.ts";
import { clientErrors, clientForm, permissionErrors } from "./client-form.ts";

/** Apart from `clientForm`, this schema accepts any texts, because the rules determine each parameter's error code. */
const body = z.looseObject({
  ...clientForm,
  response_type: z.string().optional().describe("Must be `code`"),
  redirect_uri: z.string().optional(),
  code_challenge: z.string().optional(),
  code_challenge_method: z.string().optional().describe("Must be `S256`"),
  authorization_details: z.string().optional().describe("JSON array of payment_mandate_v1 objects"),
  scope: z.string().optional(),
  state: z.string().optional(),
  dpop_jkt: z.string().optional(),
  max_age: z.string().optional(),
  acr_values: z
    .string()
    .optional()
    .describe("Acceptable authentication levels; the payer's sign-in must satisfy one of them (RFC 9470)"),
  prompt: z.string().optional().describe("`login` requires the payer to authenticate now, like max_age 0"),
  grant_management_action: z.string().optional().describe("`create` (the default) or `replace`"),
  grant_id: z.string().optional().describe("Id of the grant to replace"),
});

export const parEndpoint = defineEndpoint({
  method: "POST",
  path: "/oauth/par",
  operationId: "pushAuthorizationRequest",
  summary: "Push an authorization request",
  tag: "Authorization server",
  standards: ["RFC 9126", "RFC 9396", "RFC 7636", "RFC 9449 §10", "RFC 9470", "Grant Management for OAuth 2.0"],
  auth: { kind: "pending_client" },
  errors: "oauth",
  errorCodes: [
    ...clientErrors,
    "unauthorized_client",
    "unsupported_response_type",
    "request_not_supported",
    "unmet_authentication_requirements",
    "invalid_grant_id",
    ...permissionErrors,
  ],
  isPublic: true,
  request: {
    content: "form",
    body,
    headers: { DPoP: { description: "Binds the code to a key (RFC 9449 §10)", required: false } },
    example: {
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: "eyJ…",
      response_type: "code",
      redirect_uri: "https://grocerbot.example/callback",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
      authorization_details:
        '[{"type":"payment_mandate_v1","actions":["charge"],"currency":"EUR","max_amount_per_payment":6000}]',
    },
  },
  responses: {
    201: {
      description: "The request_uri for /oauth/authorize",
      schema: z.object({ request_uri: z.string(), expires_in: z.int() }),
      example: { request_uri: "urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c", expires_in: 300 },
    },
  },
  async handle({ deps, info, caller, request }, { body: form }) {
    const { requestUri, expiresIn } = await pushRequest(deps, {
      info,
      pending: caller,
      form: form as FormFields,
      dpopProof: request.headers.get("dpop"),
    });
    return {
      status: 201,
      headers: { ...noStoreTokens, ...dpopNonceHeaders(deps) },
      body: { request_uri: requestUri, expires_in: expiresIn },
    };
  },
});
