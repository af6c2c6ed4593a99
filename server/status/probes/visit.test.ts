import { createServer, type IncomingMessage } from "node:http";
import net, { type AddressInfo } from "node:net";
import tls from "node:tls";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { certificate, privateKey } from "../../platform/outbound/keys-example.fixture.ts";
import { checkDeployed, checkPage, checkService } from "./http-checks.ts";
import { createProbeClient } from "./probe-client.ts";
import { openProbeIdentity } from "./probe-identity.ts";
import { NoResponse, visit } from "./visit.ts";

let connections: number;
let requests: IncomingMessage[];
const server = createServer((request, response) => {
  requests.push(request);
  const { pathname } = new URL(request.url ?? "/", baseUrl);
  if (pathname === "/silent") return;
  if (pathname === "/half") return void response.writeHead(200).write("half of it");
  if (pathname === "/cut") return void request.socket.destroy();
  const location = new Map([
    ["/moved", "/page"],
    ["/loop", "/loop"],
    ["/elsewhere", "ftp://127.0.0.1/"],
  ]).get(pathname);
  response.writeHead(location ? 307 : 200, { ...(location && { location }) }).end(`answer of ${pathname}`);
});
server.on("connection", () => {
  connections += 1;
});
const mute = net.createServer(() => {});
/** Its certificate is not from a known CA. */
const unknownCa = tls.createServer({ key: privateKey, cert: certificate });
unknownCa.on("tlsClientError", () => {});
let baseUrl: string;
let muteUrl: string;
let unknownCaUrl: string;

const urlOf = (of: net.Server, scheme: string): string => `${scheme}://127.0.0.1:${(of.address() as AddressInfo).port}`;
beforeAll(async () => {
  const servers = [server, mute, unknownCa];
  await Promise.all(servers.map((one) => new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve))));
  baseUrl = urlOf(server, "http");
  muteUrl = urlOf(mute, "https");
  unknownCaUrl = urlOf(unknownCa, "https");
});
beforeEach(() => {
  connections = 0;
  requests = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  mute.close();
  unknownCa.close();
});

const reasonOf = (url: string): Promise<string> =>
  visit(url).then(
    ({ status }) => `HTTP ${status}`,
    (error: unknown) => (error instanceof NoResponse ? error.message : `thrown: ${error}`),
  );

describe("probes connect as a new visitor (docs/spec/status.md, Probes)", () => {
  test("each request has its own connection, closed after the response", async () => {
    const client = createProbeClient({ baseUrl, clock: { now: () => new Date() } });
    const identity = await openProbeIdentity({ read: async () => null, write: async () => {} });
    const agent = { id: "client", key: identity.agent };
    const { signal } = new AbortController();
    for (let runs = 0; runs < 2; runs += 1) {
      await checkService("production", baseUrl);
      await checkPage(`${baseUrl}/moved`, "session=1");
      await checkDeployed(`${baseUrl}/manifest.json`);
      await checkDeployed(`${baseUrl}/directory/v1`);
      await client.postForm({ path: "/oauth/par", client: agent, fields: {}, signal });
      await client.postForm({ path: "/oauth/token", client: agent, fields: {}, signal });
      await client.postJson({ path: "/merchant_test/verify-mandate", token: "token", body: {}, signal });
    }
    expect(requests.length).toBeGreaterThanOrEqual(18);
    expect(connections).toBe(requests.length);
    expect(new Set(requests.map(({ headers }) => headers.connection))).toEqual(new Set(["close"]));
  });

  test("sends bodies, and follows a limited number of redirects of a GET", async () => {
    expect((await visit(`${baseUrl}/moved`)).text).toBe("answer of /page");
    expect(requests).toHaveLength(2);
    expect((await visit(`${baseUrl}/moved`, { method: "POST", body: "a=b" })).status).toBe(307);
    expect(requests.at(-1)?.headers["content-length"]).toBe("3");
    expect((await visit(`${baseUrl}/loop`)).status).toBe(307);
  });

  test("reports each kind of missing response, at most five seconds after the request", async () => {
    const startedAt = performance.now();
    const found = await Promise.all(
      [
        `${baseUrl}/silent`,
        `${baseUrl}/half`,
        muteUrl,
        unknownCaUrl,
        `${baseUrl}/cut`,
        "http://127.0.0.1:9/",
        `${baseUrl}/elsewhere`,
      ].map(reasonOf),
    );
    expect(found).toEqual([
      "no response within 5 s",
      "no response within 5 s",
      "no connection within 3 s",
      "certificate not accepted",
      "no response",
      "no response",
      "no response",
    ]);
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });
});
