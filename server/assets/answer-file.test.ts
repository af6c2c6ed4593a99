import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { answerFile } from "./answer-file.ts";
import type { StoredFile } from "./bundle.ts";

const plain = new TextEncoder().encode("0123456789".repeat(50));
const file: StoredFile = {
  type: "text/javascript; charset=utf-8",
  tag: "abc",
  plain,
  gzip: gzipSync(plain),
  br: brotliCompressSync(plain),
};
const cacheControl = "public, max-age=300";

const answer = (headers: Record<string, string> = {}, { method = "GET", of = file } = {}) =>
  answerFile(new Request("https://pay.example/cdn/v1/a.js", { method, headers }), { file: of, cacheControl });

describe("encodings", () => {
  test.each([
    ["br, gzip", "br", '"abc-br"'],
    ["gzip", "gzip", '"abc-gzip"'],
    ["br;q=0, gzip", "gzip", '"abc-gzip"'],
    ["identity", undefined, '"abc"'],
  ] as const)(
    "a request with Accept-Encoding %j gets %s; each encoding has a different entity tag",
    (accepted, coding, etag) => {
      const { status, headers, body } = answer({ "accept-encoding": accepted });
      expect(status).toBe(200);
      expect(headers).toMatchObject({ etag, vary: "accept-encoding", "cache-control": cacheControl });
      expect(headers?.["content-encoding"]).toBe(coding);
      expect(body).toBe(coding ? file[coding] : plain);
    },
  );

  test("a file that compression doesn't make smaller is sent uncompressed", () => {
    const { headers, body } = answer({ "accept-encoding": "br, gzip" }, { of: { ...file, br: null, gzip: null } });
    expect(headers?.["content-encoding"]).toBeUndefined();
    expect(body).toBe(plain);
  });

  test("a request with the entity tag of the encoding that would be sent gets 304, without content-encoding", () => {
    const { status, headers, body } = answer({ "accept-encoding": "br", "if-none-match": '"abc-br"' });
    expect([status, body, headers?.["content-encoding"]]).toEqual([304, undefined, undefined]);
    expect(headers).toMatchObject({ etag: '"abc-br"', vary: "accept-encoding" });
    expect(answer({ "accept-encoding": "gzip", "if-none-match": '"abc-br"' }).status).toBe(200);
  });
});

test("pages of any origin may load the file and measure how long it takes, even with Cross-Origin-Embedder-Policy", () => {
  expect(answer().headers).toMatchObject({
    "cross-origin-resource-policy": "cross-origin",
    "timing-allow-origin": "*",
  });
});

test("a picture that is opened as a page can't run scripts", () => {
  expect(answer().headers).not.toHaveProperty("content-security-policy");
  const { headers } = answer({}, { of: { ...file, type: "image/svg+xml" } });
  expect(headers?.["content-security-policy"]).toMatch(/^default-src 'none'.*sandbox$/);
});

describe("ranges (RFC 9110 §14)", () => {
  const text = (body: unknown) => new TextDecoder().decode(body as Uint8Array);

  test("a range refers to the uncompressed file, even if the caller accepts Brotli", () => {
    const { status, headers, body } = answer({ range: "bytes=3-6", "accept-encoding": "br" });
    expect([status, text(body)]).toEqual([206, "3456"]);
    expect(headers).toMatchObject({ "content-range": "bytes 3-6/500", "accept-ranges": "bytes", etag: '"abc"' });
    expect(headers?.["content-encoding"]).toBeUndefined();
  });

  test.each([
    ["current", '"abc"', 206],
    ["of another encoding", '"abc-br"', 200],
    ["old", '"old"', 200],
    ["weak", 'W/"abc"', 200],
    ["a date", "Wed, 21 Oct 2015 07:28:00 GMT", 200],
  ])("an If-Range condition that is %s (%s) gets %d", (_name, condition, status) => {
    expect(answer({ range: "bytes=0-1", "if-range": condition }).status).toBe(status);
  });

  test("a current copy gets 304, and HEAD ignores the range", () => {
    expect(answer({ range: "bytes=0-1", "if-none-match": '"abc"' }).status).toBe(304);
    expect(answer({ range: "bytes=0-1" }, { method: "HEAD" }).status).toBe(200);
  });

  test("a request for several ranges, or with another unit, gets the whole file", () => {
    expect(answer({ range: "bytes=0-1,4-5" }).status).toBe(200);
    expect(answer({ range: "lines=0-1" }).status).toBe(200);
  });

  test("a range after the end is refused with the size of the file", () => {
    expect(() => answer({ range: "bytes=500-" })).toThrow(
      expect.objectContaining({ code: "range_not_satisfiable", headers: { "content-range": "bytes */500" } }),
    );
  });
});
