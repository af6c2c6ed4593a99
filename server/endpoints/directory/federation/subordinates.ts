import { z } from "zod";
import { cacheable } from "../../../contract/cacheable.ts";
import { defineEndpoint } from "../../../contract/endpoint.ts";
import { anchorSigner } from "../../../directory/federation/entities.ts";
import { entityNotFound, findSubordinate, listSubordinates } from "../../../directory/federation/find-subordinates.ts";
import { resolveEntity } from "../../../directory/federation/resolve-entity.ts";
import { signHistoricalKeys } from "../../../directory/federation/sign-historical-keys.ts";
import { signSubordinateStatement } from "../../../directory/federation/sign-statements.ts";
import { toDocument } from "../../../directory/participants/participant.wire.ts";
import { OAuthError } from "../../../kernel/errors.ts";
import { serverMetadata } from "../../../oauth/server-metadata.ts";
import { notModified } from "../contract.ts";
import { cacheControl, federationContract, signedResponse, statementType } from "./contract.ts";

const headers = { "cache-control": cacheControl };
const resolveType = "application/resolve-response+jwt";
const jwkSetType = "application/jwk-set+jwt";

const once = z.array(z.string()).length(1, "must be sent once");
const some = z.array(z.string());

export const fetchSubordinateEndpoint = defineEndpoint({
  ...federationContract,
  path: "/directory/federation/fetch",
  operationId: "fetchSubordinateStatement",
  summary: "Fetch the directory's statement about a subordinate",
  errorCodes: ["invalid_request", "not_found", "temporarily_unavailable"],
  request: { repeats: true, query: z.object({ sub: once.describe("Identifier of the subordinate") }) },
  responses: { 200: signedResponse("A JWT with `typ` entity-statement+jwt", statementType) },
  async handle({ deps }, { query }) {
    const [sub = ""] = query.sub;
    const anchor = anchorSigner(deps);
    if (sub === anchor.id)
      throw new OAuthError("invalid_request", "sub must be a subordinate, not the directory itself");
    const subject = await findSubordinate(deps, { sub, serverMetadata: serverMetadata(deps) });
    if (!subject) throw entityNotFound();
    const body = await signSubordinateStatement(deps, { anchor, subject });
    return { status: 200, headers, contentType: statementType, body };
  },
});

const unsupported = ["trust_marked", "trust_mark_type"] as const;

export const listSubordinatesEndpoint = defineEndpoint({
  ...federationContract,
  path: "/directory/federation/list",
  operationId: "listSubordinates",
  summary: "List the identifiers of the directory's subordinates",
  errorCodes: ["invalid_request", "unsupported_parameter"],
  request: {
    repeats: true,
    query: z.object({
      entity_type: some.optional().describe("Only entities that have all these types"),
      intermediate: z
        .array(z.enum(["true", "false"]))
        .length(1, "must be sent once")
        .optional()
        .describe("`true`: only entities with subordinates of their own"),
      trust_marked: some.optional().describe("Not supported"),
      trust_mark_type: some.optional().describe("Not supported"),
    }),
  },
  responses: {
    200: {
      description: "Entity identifiers",
      schema: z.array(z.string()),
      example: ["https://pay.example"],
      headers: { etag: "Entity tag of the list", "cache-control": cacheControl },
    },
    304: notModified,
  },
  async handle({ deps, request }, { query }) {
    const parameter = unsupported.find((name) => query[name] !== undefined);
    if (parameter) throw new OAuthError("unsupported_parameter", `${parameter} is not supported`);
    const subordinates = await listSubordinates(deps, {
      entityTypes: query.entity_type ?? [],
      intermediate: query.intermediate?.[0] === "true",
      serverMetadata: serverMetadata(deps),
    });
    return cacheable(request, { ...toDocument(subordinates), contentType: "application/json", cacheControl });
  },
});

export const resolveEntityEndpoint = defineEndpoint({
  ...federationContract,
  path: "/directory/federation/resolve",
  operationId: "resolveEntity",
  summary: "Resolve an entity: its metadata and its trust chain",
  errorCodes: ["invalid_request", "not_found", "invalid_trust_anchor", "temporarily_unavailable"],
  request: {
    repeats: true,
    query: z.object({
      sub: once.describe("Identifier of the entity"),
      trust_anchor: some.describe("Identifier of the directory; other values may be sent too"),
      entity_type: some.optional().describe("Only the metadata of these types"),
    }),
  },
  responses: { 200: signedResponse("A JWT with `typ` resolve-response+jwt", resolveType) },
  async handle({ deps }, { query }) {
    const [sub = ""] = query.sub;
    const body = await resolveEntity(deps, {
      sub,
      trustAnchors: query.trust_anchor,
      entityTypes: query.entity_type ?? [],
      serverMetadata: serverMetadata(deps),
    });
    return { status: 200, headers, contentType: resolveType, body };
  },
});

export const historicalKeysEndpoint = defineEndpoint({
  ...federationContract,
  path: "/directory/federation/historical-keys",
  operationId: "federationHistoricalKeys",
  summary: "Earlier federation keys of the directory, retired and revoked ones",
  errorCodes: ["temporarily_unavailable"],
  request: {},
  responses: { 200: signedResponse("A JWT with `typ` jwk-set+jwt", jwkSetType) },
  async handle({ deps }) {
    return { status: 200, headers, contentType: jwkSetType, body: await signHistoricalKeys(deps) };
  },
});
