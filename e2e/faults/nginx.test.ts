import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import http, { type IncomingMessage, type RequestListener, type Server } from "node:http";
import http2 from "node:http2";
import https from "node:https";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { text as readText } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findNginx } from "#server/cli/checks/find-nginx.ts";
import { findFreePorts } from "#server/cli/checks/free-ports.ts";
import { type Nginx, startNginx } from "#server/cli/checks/nginx.ts";

/**
 * docs/runbooks/nginx.conf with TLS and the addresses of this machine, in front of two nodes that report what reaches
 * them.
 */

let directory: string;
let nginx: Nginx;
let port: number;
let certificate: string;
const nodes: Server[] = [];
const seen: { node: number; method: string; target: string; headers: IncomingMessage["headers"]; octets: number }[] =
  [];
let answer: RequestListener;

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const startNode = async (index: number): Promise<Server> => {
  const server = http.createServer({ maxHeaderSize: 64 * 1024 }, async (request, response) => {
    let octets = 0;
    for await (const chunk of request) octets += (chunk as Buffer).length;
    const { method = "", url: target = "", headers } = request;
    seen.push({ node: index, method, target, headers, octets });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
};

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), "paygrant-nginx-"));
  const tls = { certificate: path.join(directory, "site.pem"), key: path.join(directory, "site.key") };
  const words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost";
  const subject = ["-addext", "subjectAltName=DNS:localhost", "-keyout", tls.key, "-out", tls.certificate];
  nodes.push(await startNode(0), await startNode(1));
  [port = 0] = await findFreePorts(1);
  // Installs OpenSSL too if it is missing.
  await findNginx();
  await promisify(execFile)("openssl", [...words.split(" "), ...subject]);
  nginx = await startNginx(directory, [{ name: "paygrant", port, nodes: nodes.map(portOf), tls }]);
  certificate = await readFile(tls.certificate, "utf8");
});
afterAll(async () => {
  await nginx?.stop();
  for (const node of nodes) node.close();
  await rm(directory, { recursive: true, force: true });
});
beforeEach(() => {
  seen.length = 0;
  answer = (_request, response) => void response.end("taken");
});

type Sent = { method?: string; headers?: Record<string, string>; body?: string };

type Answer = { status: number; headers: IncomingMessage["headers"]; text: string };

const ask = (target: string, { method = "GET", headers = {}, body }: Sent = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const options = {
      port,
      host: "localhost",
      path: target,
      method,
      headers,
      ca: certificate,
      agent: false,
      servername: "localhost",
    };
    const request = https.request(options, async (response) => {
      const text = await readText(response);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
    request.once("error", reject).end(body);
  });

const send = async (target: string, sent: Sent = {}): Promise<number> => (await ask(target, sent)).status;

/** nginx refuses with problem details (RFC 9457) and a request ID, at every path. */
const expectProblem = ({ status, headers, text }: Answer, expected: number): void => {
  expect({ status, ...JSON.parse(text) }).toMatchObject({ status: expected, title: expect.any(String) });
  expect(headers).toMatchObject({
    "content-type": "application/problem+json",
    "cache-control": "no-store",
    "x-request-id": expect.stringMatching(/^req_[0-9a-f]{32}$/),
  });
};

describe("docs/runbooks/nginx.conf (docs/spec/operations.md, Deploying)", () => {
  test("loads without a warning, and terminates TLS", async () => {
    expect(await send("/oauth/token")).toBe(200);
    expect(nginx.output()).toBe("");
  });

  test("forwards target and Host unchanged, and sets the caller's address itself", async () => {
    const headers = {
      host: "pay.example.com",
      "x-forwarded-for": "203.0.113.9",
      dpop: "proof",
      authorization: "DPoP x",
    };
    await send("/oauth/status-list/a%2Fb//c?d=%20", { headers });
    expect(seen).toMatchObject([
      {
        target: "/oauth/status-list/a%2Fb//c?d=%20",
        headers: {
          host: "pay.example.com",
          "x-forwarded-proto": "https",
          dpop: "proof",
          authorization: "DPoP x",
          "x-forwarded-for": expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
        },
      },
    ]);
  });

  test("forwards a token of 40 KiB, and a body above the node's limit and below nginx's", async () => {
    expect(await send("/oauth/introspect", { headers: { authorization: `DPoP ${"a".repeat(40 * 1024)}` } })).toBe(200);
    expect(await send("/oauth/par", { method: "POST", body: "a".repeat(2 ** 20 + 1) })).toBe(200);
    expect(seen[1]).toMatchObject({ method: "POST", octets: 2 ** 20 + 1 });
  });

  test("returns a redirect to a long URL", async () => {
    answer = (_request, response) => void response.writeHead(303, { location: `/?state=${"a".repeat(12_000)}` }).end();
    expect(await send("/oauth/authorize")).toBe(303);
  });

  test("refuses malformed and too large requests with problem details, before they reach a node (docs/spec/product.md, Invalid requests)", async () => {
    for (const target of ["/%zz", "/consent/%00", "/wallet/mandates/%E0%A4%A"]) expectProblem(await ask(target), 400);
    expectProblem(await ask("/oauth/par", { method: "POST", body: "a".repeat(2 ** 21 + 1) }), 413);
    expect(seen).toEqual([]);
  });

  test("refuses an oversized body over HTTP/2, in the same format", async () => {
    const session = http2.connect(`https://localhost:${port}`, { ca: certificate });
    const body = "a".repeat(2 ** 21 + 1);
    const request = session.request({
      ":method": "POST",
      ":path": "/oauth/par",
      "content-length": String(body.length),
    });
    const [headers, text] = await Promise.all([once(request, "response"), readText(request), request.end(body)]);
    session.close();
    expectProblem({ status: headers[0][":status"], headers: headers[0], text }, 413);
    expect(seen).toEqual([]);
  });

  test("sends requests to the other node if one node doesn't listen, POST requests included", async () => {
    const [first] = nodes;
    await new Promise((resolve) => first?.close(resolve).closeAllConnections());
    const all = await Promise.all(
      Array.from({ length: 8 }, () => send("/oauth/token", { method: "POST", body: "a=b" })),
    );
    expect(new Set(all)).toEqual(new Set([200]));
    expect(new Set(seen.map(({ node }) => node))).toEqual(new Set([1]));
    expect(seen).toHaveLength(8);
  });

  test("doesn't repeat a POST that a node received but didn't answer", async () => {
    answer = (request) => void request.socket.destroy();
    const reply = await ask("/merchant_test/charge", { method: "POST", body: "{}" });
    expectProblem(reply, 503);
    expect(JSON.parse(reply.text)).toMatchObject({ status: 503, code: "temporarily_unavailable" });
    expect(reply.headers).toMatchObject({ "retry-after": "2" });
    expect(seen).toHaveLength(1);
  });
});

describe("docs/runbooks/nginx.conf limits callers by address", () => {
  let limiting: Nginx;
  let limited: number;
  beforeAll(async () => {
    // Another test stops one of the first two nodes, so this test uses a third node.
    const node = await startNode(2);
    nodes.push(node);
    [limited = 0] = await findFreePorts(1);
    const site = {
      name: "limiting",
      port: limited,
      nodes: [portOf(node)],
      tls: null,
      limitsLoopback: true,
    } as const;
    limiting = await startNginx(path.join(directory, "limiting"), [site]);
  });
  afterAll(() => limiting?.stop());

  const flood = async (target: string, count: number): Promise<Answer[]> =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const response = await fetch(`http://127.0.0.1:${limited}${target}`);
        return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
      }),
    );
  const statusesOf = (answers: readonly Answer[]) => [...new Set(answers.map(({ status }) => status))].toSorted();

  test("a caller that requests many pages gets 200, then 429 in the format of a node's refusals; API endpoints keep answering", async () => {
    const pages = await flood("/docs/errors", 400);
    expect(statusesOf(pages)).toEqual([200, 429]);
    const refused = pages.filter(({ status }) => status === 429);
    expect(pages.length - refused.length).toBeGreaterThanOrEqual(200);
    for (const answer of refused) {
      expectProblem(answer, 429);
      expect(answer.headers["retry-after"]).toBe("1");
    }
    expect(statusesOf(await flood("/oauth/token", 300))).toEqual([200]);
    expect(statusesOf(await flood("/merchant_test/charges", 100))).toEqual([200]);
    expect(statusesOf(await flood("/directory/v1/participants", 100))).toEqual([200]);
    expect(statusesOf(await flood("/directory", 400))).toEqual([200, 429]);
    expect(limiting.output()).toMatch(/limiting requests, excess: \S+ by zone "limiting_pages"/);
  });
});
