import { z } from "zod";
import type { PublishedList } from "../../data/status-list-publication.ts";
import type { StatusListKind } from "../../data/status-lists.ts";
import type { Deps } from "../../deps.ts";
import { negotiate } from "../../http/accept.ts";
import { cacheable } from "../../http/cacheable.ts";
import { defineEndpoint, type Reply, type ResponseContract } from "../../http/endpoint.ts";
import { DomainError } from "../../kernel/errors.ts";
import { sha256Base64url } from "../../kernel/hash.ts";
import { publishedLists } from "../published-lists.ts";
import { listUri, ttlSeconds } from "../rules/status-list-claims.ts";

const bitstringType = "application/vc+jwt";
const tokenType = "application/statuslist+jwt";
const indexType = "application/json";
const typeOfKind = { revocation: bitstringType, suspension: bitstringType, token: tokenType } as const satisfies Record<
  StatusListKind,
  string
>;

const standards = ["W3C Bitstring Status List v1.0", "IETF Token Status List"];
const caching = { cacheControl: `public, max-age=${ttlSeconds}`, vary: "Accept" };
const notModified: ResponseContract = { description: "the reader's copy is the present one (RFC 9110 §15.4.5)" };
const jwtExample = "eyJhbGciOiJFUzI1NiIsInR5cCI6InZjK2p3dCJ9.eyJ0eXBlIjoi4oCmIn0.c2lnbmF0dXJl";
const listResponse: ResponseContract = {
  description: "a signed list, as a JWT",
  contentType: bitstringType,
  example: jwtExample,
  alternatives: { [tokenType]: { example: jwtExample } },
  headers: { etag: "names these bytes", "cache-control": caching.cacheControl, vary: caching.vary },
};
const indexSchema = z.object({ status_lists: z.array(z.url()) });

export const newestStatusListEndpoint = defineEndpoint({
  method: "GET",
  path: "/oauth/status-list",
  operationId: "getNewestStatusList",
  summary: "Newest revocation list; with statuslist+jwt the newest token list; with JSON the addresses of all",
  tag: "Status lists",
  standards,
  auth: { kind: "none" },
  errors: "oauth",
  errorCodes: ["invalid_request", "temporarily_unavailable"],
  request: {},
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
  async handle({ deps, request }) {
    refuseHistory(request);
    const type = negotiate(request.headers.get("accept"), [bitstringType, tokenType, indexType]);
    if (type === null) throw notAcceptable();
    if (type === indexType) return indexReply(deps, request);
    return listReply(deps, request, await publishedLists(deps).newest(type === tokenType ? "token" : "revocation"));
  },
});

export const statusListEndpoint = defineEndpoint({
  method: "GET",
  path: "/oauth/status-list/{list_id}",
  operationId: "getStatusList",
  summary: "One status list",
  tag: "Status lists",
  standards,
  auth: { kind: "none" },
  errors: "oauth",
  errorCodes: ["invalid_request", "temporarily_unavailable"],
  request: { params: z.object({ list_id: z.string() }) },
  responses: { 200: listResponse, 304: notModified },
  isPublic: true,
  async handle({ deps, request }, { params }) {
    refuseHistory(request);
    const list = await publishedLists(deps).find(params.list_id);
    if (!list) throw new DomainError("not_found", "unknown_status_list", "There is no such status list.");
    if (negotiate(request.headers.get("accept"), [typeOfKind[list.kind]]) === null) throw notAcceptable();
    return listReply(deps, request, list);
  },
});

/** W3C Bitstring Status List v1.0 §3.2: the present state under a past name would be a false answer. */
const refuseHistory = (request: Request): void => {
  if (!request.url.includes("?")) return;
  if (new URL(request.url).searchParams.has("timestamp")) {
    throw new DomainError("invalid", "invalid_request", "timestamp: earlier states are not kept yet.");
  }
};

const listReply = async (deps: Deps, request: Request, list: PublishedList): Promise<Reply> => {
  const { body, etag } = await publishedLists(deps).body(list);
  return cacheable(request, { ...caching, body, etag, contentType: typeOfKind[list.kind] });
};

/** Also the aggregation document of IETF Token Status List §9.3. */
const indexReply = async (deps: Deps, request: Request): Promise<Reply> => {
  const lists = await publishedLists(deps).catalog();
  const body = JSON.stringify({ status_lists: lists.map((list) => listUri(deps.config.baseUrl, list.id)) });
  return cacheable(request, { ...caching, body, etag: `"${sha256Base64url(body)}"`, contentType: indexType });
};

const notAcceptable = () =>
  new DomainError("invalid", "not_acceptable", "The status list has no representation of the accepted types.", {
    headers: { vary: "Accept" },
  });
