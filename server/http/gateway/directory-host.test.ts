import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { withDirectoryHost } from "./directory-host.ts";

const baseUrl = "https://pay.example";

/** @returns the target that the gateway receives. */
const seen = async (discoveryUrl: string, host: string, url: string): Promise<string | undefined> => {
  const incoming = { headers: { host }, url } as IncomingMessage;
  await withDirectoryHost(async () => {}, { baseUrl, discoveryUrl })(incoming, {} as ServerResponse);
  return incoming.url;
};

const own = "https://directory.example";
const below = "https://Apis.example:8443/registry";
const federation = "/.well-known/openid-federation";
const metadata = "/.well-known/oauth-protected-resource";

test.each([
  ["a URL of the API", own, "directory.example", "/v1/participants?limit=1", "/directory/v1/participants?limit=1"],
  ["a host in capitals", own, "Directory.Example", "/v1/participants", "/directory/v1/participants"],
  [
    "a URL with dot segments and escapes",
    own,
    "directory.example",
    "/x/../%761/participants",
    "/directory/v1/participants",
  ],
  ["a target in absolute form", own, "directory.example", "https://directory.example/v1/a", "/directory/v1/a"],
  ["a file of the log", own, "directory.example", "/log/tile/0/x001/067", "/directory/log/tile/0/x001/067"],
  ["an endpoint of the federation", own, "directory.example", "/federation/list", "/directory/federation/list"],
  ["the entity configuration", own, "directory.example", federation, `/directory${federation}`],
  [
    "an entity configuration below a path",
    below,
    "apis.example:8443",
    `/registry${federation}`,
    `/directory${federation}`,
  ],
  ["the authorization server's configuration", own, "pay.example", federation, federation],
  ["the page of the list", own, "directory.example", "/?q=market", "/directory?q=market"],
  ["the page of a participant", own, "directory.example", "/ptc_1?before=2", "/directory/ptc_1?before=2"],
  ["the page of the log", own, "directory.example", "/log", "/directory/log"],
  ["the page of the list below a path", below, "apis.example:8443", "/registry", "/directory"],
  ["the metadata", own, "directory.example", `${metadata}?a`, `${metadata}/directory?a`],
  ["an API below a path", below, "apis.example:8443", "/registry/v1/participants", "/directory/v1/participants"],
  [
    "the metadata of a directory below a path (RFC 9728 §3.1)",
    below,
    "apis.example:8443",
    `${metadata}/registry`,
    `${metadata}/directory`,
  ],
  ["a path outside the directory's path", below, "apis.example:8443", "/v1/participants", "/v1/participants"],
  ["a path that isn't the directory's", own, "directory.example", "/oauth/token", "/oauth/token"],
  ["another host", own, "pay.example", "/v1/participants", "/v1/participants"],
  ["another port", below, "apis.example", "/registry/v1/participants", "/registry/v1/participants"],
  ["the issuer's own host", `${baseUrl}/directory`, "pay.example", "/directory/v1/a", "/directory/v1/a"],
])("%s", async (_name, discoveryUrl, host, url, expected) => {
  expect(await seen(discoveryUrl, host, url)).toBe(expected);
});
