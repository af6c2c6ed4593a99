import { z } from "zod";
import { cacheable } from "../../contract/cacheable.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { listKeyHolders, listParticipantKeys } from "../../directory/keys/find-keys.ts";
import { toDocument } from "../../directory/participants/participant.wire.ts";
import {
  cacheControl,
  cached,
  notModified,
  participantExample,
  participantParams,
  publicContract,
} from "./contract.ts";

const contentType = "application/json";
const jwkSetType = "application/jwk-set+json";

const keyExample = {
  kty: "EC",
  crv: "P-256",
  x: "…",
  y: "…",
  kid: "shop-1",
};

export const participantJwksEndpoint = defineEndpoint({
  ...publicContract,
  path: "/directory/v1/participants/{participant_id}/jwks",
  operationId: "readParticipantJwks",
  summary: "Read a participant's current keys as a JWK Set",
  standards: ["RFC 7517", "RFC 9110"],
  errorCodes: ["invalid_request", "participant_not_found"],
  request: {
    params: participantParams,
    query: z.object({
      retired: z
        .enum(["true", "false"])
        .optional()
        .describe("`true` adds the keys that the participant held before, each with `retired_at`"),
    }),
  },
  responses: {
    200: {
      description: "The keys of all its clients, or of the authorization server itself",
      contentType: jwkSetType,
      schema: z.object({ keys: z.array(z.looseObject({ kty: z.string(), retired_at: z.string().optional() })) }),
      example: { keys: [keyExample] },
      headers: cached,
    },
    304: notModified,
  },
  async handle({ deps, request }, { params, query }) {
    const withRetired = query.retired === "true";
    const keys = await listParticipantKeys(deps, { participantId: params.participant_id, withRetired });
    const document = toDocument({
      keys: keys.map(({ jwk, until }) => (until === null ? jwk : { ...jwk, retired_at: until.toISOString() })),
    });
    return cacheable(request, { ...document, contentType: jwkSetType, cacheControl });
  },
});

const holderSchema = z.object({
  participant_id: z.string(),
  since: z.string(),
  until: z.string().nullable().describe("Null while the participant holds the key"),
});
const holderExample = { participant_id: participantExample.id, since: "2026-11-20T09:00:00.000Z", until: null };
const thumbprintExample = "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs";

export const findKeyEndpoint = defineEndpoint({
  ...publicContract,
  path: "/directory/v1/keys/{thumbprint}",
  operationId: "findKeyHolder",
  summary: "Find the participant that holds or held a key",
  standards: ["RFC 7638", "RFC 9110"],
  errorCodes: ["key_not_found"],
  request: {
    params: z.object({ thumbprint: z.string().describe("RFC 7638, SHA-256").meta({ example: thumbprintExample }) }),
  },
  responses: {
    200: {
      description:
        "The participant that has held the key the longest or, if no participant holds it now, the last holder. `holders` lists all holders, at most 100",
      schema: holderSchema.extend({ thumbprint: z.string(), holders: z.array(holderSchema) }),
      example: { thumbprint: thumbprintExample, ...holderExample, holders: [holderExample] },
      headers: cached,
    },
    304: notModified,
  },
  async handle({ deps, request }, { params: { thumbprint } }) {
    const holders = (await listKeyHolders(deps, thumbprint)).map(({ participantId, since, until }) => ({
      participant_id: participantId,
      since: since.toISOString(),
      until: until?.toISOString() ?? null,
    }));
    const document = toDocument({ thumbprint, ...holders[0], holders });
    return cacheable(request, { ...document, contentType, cacheControl });
  },
});

export const directoryJwksEndpoint = defineEndpoint({
  ...publicContract,
  path: "/directory/v1/jwks",
  operationId: "readDirectoryJwks",
  summary: "Read the keys that sign the directory's statements, including the next one",
  standards: ["RFC 7517", "RFC 9728"],
  errorCodes: [],
  request: {},
  responses: {
    200: {
      description: "The JWK Set that the directory's resource metadata names",
      contentType: jwkSetType,
      schema: z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) }),
      example: { keys: [{ ...keyExample, kid: thumbprintExample, alg: "ES256", use: "sig" }] },
      headers: { etag: "Entity tag of the key set", "cache-control": "public, max-age=60" },
    },
    304: notModified,
  },
  handle: async ({ deps, request }) =>
    cacheable(request, { ...deps.keys.publishedJwks("directory"), contentType: jwkSetType }),
});
