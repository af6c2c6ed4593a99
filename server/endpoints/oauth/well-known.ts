import { z } from "zod";
import { cacheable } from "../../contract/cacheable.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import type { ResourceName } from "../../kernel/resource-name.ts";
import { recentKeyList } from "../../oauth/client-keys/publish-key-list.ts";
import { resourceMetadata, serverMetadata } from "../../oauth/server-metadata.ts";

const open = {
  method: "GET",
  tag: "Discovery",
  auth: { kind: "none" },
  errors: "oauth",
  errorCodes: [],
  isPublic: true,
  request: {},
} as const;

const cached = { "cache-control": "public, max-age=300" };

export const serverMetadataEndpoint = defineEndpoint({
  ...open,
  path: "/.well-known/oauth-authorization-server",
  operationId: "authorizationServerMetadata",
  summary: "Authorization server metadata",
  standards: ["RFC 8414"],
  responses: {
    200: {
      description: "Metadata",
      schema: z.looseObject({ issuer: z.string() }),
      example: { issuer: "https://pay.example" },
    },
  },
  handle: async ({ deps }) => ({ status: 200, headers: cached, body: serverMetadata(deps) }),
});

const resourceContract = {
  ...open,
  standards: ["RFC 9728"],
  responses: {
    200: {
      description: "Metadata",
      schema: z.looseObject({ resource: z.string() }),
      example: { resource: "https://pay.example" },
    },
  },
} as const;

/** The well-known path is inserted between host and path of the resource (RFC 9728 §3.1). */
const metadataOf = (resource: ResourceName, path: string, about: { operationId: string; summary: string }) =>
  defineEndpoint({
    ...resourceContract,
    ...about,
    path: `/.well-known/oauth-protected-resource${path}`,
    handle: async ({ deps }) => ({ status: 200, headers: cached, body: resourceMetadata(deps, resource) }),
  });

export const resourceMetadataEndpoint = metadataOf("authorization_server", "", {
  operationId: "protectedResourceMetadata",
  summary: "Protected resource metadata of the authorization server",
});

export const merchantResourceMetadataEndpoint = metadataOf("merchant_test", "/merchant_test", {
  operationId: "merchantResourceMetadata",
  summary: "Protected resource metadata of the merchant API",
});

export const billingResourceMetadataEndpoint = metadataOf("billing", "/billing", {
  operationId: "billingResourceMetadata",
  summary: "Protected resource metadata of the billing API",
});

export const directoryResourceMetadataEndpoint = metadataOf("directory", "/directory", {
  operationId: "directoryResourceMetadata",
  summary: "Protected resource metadata of the directory",
});

export const jwksEndpoint = defineEndpoint({
  ...open,
  path: "/.well-known/jwks.json",
  operationId: "jwks",
  summary: "Public keys, including the next signing keys",
  standards: ["RFC 7517"],
  responses: {
    200: {
      description: "Key set",
      schema: z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) }),
      example: { keys: [{ kty: "EC", crv: "P-256", x: "…", y: "…", kid: "…", alg: "ES256", use: "sig" }] },
      headers: { etag: "Entity tag of the key set", "cache-control": "public, max-age=60" },
    },
    304: { description: "Not modified: the caller's copy is current (RFC 9110 §15.4.5)" },
  },
  handle: async ({ deps, request }) =>
    cacheable(request, { ...deps.keys.publishedJwks(), contentType: "application/json" }),
});

export const credentialIssuerMetadataEndpoint = defineEndpoint({
  ...open,
  path: "/.well-known/jwt-vc-issuer",
  operationId: "credentialIssuerMetadata",
  summary: "Issuer metadata: the keys that sign mandate credentials and status lists",
  standards: ["SD-JWT VC"],
  responses: {
    200: {
      description: "Metadata",
      schema: z.object({ issuer: z.string(), jwks_uri: z.string() }),
      example: { issuer: "https://pay.example", jwks_uri: "https://pay.example/.well-known/jwks.json" },
    },
  },
  async handle({ deps }) {
    const { issuer, jwks_uri } = serverMetadata(deps);
    return { status: 200, headers: cached, body: { issuer, jwks_uri } };
  },
});

export const clientKeyListEndpoint = defineEndpoint({
  ...open,
  path: "/.well-known/client-key-list",
  operationId: "clientKeyList",
  summary: "Signed list of the hashes of this environment's keys. The sandbox refuses the keys that production lists",
  standards: ["RFC 7519", "RFC 7638"],
  responses: {
    200: {
      description: "JWT with typ paygrant-key-list+jwt",
      contentType: "application/jwt",
      example: "eyJ0eXAiOiJwYXlncmFudC1rZXktbGlzdCtqd3QiLCJhbGciOiJFUzI1NiJ9…",
    },
  },
  async handle({ deps }) {
    const body = await recentKeyList(deps);
    return { status: 200, headers: { "cache-control": "public, max-age=60" }, contentType: "application/jwt", body };
  },
});
