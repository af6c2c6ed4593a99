import { cacheable } from "../../contract/cacheable.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { getMetadata } from "../../directory/health/find-health.ts";
import { metadataSchema } from "../../directory/health/health.wire.ts";
import { toDocument } from "../../directory/participants/participant.wire.ts";
import { cacheControl, cached, notModified, participantParams, publicContract } from "./contract.ts";

const uri = "https://fresh-market.example/.well-known/oauth-protected-resource";

export const participantMetadataEndpoint = defineEndpoint({
  ...publicContract,
  path: "/directory/v1/participants/{participant_id}/metadata",
  operationId: "readParticipantMetadata",
  // Snapshots are larger than entries.
  rateLimit: "directory",
  summary: "Read the last snapshots of a participant's metadata documents and keys, and their changes",
  standards: ["RFC 8414", "RFC 9728", "RFC 6902", "RFC 9110"],
  errorCodes: ["participant_not_found"],
  request: { params: participantParams },
  responses: {
    200: {
      description: "One snapshot for each metadata document, sorted by URL",
      schema: metadataSchema,
      example: {
        data: [
          {
            uri,
            fetched_at: "2026-11-21T12:00:00.000Z",
            changed_at: "2026-11-21T11:00:00.000Z",
            document: {
              resource: "https://fresh-market.example",
              scopes_supported: ["orders.read"],
              jwks_uri: "https://fresh-market.example/jwks.json",
            },
            jwks: { keys: [{ kty: "EC", crv: "P-256", x: "…", y: "…", kid: "shop-1" }] },
          },
        ],
        changes: [
          {
            uri,
            part: "metadata" as const,
            changed_at: "2026-11-21T11:00:00.000Z",
            diff: [{ op: "add", path: "/scopes_supported/0", value: "orders.read" }],
          },
        ],
      },
      headers: cached,
    },
    304: notModified,
  },
  async handle({ deps, request }, { params }) {
    const document = toDocument(await getMetadata(deps, params.participant_id));
    return cacheable(request, { ...document, contentType: "application/json", cacheControl });
  },
});
