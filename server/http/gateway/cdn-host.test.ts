import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { withCdnHost } from "./cdn-host.ts";

const baseUrl = "https://pay.example";

/** @returns the target that the gateway receives. */
const seen = async (cdnUrl: string, host: string, url: string): Promise<string | undefined> => {
  const incoming = { headers: { host }, url } as IncomingMessage;
  await withCdnHost(async () => {}, { baseUrl, cdnUrl })(incoming, {} as ServerResponse);
  return incoming.url;
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
  ["a health check", own, "cdn.example", "/healthz", "/healthz"],
  ["a file below a path", below, "files.example:8443", "/paygrant/v1/a.js", "/cdn/v1/a.js"],
  ["a path outside CDN_URL's path", below, "files.example:8443", "/registry/v1/a", "/registry/v1/a"],
  ["another port", below, "files.example", "/paygrant/v1/a.js", "/paygrant/v1/a.js"],
  ["another host", own, "pay.example", "/v1/paygrant.js", "/v1/paygrant.js"],
  ["the issuer's own host", `${baseUrl}/cdn`, "pay.example", "/cdn/v1/a.js", "/cdn/v1/a.js"],
])("%s", async (_name, cdnUrl, host, url, expected) => {
  expect(await seen(cdnUrl, host, url)).toBe(expected);
});
