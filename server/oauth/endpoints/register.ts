import { z } from "zod";
import { defineEndpoint } from "../../http/endpoint.ts";
import { supportedGrantTypes } from "../grant-token.ts";
import { registerClient } from "../register-client.ts";
import { noStore } from "./no-store.ts";

const example = {
  client_name: "Grocer Bot",
  redirect_uris: ["https://grocerbot.example/callback"],
  grant_types: ["authorization_code", "refresh_token"],
  jwks: { keys: [{ kty: "EC", crv: "P-256", x: "…", y: "…", kid: "1" }] },
};

export const registerEndpoint = defineEndpoint({
  method: "POST",
  path: "/oauth/register",
  operationId: "registerClient",
  summary: "Register a client: open in the sandbox, by initial access token in production",
  tag: "Authorization server",
  standards: ["RFC 7591"],
  auth: { kind: "none" },
  rateLimit: "registration",
  errors: "oauth",
  errorCodes: ["invalid_client_metadata", "invalid_redirect_uri", "invalid_software_statement", "invalid_token"],
  request: {
    content: "json",
    // Any JSON passes here: the rules name the member that is wrong in RFC 7591's own error codes.
    body: z.unknown().meta({
      type: "object",
      description:
        "Client metadata (RFC 7591 §2). An agent: redirect_uris, and grant_types with authorization_code. A merchant's client: " +
        'grant_types ["client_credentials"] and a scope such as "mandates.verify charges.write".',
      properties: {
        client_name: { type: "string", maxLength: 200 },
        redirect_uris: { type: "array", items: { type: "string" }, maxItems: 20 },
        grant_types: { type: "array", items: { enum: supportedGrantTypes } },
        scope: { type: "string" },
        jwks: { type: "object", description: "1 to 10 public keys: P-256, Ed25519, or RSA of at least 2048 bits" },
        token_endpoint_auth_method: { const: "private_key_jwt" },
        token_endpoint_auth_signing_alg: { enum: ["ES256", "PS256", "EdDSA"] },
        dpop_bound_access_tokens: { type: "boolean" },
      },
      required: ["jwks"],
    }),
    headers: { Authorization: { description: "Bearer initial access token, required in production", required: false } },
    example,
  },
  responses: {
    201: {
      description: "All that was registered, defaults included",
      schema: z.looseObject({
        client_id: z.string(),
        client_id_issued_at: z.int(),
        merchant_id: z.string().optional(),
      }),
      example: { client_id: "cl_test_…", client_id_issued_at: 1795219200, ...example },
    },
  },
  async handle({ deps, info, request }, { body }) {
    const response = await registerClient(deps, {
      metadata: body,
      authorization: request.headers.get("authorization"),
      info,
    });
    return { status: 201, headers: noStore, body: response };
  },
});
