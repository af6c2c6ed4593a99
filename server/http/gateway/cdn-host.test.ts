import { type IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { withCdnHost } from "./cdn-host.ts";

const baseUrl = "https://pay.example";

/** @returns the target that the gateway receives. */
const seen = async (cdnUrl: string, host: string, url: string): Promise<string | undefined> =>
  (await send(cdnUrl, host, url)).target;

const send = async (cdnUrl: string, host: string, url: string) => {
  const incoming = { headers: { host }, url } as IncomingMessage;
  const outgoing = new ServerResponse(incoming);
  await withCdnHost(async () => {}, { baseUrl, cdnUrl })(incoming, outgoing);
  return { target: incoming.url, headers: outgoing.getHeaders() };
};

const own = "https://cdn.example";
const below = "https://Files.example:8443/paygrant";

test.each([
  ["a file", own, "cdn.example", "/v1/paygrant.js", "/cdn/v1/paygrant.js"],
  ["a host in capitals, with a query", own, "CDN.example", "/manifest.json?a", "/cdn/manifest.json?a"],
  ["a target in absolute form", own, "cdn.example", "https://cdn.example/v1/a.js", "/cdn/v1/a.js"],
  ["dot segments and escapes", own, "cdn.example", "/v1/%2e%2e/../oauth/token", "/cdn/oauth/token"],
  ["a path of another part of the service", own, "cdn.example", "/oauth/token", "/cdn/oauth/token"],
  ["a target that isn't a path", own, "cdn.example", "*", "*"],
  ["a file of the pages", own, "cdn.example", "/_next/static/chunks/a.js", "/_next/static/chunks/a.js"],
  ["a file of the pages, with dot segments", own, "cdn.example", "/_next/static/../../wallet", "/cdn/wallet"],
  ["Next's other paths", own, "cdn.example", "/_next/image?url=a", "/cdn/_next/image?url=a"],
  ["a health check", own, "cdn.example", "/healthz", "/healthz"],
  ["a file below a path", below, "files.example:8443", "/paygrant/v1/a.js", "/cdn/v1/a.js"],
  [
    "a file of the pages below a path",
    below,
    "files.example:8443",
    "/paygrant/_next/static/a.js",
    "/_next/static/a.js",
  ],
  ["a path outside CDN_URL's path", below, "files.example:8443", "/registry/v1/a", "/registry/v1/a"],
  ["another port", below, "files.example", "/paygrant/v1/a.js", "/paygrant/v1/a.js"],
  ["another host", own, "pay.example", "/v1/paygrant.js", "/v1/paygrant.js"],
  ["the issuer's own host", `${baseUrl}/cdn`, "pay.example", "/cdn/v1/a.js", "/cdn/v1/a.js"],
])("%s", async (_name, cdnUrl, host, url, expected) => {
  expect(await seen(cdnUrl, host, url)).toBe(expected);
});

test("allows pages of other hosts to load the files of the pages, and adds no headers to other responses", async () => {
  const { headers } = await send(own, "cdn.example", "/_next/static/media/inter.woff2");
  expect(headers).toMatchObject({ "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" });
  expect((await send(own, "cdn.example", "/v1/paygrant.js")).headers).toEqual({});
  expect((await send(own, "pay.example", "/_next/static/media/inter.woff2")).headers).toEqual({});
});
