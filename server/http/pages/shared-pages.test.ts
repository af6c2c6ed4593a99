import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import type { NodeHandler } from "../../contract/node-handler.ts";
import { parseAddressSet } from "../../kernel/text/ip-address.ts";
import { connections } from "../../roles/connections.fixture.ts";
import { type Listening, listen } from "../../roles/listen.ts";
import { createGateway } from "../gateway/gateway.ts";
import { sharePages } from "./shared-pages.ts";

const log = { debug() {}, info() {}, warn() {}, error() {}, request() {} };
const baseUrl = "http://localhost:3000";
let listening: Listening | undefined;
afterEach(() => listening?.close(0));

type Rendered = Pick<IncomingMessage, "method" | "url" | "headers">;

/** Pages like Next's: sent in chunks, with the nonce of the request's policy in several places. */
const start = async (respond?: (request: Rendered, outgoing: ServerResponse) => boolean) => {
  const rendered: Rendered[] = [];
  const day = { today: "" };
  const pages: NodeHandler = async (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    rendered.push({ method, url, headers: { ...headers } });
    if (respond?.({ method, url, headers }, outgoing)) return;
    const nonce = /'nonce-([^']+)'/.exec(String(headers["content-security-policy"]))?.[1];
    outgoing.setHeader("content-type", "text/html; charset=utf-8");
    outgoing.write(`<script nonce="${nonce}">`);
    outgoing.write(Buffer.from(`“${url}” ${headers.cookie ?? ""}</script>`));
    outgoing.end(`<script nonce="${nonce}"></script>`);
  };
  const shared = sharePages(pages, { ownHost: "localhost:3000", variant: async () => day.today });
  const config = { baseUrl, trustedProxies: parseAddressSet("") };
  const gateway = createGateway({ config, log, routes: [], pages: shared, statusUrl: null });
  listening = await listen(gateway, { port: 0, host: "127.0.0.1", baseUrl, log, connections });
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { "accept-encoding": "identity", ...init.headers };
    const answer = await fetch(`http://127.0.0.1:${listening?.port}${path}`, { redirect: "manual", ...init, headers });
    const text = await answer.text();
    const nonce = /'nonce-([^']+)'/.exec(answer.headers.get("content-security-policy") ?? "")?.[1] ?? "";
    return { status: answer.status, headers: answer.headers, text, nonce };
  };
  return { ask, rendered, day };
};

describe("pages that are the same for every reader are rendered once", () => {
  test("each response contains its own nonce and no other nonce", async () => {
    const { ask, rendered } = await start();
    const answers = await Promise.all([ask("/docs"), ask("/docs"), ask("/docs?q=x"), ask("/docs")]);
    expect(rendered).toHaveLength(1);
    expect(new Set(answers.map(({ nonce }) => nonce)).size).toBe(answers.length);
    for (const { text, nonce, headers } of answers) {
      expect(text).toBe(`<script nonce="${nonce}">“/docs” </script><script nonce="${nonce}"></script>`);
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
    }
  });

  test("Next gets no data of the reader: no cookie except the theme, no query, and no header for Next's own requests", async () => {
    const { ask, rendered } = await start();
    const headers = { cookie: "session=secret; theme=dark; passkey=1", rsc: "1", "x-forwarded-for": "203.0.113.9" };
    await ask("/docs/errors?token=secret", { headers });
    expect(rendered).toHaveLength(1);
    expect(Object.keys(rendered[0]?.headers ?? {}).sort()).toEqual([
      "accept",
      "content-security-policy",
      "cookie",
      "host",
    ]);
    expect(rendered[0]).toMatchObject({ method: "GET", url: "/docs/errors", headers: { cookie: "theme=dark" } });
  });

  test("pages are rendered once for each theme and state of the sandbox's clock", async () => {
    const { ask, rendered, day } = await start();
    const readers = [{}, { cookie: "theme=light" }, { cookie: "theme=dark" }, { cookie: "theme=unknown" }];
    for (const headers of [...readers, ...readers]) await ask("/", { headers });
    expect(rendered).toHaveLength(3);
    day.today = "2027-01-01";
    for (let round = 0; round < 2; round++) await ask("/");
    expect(rendered).toHaveLength(4);
  });

  test("HEAD uses the same rendering and has no body", async () => {
    const { ask, rendered } = await start();
    await ask("/demo");
    const answer = await ask("/demo", { method: "HEAD" });
    expect([answer.status, answer.text, rendered.length]).toEqual([200, "", 1]);
  });

  test("a page is compressed for readers that accept it", async () => {
    const { ask } = await start();
    const [plain, small] = [await ask("/docs"), await ask("/docs", { headers: { "accept-encoding": "br, gzip" } })];
    expect([plain, small].map(({ headers }) => headers.get("content-encoding"))).toEqual([null, "gzip"]);
    expect(small.text.replaceAll(small.nonce, "")).toBe(plain.text.replaceAll(plain.nonce, ""));
  });

  test("a redirect is cached; a page that fails or doesn't exist isn't", async () => {
    let status = 500;
    const { ask, rendered } = await start((_request, outgoing) => {
      outgoing.writeHead(status, { location: "/elsewhere" }).end();
      return true;
    });
    for (status of [500, 404, 307]) {
      expect((await ask("/docs")).status).toBe(status);
      expect((await ask("/docs")).status).toBe(status);
    }
    expect(rendered).toHaveLength(5);
  });

  test("pages that depend on the reader are rendered for each request", async () => {
    const { ask, rendered } = await start();
    for (const path of ["/sign-in", "/wallet", "/consent/x", "/docsx", "/no/such/page"]) {
      await ask(path, { headers: { cookie: "session=s" } });
      await ask(path, { headers: { cookie: "session=s" } });
    }
    expect(rendered).toHaveLength(10);
    expect(rendered.every(({ headers }) => headers.cookie === "session=s")).toBe(true);
  });
});
