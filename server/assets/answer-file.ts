import { acceptsBrotli, acceptsGzip } from "../contract/accept.ts";
import { cacheable } from "../contract/cacheable.ts";
import type { EndpointRequest, RawReply } from "../contract/endpoint.ts";
import { DomainError } from "../kernel/errors.ts";
import type { StoredFile } from "./bundle.ts";
import { readByteRange } from "./rules/byte-range.ts";

/** Pages of any origin may load the files and measure how long it takes, even with Cross-Origin-Embedder-Policy. */
const sharedHeaders = {
  "cross-origin-resource-policy": "cross-origin",
  "timing-allow-origin": "*",
  "access-control-expose-headers": "ETag, Content-Range, Accept-Ranges, Content-Encoding",
} as const;

/** A picture that is opened as a page must not run scripts or load anything. */
const ofPictures = { "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox" } as const;

type Encoded = { body: Uint8Array; coding: "br" | "gzip" | null };

/** The file in Brotli if the caller accepts it, else in gzip, else uncompressed. */
const encodingFor = ({ headers }: EndpointRequest, file: StoredFile): Encoded => {
  const accepted = headers.get("accept-encoding");
  if (file.br && acceptsBrotli(accepted)) return { body: file.br, coding: "br" };
  if (file.gzip && acceptsGzip(accepted)) return { body: file.gzip, coding: "gzip" };
  return { body: file.plain, coding: null };
};

/**
 * The whole file, a part of it, or 304. A part is always a part of the uncompressed file. A caller that resumes a
 * compressed download sends the entity tag of the compressed encoding in If-Range, and gets the whole file.
 * @throws DomainError range_not_satisfiable.
 */
export const answerFile = (
  request: EndpointRequest,
  { file, cacheControl }: { file: StoredFile; cacheControl: string },
): RawReply => {
  const isRange = request.method === "GET" && /^bytes=/i.test(request.headers.get("range") ?? "");
  const { body, coding } = isRange ? { body: file.plain, coding: null } : encodingFor(request, file);
  // An entity tag names one encoding (RFC 9110 §8.8.3.3).
  const etag = coding ? `"${file.tag}-${coding}"` : `"${file.tag}"`;
  const whole = cacheable(request, { body, contentType: file.type, etag, cacheControl, vary: "accept-encoding" });
  const reply = {
    ...whole,
    headers: {
      ...whole.headers,
      ...sharedHeaders,
      ...(file.type.startsWith("image/") ? ofPictures : {}),
      ...(coding && whole.status === 200 ? { "content-encoding": coding } : {}),
      "accept-ranges": "bytes",
    },
  };
  // The range is ignored if a condition leads to 304 (RFC 9110 §13.2.2).
  return isRange && whole.status === 200 ? partOf(request, { reply, content: body, etag }) : reply;
};

const partOf = (
  { headers }: EndpointRequest,
  { reply, content, etag }: { reply: RawReply; content: Uint8Array; etag: string },
): RawReply => {
  // Only a strong entity tag can match, because files have no Last-Modified (RFC 9110 §13.1.5).
  const condition = headers.get("if-range");
  if (condition !== null && condition.trim() !== etag) return reply;
  const range = readByteRange(headers.get("range"), content.byteLength);
  if (range === null) return reply;
  if (range === "unsatisfiable") throw rangeNotSatisfiable(content.byteLength);
  const { first, last } = range;
  return {
    ...reply,
    status: 206,
    headers: { ...reply.headers, "content-range": `bytes ${first}-${last}/${content.byteLength}` },
    body: content.subarray(first, last + 1),
  };
};

const rangeNotSatisfiable = (size: number): DomainError =>
  new DomainError("invalid", {
    code: "range_not_satisfiable",
    message: `The file has ${size} bytes. Request a range that starts before its end.`,
    headers: { "content-range": `bytes */${size}` },
  });
