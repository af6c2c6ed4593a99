import { z } from "zod";
import { supportedGrantTypes } from "../../oauth/grants/grant-token.ts";
import { assertionAlgorithms } from "../../oauth/rules/clients/client-assertion.ts";

export const metadataExample = {
  client_name: "Grocer Bot",
  "client_name#de": "Einkaufshelfer",
  redirect_uris: ["https://grocerbot.example/callback"],
  grant_types: ["authorization_code", "refresh_token"],
  jwks: { keys: [{ kty: "EC", crv: "P-256", x: "…", y: "…", kid: "1" }] },
};

/** Accepts any JSON: the rules refuse a wrong member with the error codes of RFC 7591. */
export const clientMetadataSchema = z.unknown().meta({
  type: "object",
  description:
    "Client metadata (RFC 7591 §2), with jwks or jwks_uri. An agent needs redirect_uris, and grant_types that include authorization_code. " +
    'A merchant client needs grant_types ["client_credentials"] and scopes such as "mandates.verify charges.write". Texts ' +
    "for people may be in several languages, for example client_name#de.",
  properties: {
    client_name: { type: "string", maxLength: 200 },
    redirect_uris: {
      type: "array",
      items: { type: "string" },
      maxItems: 20,
      description:
        "An https address, or an http address on a loopback IP. The port of a loopback address may differ in each request (RFC 8252 §7.3). The sandbox also accepts " +
        "http://localhost with the registered port",
    },
    grant_types: { type: "array", items: { enum: supportedGrantTypes } },
    scope: { type: "string" },
    jwks: {
      type: "object",
      description:
        "1 to 10 public keys: P-256, Ed25519, or RSA with at least 2048 bits. Other public keys are ignored " +
        "(RFC 7517 §5); the response lists the keys that are used",
    },
    jwks_uri: {
      type: "string",
      description: "An https address on port 443. It must return a JWK Set that follows the rules of jwks",
    },
    token_endpoint_auth_method: { const: "private_key_jwt" },
    token_endpoint_auth_signing_alg: { enum: assertionAlgorithms },
    dpop_bound_access_tokens: { type: "boolean" },
    introspection_signed_response_alg: { const: "ES256" },
    client_uri: { type: "string" },
    logo_uri: { type: "string" },
    policy_uri: { type: "string" },
    tos_uri: { type: "string" },
    contacts: { type: "array", items: { type: "string" } },
    software_id: { type: "string" },
    software_version: { type: "string" },
    webhook_uri: {
      type: "string",
      description:
        "Only for agents: the URL that receives the agent's events, https on port 443. The response has the secret",
    },
    webhook_secret_rotation: {
      type: "boolean",
      description:
        "In a PUT, true creates a new webhook_secret. For 24 hours, deliveries are also signed with the previous secret",
    },
    software_statement: {
      type: "string",
      description: "JWT issued by the directory (RFC 7591 §2.3). Its values take precedence",
    },
  },
});

export const registrationSchema = z.looseObject({
  client_id: z.string(),
  client_id_issued_at: z.int(),
  registration_client_uri: z.string(),
  registration_access_token: z.string(),
  merchant_id: z.string().optional(),
  webhook_secret: z.string().optional(),
  webhook_public_key: z.string().optional(),
});

export const registrationExample = {
  client_id: "cl_test_…",
  client_id_issued_at: 1795219200,
  registration_client_uri: "https://auth.example/oauth/register/cl_test_…",
  registration_access_token: "…",
  ...metadataExample,
};

export const registrationErrorCodes = [
  "invalid_client_metadata",
  "invalid_redirect_uri",
  "invalid_software_statement",
  "unapproved_software_statement",
  "invalid_token",
] as const;
