import { z } from "zod";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { authorizationDetailsTypes } from "../../mandates/details/authorization-details-types.ts";

const typeMetadata = z.looseObject({
  version: z.string().optional(),
  description: z.string().optional(),
  schema: z.looseObject({ type: z.string() }).describe("JSON Schema of one authorization details object"),
  examples: z.array(z.looseObject({ type: z.string() })).optional(),
});

export const authorizationDetailsTypesEndpoint = defineEndpoint({
  method: "GET",
  path: "/oauth/authorization-details-types",
  operationId: "authorizationDetailsTypes",
  summary: "Types of authorization_details, each with a JSON Schema",
  tag: "Discovery",
  standards: ["RFC 9396", "OAuth 2.0 RAR Metadata (draft-zehavi-oauth-rar-metadata-04)"],
  auth: { kind: "none" },
  errors: "oauth",
  errorCodes: [],
  isPublic: true,
  request: {},
  responses: {
    200: {
      description: "For each type, its JSON Schema, descriptions and examples",
      schema: z.record(z.string(), typeMetadata),
      example: authorizationDetailsTypes,
    },
  },
  handle: async () => ({
    status: 200,
    headers: { "cache-control": "public, max-age=300" },
    body: authorizationDetailsTypes,
  }),
});
