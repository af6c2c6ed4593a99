import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { databaseUnavailableError } from "../../contract/database-unavailable.ts";
import type { NodeHandler } from "../../contract/node-handler.ts";
import { withBrotli } from "../compression/with-brotli.ts";
import { withNotFoundPages } from "./not-found-pages.ts";
import { reportUnavailable } from "./rendering.ts";
import { withUnavailablePages } from "./unavailable-pages.ts";

/** What Next does with a request: it sets the status and the type first, and writes a page in parts. */
type Render = (outgoing: ServerResponse) => Promise<void>;

const unavailable = databaseUnavailableError(new Error("Connection terminated unexpectedly"));
const part = "<p>Paygrant</p>";
let render: Render;
let release = Promise.withResolvers<void>();
const pages: NodeHandler = async (_incoming, outgoing) => {
  outgoing.setHeader("etag", '"next"');
  await render(outgoing);
};

let server: Server;
beforeAll(async () => {
  const handler = withBrotli(withNotFoundPages(withUnavailablePages(pages)), new Map());
  server = createServer((incoming, outgoing) => {
    outgoing.setHeader("x-request-id", "req_1");
    incoming.headers["x-request-id"] = "req_1";
    void handler(incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(() => {
  release = Promise.withResolvers<void>();
});
afterAll(() => server.close());

const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") => {
  const { port } = server.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}${path}`, { method, headers, redirect: "manual" });
};

const document =
  (status: number, type = "text/html; charset=utf-8"): Render =>
  async (outgoing) => {
    outgoing.statusCode = status;
    outgoing.setHeader("content-type", type);
    outgoing.flushHeaders();
    outgoing.write(part);
    await nextTurn();
    outgoing.end(part);
  };

/** Next reports the error some promises later. */
const failing =
  (page: Render): Render =>
  async (outgoing) => {
    void Promise.resolve()
      .then(() => {})
      .then(() => reportUnavailable(unavailable));
    await page(outgoing);
  };

const expectUnavailable = async (answer: Response, text = "Wait a few seconds, then try again.") => {
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toBe("2");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(answer.headers.get("x-request-id")).toBe("req_1");
  expect(answer.headers.has("etag")).toBe(false);
  const body = await answer.text();
  expect(body).toContain(text);
  expect(body).toContain("req_1");
  expect(body).not.toContain("Paygrant</p>");
};

describe("a page that fails because the database is unavailable is answered with 503 and Retry-After", () => {
  test("a document that Next answers with 500", async () => {
    render = failing(document(500));
    await expectUnavailable(await ask("/wallet"));
  });

  test.each([
    ["in the language of the browser", "/wallet", { "accept-language": "de-AT,de;q=0.9" }, "noch einmal"],
    ["in the language that the reader chose", "/wallet", { cookie: "language=de" }, "noch einmal"],
    ["in English in the merchant dashboard", "/merchant/apps", { "accept-language": "de" }, "try again"],
    ["in English in the operator console", "/operator", { "accept-language": "de" }, "try again"],
  ])("%s", async (_name, path, headers, text) => {
    render = failing(document(500));
    await expectUnavailable(await ask(path, headers), text);
  });

  test.each(["text/html; charset=utf-8", "text/x-component"])(
    "a %s response that fails after its first part was written with status 200",
    async (type) => {
      render = async (outgoing) => {
        outgoing.setHeader("content-type", type);
        outgoing.flushHeaders();
        outgoing.write(part);
        await nextTurn();
        void Promise.resolve().then(() => reportUnavailable(unavailable));
        outgoing.end(part);
      };
      await expectUnavailable(await ask("/wallet/activity?_rsc=1"));
    },
  );

  test("a page that Next compressed", async () => {
    render = failing(async (outgoing) => {
      outgoing.writeHead(500, { "content-type": "text/html", "content-encoding": "gzip" });
      outgoing.end(gzipSync(part));
    });
    await expectUnavailable(await ask("/wallet", { "accept-encoding": "gzip" }));
  });

  test("with Brotli, and as a response to HEAD", async () => {
    render = failing(document(500));
    const answer = await ask("/wallet", { "accept-encoding": "br" });
    expect(answer.headers.get("content-encoding")).toBe("br");
    await expectUnavailable(answer);
    const head = await ask("/wallet", {}, "HEAD");
    expect([head.status, head.headers.get("retry-after"), await head.text()]).toEqual([503, "2", ""]);
  });
});

describe("every other response of Next is sent unchanged", () => {
  test.each([200, 404, 500])("a page with status %i", async (status) => {
    render = document(status);
    const answer = await ask("/wallet");
    expect([answer.status, answer.headers.get("etag"), await answer.text()]).toEqual([status, '"next"', part + part]);
  });

  test("a page that succeeds while another page fails", async () => {
    render = async (outgoing) => {
      const own = outgoing.req.url === "/one" ? failing(document(500)) : document(200);
      await own(outgoing);
    };
    const statuses = await Promise.all(["/one", "/two", "/one", "/two"].map(async (path) => (await ask(path)).status));
    expect(statuses).toEqual([503, 200, 503, 200]);
  });

  test("a redirect, even if a part of the page failed", async () => {
    render = failing(async (outgoing) => {
      outgoing.writeHead(307, { location: "/sign-in", "content-type": "text/html" }).end();
    });
    const answer = await ask("/wallet");
    expect([answer.status, answer.headers.get("location")]).toEqual([307, "/sign-in"]);
  });

  test.each([
    ["/operator", "text/html"],
    ["/_next/static/chunks/a.js", "application/javascript"],
  ])("%s is sent while it is written", async (path, type) => {
    render = async (outgoing) => {
      outgoing.setHeader("content-type", type);
      outgoing.write(part);
      await release.promise;
      outgoing.end("end");
    };
    const answer = await ask(path);
    const reader = answer.body?.getReader();
    const first = await reader?.read();
    expect(Buffer.from(first?.value ?? []).toString()).toBe(part);
    release.resolve();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("end");
  });
});
