import { z } from "zod";
import { negotiate } from "../../contract/accept.ts";
import { cacheable } from "../../contract/cacheable.ts";
import { defineEndpoint, type EndpointRequest, type RawReply, type ResponseContract } from "../../contract/endpoint.ts";
import { parseNumericDate, parseTimestamp, problemOfPast } from "../../credentials/rules/status-history.ts";
import { listUri, ttlSeconds } from "../../credentials/rules/status-list-claims.ts";
import { pastStatusList } from "../../credentials/status-lists/past-status-list.ts";
import { listNotFound, publishedLists } from "../../credentials/status-lists/published-lists.ts";
import type { PublishedList } from "../../data/credentials/status-list-publication.ts";
import type { StatusListKind } from "../../data/credentials/status-lists.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { DomainError } from "../../kernel/errors.ts";

const bitstringType = "application/vc+jwt";
const tokenType = "application/statuslist+jwt";
const indexType = "application/json";
const typeOfKind = { revocation: bitstringType, suspension: bitstringType, token: tokenType } as const satisfies Record<
  StatusListKind,
  string
>;

const standards = ["W3C Bitstring Status List v1.0", "IETF Token Status List"];
const caching = { cacheControl: `public, max-age=${ttlSeconds}`, vary: "Accept" };
const notModified: ResponseContract = { description: "Not modified: the caller's copy is current (RFC 9110 §15.4.5)" };
const jwtExample = "eyJhbGciOiJFUzI1NiIsInR5cCI6InZjK2p3dCJ9.eyJ0eXBlIjoi4oCmIn0.c2lnbmF0dXJl";
const listResponse: ResponseContract = {
  description: "A signed status list as a JWT",
  contentType: bitstringType,
  example: jwtExample,
  alternatives: { [tokenType]: { example: jwtExample } },
  headers: { etag: "Entity tag of the representation", "cache-control": caching.cacheControl, vary: caching.vary },
};
const pastQuery = z.looseObject({
  timestamp: z
    .string()
    .max(64)
    .optional()
    .describe("Returns the list as it was at this time, at most 90 days ago (W3C Bitstring Status List §3.2)"),
  time: z
    .string()
    .max(64)
    .optional()
    .describe(
      "Like timestamp, but for a token status list and in seconds since 1970 (IETF Token Status List, Historical Resolution)",
    ),
});
type PastQuery = z.infer<typeof pastQuery>;
const indexSchema = z.object({ status_lists: z.array(z.url()) });

export const newestStatusListEndpoint = defineEndpoint({
  method: "GET",
  path: "/oauth/status-list",
  operationId: "getNewestStatusList",
  summary:
    "Read the newest revocation list. With Accept: statuslist+jwt, the newest token status list is returned; with JSON, the URLs of all lists",
  tag: "Status lists",
  standards,
  auth: { kind: "none" },
  errors: "oauth",
  errorCodes: ["invalid_request", "temporarily_unavailable"],
  request: { query: pastQuery },
  responses: {
    200: {
      ...listResponse,
      alternatives: {
        ...listResponse.alternatives,
        [indexType]: {
          schema: indexSchema,
          example: { status_lists: ["https://pay.example/oauth/status-list/revocation-1"] },
        },
      },
    },
    304: notModified,
  },
  isPublic: true,
  async handle({ deps, request }, { query }) {
    const type = negotiate(request.headers.get("accept"), [bitstringType, tokenType, indexType]);
    if (type === null) throw notAcceptableRefusal();
    if (type === indexType) {
      if (query.timestamp !== undefined) throw fieldRefusal("timestamp", "is only allowed for a single list");
      return indexReply(deps, request);
    }
    const kind = type === tokenType ? "token" : "revocation";
    const at = readPast(deps, kind, query);
    return listReply(deps, request, { list: await publishedLists(deps).newest(kind, at), at });
  },
});

export const statusListEndpoint = defineEndpoint({
  method: "GET",
  path: "/oauth/status-list/{list_id}",
  operationId: "getStatusList",
  summary: "Read one status list",
  tag: "Status lists",
  standards,
  auth: { kind: "none" },
  errors: "oauth",
  errorCodes: ["invalid_request", "temporarily_unavailable"],
  request: { params: z.object({ list_id: z.string() }), query: pastQuery },
  responses: { 200: listResponse, 304: notModified },
  isPublic: true,
  async handle({ deps, request }, { params, query }) {
    const list = await publishedLists(deps).find(params.list_id);
    if (!list) throw listNotFound();
    if (negotiate(request.headers.get("accept"), [typeOfKind[list.kind]]) === null) throw notAcceptableRefusal();
    const at = readPast(deps, list.kind, query);
    if (at && at < list.openedAt) throw listNotFound();
    return listReply(deps, request, { list, at });
  },
});

/**
 * W3C Bitstring Status List v1.0 §3.2; for a token list also IETF Token Status List, Historical Resolution.
 * @throws DomainError for a malformed time, or if there is no list for the instant.
 */
const readPast = (deps: Deps, kind: StatusListKind, { timestamp, time }: PastQuery): Date | undefined => {
  if (kind === "token" && time !== undefined) {
    if (timestamp !== undefined) throw fieldRefusal("time", "can't be combined with timestamp");
    const at = parseNumericDate(time);
    if (!at) throw fieldRefusal("time", "must be a number of seconds");
    if (problemOfPast(at, deps.clock.now())) throw listNotFound();
    return at;
  }
  if (timestamp === undefined) return undefined;
  const at = parseTimestamp(timestamp);
  if (!at) throw fieldRefusal("timestamp", "must be an XML Schema dateTimeStamp");
  const problem = problemOfPast(at, deps.clock.now());
  if (problem) throw fieldRefusal("timestamp", problem);
  return at;
};

const fieldRefusal = (field: "timestamp" | "time", detail: string) =>
  new DomainError("invalid", {
    code: "invalid_request",
    message: `${field}: ${detail}.`,
    errors: [{ pointer: `#${field}`, detail }],
  });

const listReply = async (
  deps: Deps,
  request: EndpointRequest,
  { list, at }: { list: PublishedList; at?: Date | undefined },
): Promise<RawReply> => {
  const { body, etag } = at ? await pastStatusList(deps, list, at) : await publishedLists(deps).body(list);
  return cacheable(request, { ...caching, body, etag, contentType: typeOfKind[list.kind] });
};

/** The URLs of all lists, as the aggregation document of IETF Token Status List §9.3 has them for token lists. */
const indexReply = async (deps: Deps, request: EndpointRequest): Promise<RawReply> => {
  const lists = await publishedLists(deps).catalog();
  const body = JSON.stringify({ status_lists: lists.map((list) => listUri(deps.config.baseUrl, list.id)) });
  return cacheable(request, { ...caching, body, etag: `"${sha256Base64url(body)}"`, contentType: indexType });
};

const notAcceptableRefusal = () =>
  new DomainError("invalid", {
    code: "not_acceptable",
    message: "The status list isn't available in the requested type.",
    headers: { vary: "Accept" },
  });
