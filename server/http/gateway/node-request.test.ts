import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { maxBodyBytes, readBody } from "../../contract/body/form.ts";
import type { Answer, EndpointRequest } from "../../contract/endpoint.ts";
import { parseAddressSet } from "../../kernel/text/ip-address.ts";
import type { Handler } from "../serve.ts";
import { createGateway } from "./gateway.ts";

const headerNames = ["content-type", "user-agent", "cookie", "accept", "x-repeated", "host", "x-absent"];

/** Returns everything that an endpoint can read from a request. */
const echo = async (request: EndpointRequest): Promise<Answer> => {
  const body = request.headers.get("x-unread") === null ? await readBody(request).catch((error) => `${error}`) : "";
  const { method, url, headers } = request;
  const fields = headerNames.map((name) => [name, headers.get(name), headers.has(name)]);
  const status = Number(headers.get("x-status") ?? 200);
  return {
    status,
    headers: ["x-frame-options", "SAMEORIGIN", "content-type", "application/json"],
    body: status === 304 ? null : JSON.stringify({ method, url, fields, body }),
  };
};

const web = async (request: Request) => {
  const { status, body } = await echo(request);
  const headers = { "x-frame-options": "SAMEORIGIN", "content-type": "application/json" };
  return new Response(body as BodyInit | null, { status, headers });
};
let servers: Server[];

beforeAll(async () => {
  const log = { debug() {}, info() {}, warn() {}, error() {}, request() {} };
  const config = { baseUrl: "https://pay.example", trustedProxies: parseAddressSet("") };
  const handlers: Handler[] = [Object.assign((request: Request) => web(request), { answer: echo }), web];
  servers = await Promise.all(
    handlers.map(async (handler) => {
      const route = { pattern: "/echo", segments: ["echo"], handlers: { POST: handler, GET: handler } };
      const gateway = createGateway({ config, log, routes: [route], pages: null, statusUrl: null });
      const server = createServer((incoming, outgoing) => void gateway(incoming, outgoing));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return server;
    }),
  );
});
afterAll(() => {
  for (const server of servers) server.close();
});

type Exchanged = { text: string; firstMilliseconds: number; milliseconds: number };

/** @returns the data received until the server ends the connection, and the times to its first and last byte. */
const exchange = (server: Server, parts: readonly string[]): Promise<Exchanged> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now();
    let firstMilliseconds = Number.NaN;
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    let text = "";
    socket.setNoDelay(true).setEncoding("latin1");
    socket.once("data", () => {
      firstMilliseconds = performance.now() - startedAt;
    });
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () => resolve({ text, firstMilliseconds, milliseconds: performance.now() - startedAt }));
    socket.on("error", reject);
    for (const [index, part] of parts.entries()) setTimeout(() => socket.write(part, "latin1"), index * 5);
  });

const comparable = (text: string) => {
  const [head = "", body] = text.split("\r\n\r\n");
  const lines = head.split("\r\n").map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()));
  return { lines: lines.filter((line) => !/^(date|x-request-id):/.test(line)).sort(), body };
};

const bothAnswers = async (parts: readonly string[]) => {
  const [direct, throughWeb] = await Promise.all(servers.map((server) => exchange(server, parts)));
  return [comparable(direct?.text ?? ""), comparable(throughWeb?.text ?? "")] as const;
};

type Line = readonly [name: string, value: string];

const octetsOf = (start: string, lines: readonly Line[], body = ""): string =>
  [
    `${start} HTTP/1.1`,
    "host: pay.example",
    "connection: close",
    ...lines.map(([name, value]) => `${name}:${value}`),
    "",
    body,
  ].join("\r\n");

describe("an endpoint reads and responds the same with and without web objects", () => {
  const name = fc.constantFrom(
    ...headerNames.slice(0, 5),
    "Accept",
    "COOKIE",
    "X-Repeated",
    "X-Paygrant-Client-Address",
  );
  const value = fc
    .array(fc.constantFrom("a", "é", " ", "\t", ",", ";", '"', "=", "%", "ÿ"), { maxLength: 6 })
    .map((characters) => characters.join(""));
  const lines = fc.array(fc.tuple(name, value), { maxLength: 6 });
  const target = fc
    .array(fc.constantFrom("?", "a=b", "&", "%20", "+", "é", "#", "/", "\\", '"', ".", "..", "'"), { maxLength: 4 })
    .map((pieces) => `/echo${pieces.join("")}`);

  it("for any target, headers and body", async () => {
    await fc.assert(
      fc.asyncProperty(target, lines, value, fc.boolean(), async (address, own, body, isChunked) => {
        const length: Line = isChunked ? ["transfer-encoding", "chunked"] : ["content-length", String(body.length)];
        const sent = isChunked ? `${body && `${body.length.toString(16)}\r\n${body}\r\n`}0\r\n\r\n` : body;
        const [direct, throughWeb] = await bothAnswers([octetsOf(`POST ${address}`, [...own, length], sent)]);
        expect(direct).toEqual(throughWeb);
      }),
      { numRuns: 60 },
    );
  });

  it.each<[string, readonly string[]]>([
    ["a GET", [octetsOf("GET /echo?a=b", [["accept", "text/plain"]])]],
    ["a POST without a length", [octetsOf("POST /echo", [])]],
    ["a response without a body", [octetsOf("GET /echo", [["x-status", "304"]])]],
    ["a body in parts", [octetsOf("POST /echo", [["content-length", "6"]], "ab"), "cd", "ef"]],
    ["a body that isn't UTF-8", [octetsOf("POST /echo", [["content-length", "1"]], "\xff")]],
    ["a body beyond 64 KiB", [octetsOf("POST /echo", [["content-length", String(maxBodyBytes + 1)]], "a")]],
    ["a method without an endpoint", [octetsOf("PUT /echo", [["content-length", "1"]], "a")]],
  ])("%s", async (_, parts) => {
    const [direct, throughWeb] = await bothAnswers(parts);
    expect(throughWeb.lines).toContainEqual(expect.stringMatching(/^http\/1\.1 \d/));
    expect(direct).toEqual(throughWeb);
  });

  it("a caller that receives the response before it has sent its body still has time to send the body", async () => {
    const octets = octetsOf("POST /echo", [
      ["content-length", "10"],
      ["x-unread", "1"],
    ]).replace("connection: close", "connection: keep-alive");
    const answers = await Promise.all(servers.map((server) => exchange(server, [octets])));
    for (const { text, milliseconds } of answers) {
      expect(text).toMatch(/^HTTP\/1\.1 200 /);
      expect(milliseconds).toBeGreaterThan(400);
    }
  });

  it.each(["GET", "HEAD"])("%s gets its response immediately, before its body arrives", async (method) => {
    const [direct] = servers;
    if (!direct) throw new Error("no server");
    const answer = await exchange(direct, [octetsOf(`${method} /nothing`, [["content-length", "10"]])]);
    expect(answer.text).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer.milliseconds - answer.firstMilliseconds).toBeGreaterThan(1_000);
  });
});
