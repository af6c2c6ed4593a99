import { connect } from "node:net";
import { text as readText } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseAddressSet } from "../kernel/text/ip-address.ts";
import { connections } from "../roles/connections.fixture.ts";
import { type Listening, listen } from "../roles/listen.ts";
import { createGateway } from "./gateway/gateway.ts";

const log = { debug() {}, info() {}, warn() {}, error() {}, request() {} };
const handlers = { POST: async () => Response.json({}), GET: () => Promise.reject(new Error("fault")) };
const routes = ["/oauth/token", "/oauth/authorize", "/sign-in/session", "/consent/handle/decision"].map((pattern) => ({
  pattern,
  segments: pattern.slice(1).split("/"),
  handlers,
}));

/** Starts a web process's gateway and pages as in production. @param baseUrl an http or https URL */
const start = (baseUrl: string, assetPrefix = ""): Promise<Listening> => {
  const gateway = createGateway({
    assetPrefix,
    config: { baseUrl, trustedProxies: parseAddressSet("") },
    log,
    routes,
    async pages(_incoming, outgoing) {
      if (outgoing.req.url?.endsWith("/broken")) throw new Error("a page that fails");
      outgoing.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>");
    },
    statusUrl: "https://status.example",
  });
  return listen(gateway, { port: 0, host: "127.0.0.1", baseUrl, log, connections });
};

const raw = async (port: number, octets: string): Promise<{ status: number; headers: Headers }> => {
  const socket = connect(port, "127.0.0.1");
  socket.write(octets);
  const [head = ""] = (await readText(socket)).split("\r\n\r\n");
  const [line = "", ...lines] = head.split("\r\n");
  const pairs = lines.map((each): [string, string] => [
    each.slice(0, each.indexOf(":")),
    each.slice(each.indexOf(":") + 1).trim(),
  ]);
  return { status: Number(line.split(" ")[1]), headers: new Headers(pairs) };
};
const request = (method: string, target: string) =>
  `${method} ${target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`;

const answers: readonly [string, number, string][] = [
  ["an endpoint's answer", 200, request("POST", "/oauth/token")],
  ["an endpoint's fault", 500, request("GET", "/oauth/token")],
  ["a method without a handler", 405, request("DELETE", "/oauth/token")],
  ["a path without an endpoint", 404, request("GET", "/oauth/nothing")],
  ["an invalid request target", 400, request("GET", "http://[")],
  [
    "a body that is too large",
    413,
    "POST /page HTTP/1.1\r\nhost: a\r\ncontent-length: 99999999\r\nconnection: close\r\n\r\n",
  ],
  ["the redirect to the status page", 307, request("GET", "/status")],
  ["bytes that aren't a request", 400, "nonsense\r\n\r\n"],
  ["a page", 200, request("GET", "/")],
  ["a POST request to a page", 405, request("POST", "/wallet")],
  ["a page that fails", 500, request("GET", "/broken")],
];

/** Whether a client's window visits the path during an authorization. If it does, popups keep their opener. */
const onAuthorizationPath: readonly [string, string, boolean][] = [
  ["GET", "/oauth/authorize?client_id=a", true],
  ["POST", "/oauth/authorize", true],
  ["PUT", "/oauth/authorize", true],
  ["GET", "/consent/handle", true],
  ["GET", "/consent/handle?error=consent_stale", true],
  ["GET", "/consent/broken", true],
  ["POST", "/consent/handle/decision", true],
  ["GET", "/sign-in?return_to=/consent/handle", true],
  ["POST", "/sign-in/session", true],
  ["POST", "/sign-in/passkey", true],
  ["GET", "/sign-up", true],
  ["GET", "/%63onsent/handle", true],
  ["GET", "/", false],
  ["GET", "/wallet", false],
  ["GET", "/consents", false],
  ["GET", "/sign-in-help", false],
  ["GET", "/wallet/consent/handle", false],
  ["POST", "/oauth/token", false],
  ["POST", "/sign-out", false],
];

describe.each(["http://localhost:3000", "https://pay.example"])(
  "at %s (docs/spec/operations.md, Security headers)",
  (baseUrl) => {
    let server: Listening;
    beforeAll(async () => {
      server = await start(baseUrl);
    });
    afterAll(() => server.close(0));

    test.each(answers)("%s has all security headers", async (_name, status, octets) => {
      const answer = await raw(server.port, octets);
      const { headers } = answer;
      expect(answer.status).toBe(status);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("permissions-policy")).toContain("payment=()");
      expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; .*frame-ancestors 'none'/);
      const isHttps = baseUrl.startsWith("https:");
      expect(headers.get("strict-transport-security")).toBe(isHttps ? "max-age=63072000; includeSubDomains" : null);
    });

    test.each(onAuthorizationPath)(
      "%s %s allows an opener and a redirect to the client: %s",
      async (method, target, isLax) => {
        const { headers } = await raw(server.port, request(method, target));
        expect(headers.get("cross-origin-opener-policy")).toBe(isLax ? null : "same-origin");
        expect(headers.get("x-frame-options")).toBe("DENY");
        const policy = headers.get("content-security-policy") ?? "";
        expect(policy).toContain("frame-ancestors 'none'");
        // Only pages have forms.
        if (policy.includes("script-src")) expect(policy.includes("form-action 'self'")).toBe(!isLax);
      },
    );

    test("the page with the live button stays the opener of its popup (docs/spec/assets.md, The consent script)", async () => {
      const { headers } = await raw(server.port, request("GET", "/docs/button"));
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin-allow-popups");
    });

    test("a page's scripts run only with a nonce, which is new for each response", async () => {
      const nonceOf = async () => {
        const policy = (await raw(server.port, request("GET", "/"))).headers.get("content-security-policy") ?? "";
        expect(policy).toMatch(/script-src 'nonce-[^']+' 'strict-dynamic'/);
        expect(policy).not.toMatch(/script-src[^;]*unsafe/);
        return /'nonce-([^']+)'/.exec(policy)?.[1];
      };
      const nonces = await Promise.all([nonceOf(), nonceOf(), nonceOf()]);
      expect(new Set(nonces).size).toBe(3);
    });
  },
);

test("pages may also load styles and fonts from the host of the assets (docs/spec/assets.md, Files of the pages)", async () => {
  const server = await start("https://pay.example", "https://cdn.example/a;b");
  const { headers } = await raw(server.port, request("GET", "/"));
  await server.close(0);
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("font-src 'self' https://cdn.example/a%3Bb/_next/static/;");
  expect(policy).toMatch(/style-src 'self' https:\/\/cdn\.example\/a%3Bb\/_next\/static\/ 'nonce-/);
  expect(policy).toContain("connect-src 'self';");
});
