import type { EndpointRequest, RawReply } from "./endpoint.ts";

type Content = {
  body: string | Uint8Array;
  contentType: string;
  /** an entity tag, quoted; with W/ if it is weak (RFC 9110 §8.8.3) */
  etag: string;
  cacheControl: string;
  vary?: string;
};

/** 304 if the reader's copy is current, with the headers that the 200 response would have (RFC 9110 §15.4.5). */
export const cacheable = (
  request: EndpointRequest,
  { body, contentType, etag, cacheControl, vary }: Content,
): RawReply => {
  const headers = {
    etag,
    "cache-control": cacheControl,
    ...(vary === undefined ? {} : { vary }),
    "access-control-expose-headers": "ETag",
  };
  return matchesEtag(request.headers.get("if-none-match"), etag)
    ? { status: 304, headers }
    : { status: 200, headers, body, contentType };
};

/** RFC 9110 §13.1.2: weak comparison, `*` matches anything that exists. */
const matchesEtag = (ifNoneMatch: string | null, etag: string): boolean =>
  ifNoneMatch?.split(",").some((tag) => tag.trim() === "*" || opaqueOf(tag) === opaqueOf(etag)) ?? false;

const opaqueOf = (tag: string): string => tag.trim().replace(/^W\//, "");

/** RFC 9110 §13.1.1: strong comparison, `*` matches anything that exists. @returns null if the header is missing. */
export const readIfMatch = (request: Pick<EndpointRequest, "headers">): ((etag: string) => boolean) | null => {
  const tags = request.headers
    .get("if-match")
    ?.split(",")
    .map((tag) => tag.trim());
  return tags ? (etag) => tags.includes("*") || tags.includes(etag) : null;
};
