import { globSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { renderKept } from "./kept-response.ts";
import { withNotFoundPages } from "./not-found-pages.ts";
import { notFoundHeader, notFoundParts, notFoundRewrites } from "./not-found-parts.ts";

const empty = '<!DOCTYPE html><html id="__next_error__"><head></head><body><script></script></body></html>';
const types = { "content-type": "text/html; charset=utf-8" };

let server: Server | undefined;
afterEach(() => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())));

/** @param url of the page that Next renders: that of the request, or the destination of the rewrite */
type Respond = (url: string, outgoing: ServerResponse, incoming: IncomingMessage) => void;

const rewritten = ({ url = "", headers }: IncomingMessage): string =>
  notFoundRewrites().find(({ has }) => has.some(({ value }) => value === headers[notFoundHeader]))?.destination ?? url;

/** Pages like Next's. @returns a client, and the URLs that were rendered. */
const start = async (respond: Respond) => {
  const rendered: string[] = [];
  const urls = new Set<string | undefined>();
  const pages = withNotFoundPages((incoming, outgoing) => {
    urls.add(incoming.url);
    const url = rewritten(incoming);
    rendered.push(url);
    const finished = new Promise<void>((resolve) => outgoing.once("finish", () => resolve()));
    respond(url, outgoing, incoming);
    return finished;
  });
  server = createServer((incoming, outgoing) => void pages(incoming, outgoing));
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const ask = async (url: string, init: RequestInit = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}${url}`, { redirect: "manual", ...init });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return { ask, rendered, urls };
};

/** As Next writes an empty document: in parts, with a flushed head. */
const sendEmpty = (outgoing: ServerResponse): void => {
  outgoing.statusCode = 404;
  outgoing.setHeader("content-type", types["content-type"]);
  outgoing.flushHeaders();
  outgoing.write(empty.slice(0, 60));
  outgoing.end(empty.slice(60));
};

const readable: Respond = (url, outgoing) => {
  if (!url.endsWith("/not-found")) return sendEmpty(outgoing);
  outgoing.writeHead(url === "/not-found" ? 404 : 200, types).end(`<h1>Not found: ${url}</h1>`);
};

describe("an empty 404 document of Next is replaced by a page that needs no JavaScript", () => {
  test.each([
    ["/wallet/mandates/man_1", "/wallet/mandates/not-found"],
    ["/wallet/mandates", "/wallet/mandates/not-found"],
    ["/wallet/mandatesx", "/wallet/not-found"],
    ["/directory/ptc_unknown?before=2", "/directory/not-found"],
    ["/docs/api/unknown", "/not-found"],
  ])("%s gets the content of %s", async (url, part) => {
    const { ask, rendered, urls } = await start(readable);
    const { status, text, headers } = await ask(url);
    // The links of the page depend on the URL of the request, as in the browser.
    expect([...urls]).toEqual([url]);
    expect([status, text, headers.get("content-type")]).toEqual([
      404,
      `<h1>Not found: ${part}</h1>`,
      types["content-type"],
    ]);
    expect(rendered).toEqual([url, part]);
  });

  test("the page is rendered with the headers of the request", async () => {
    const { ask } = await start((url, outgoing, { headers }) => {
      if (!url.endsWith("/not-found")) return sendEmpty(outgoing);
      outgoing
        .writeHead(200, types)
        .end(`${headers.cookie} ${headers["accept-language"]} ${headers["accept-encoding"]}`);
    });
    const { text } = await ask("/merchant/x", { headers: { cookie: "a=b", "accept-language": "de" } });
    expect(text).toBe("a=b de undefined");
  });

  test("no chunk is lost if the head is written again before each chunk", async () => {
    const { ask } = await start((url, outgoing) => {
      const write = (chunk: string) => void outgoing.writeHead(404, types).write(chunk);
      for (const part of url === "/a" ? ["<h1>", "Not here", "</h1>"] : [empty.slice(0, 60), empty.slice(60)])
        write(part);
      outgoing.end();
    });
    expect((await ask("/a")).text).toBe("<h1>Not here</h1>");
    expect((await ask("/merchant/x")).text).toBe(empty);
  });

  test("a page that is rendered without a caller is replaced too", async () => {
    const pages = withNotFoundPages(async (incoming, outgoing) => {
      const { write } = outgoing;
      // As Next's compression: the head is written again if it isn't sent yet.
      outgoing.write = (chunk: string) => {
        if (!outgoing.headersSent) outgoing.writeHead(outgoing.statusCode);
        return write.call(outgoing, chunk, "utf8");
      };
      readable(rewritten(incoming), outgoing, incoming);
    });
    const { status, body } = await renderKept(pages, { url: "/docs/x", headers: {} });
    expect([status, body.toString()]).toEqual([404, "<h1>Not found: /not-found</h1>"]);
  });

  test("a document that Next compressed is replaced too", async () => {
    const { ask } = await start((url, outgoing) => {
      if (url.endsWith("/not-found")) return readable(url, outgoing, {} as IncomingMessage);
      outgoing.writeHead(404, { ...types, "content-encoding": "gzip" }).end(gzipSync(empty));
    });
    const { text, headers } = await ask("/merchant/x");
    expect([text, headers.get("content-encoding")]).toEqual(["<h1>Not found: /merchant/not-found</h1>", null]);
  });

  test("if the page of a part redirects or is empty too, the page of the parent part is used", async () => {
    const { ask, rendered } = await start((url, outgoing, incoming) => {
      if (url === "/wallet/mandates/not-found") return void outgoing.writeHead(307, { location: "/sign-in" }).end();
      if (url === "/wallet/not-found") return sendEmpty(outgoing);
      readable(url, outgoing, incoming);
    });
    expect((await ask("/wallet/mandates/x")).text).toBe("<h1>Not found: /not-found</h1>");
    expect(rendered.slice(1)).toEqual(["/wallet/mandates/not-found", "/wallet/not-found", "/not-found"]);
  });

  test("if the database fails while the page is rendered, its 503 is sent with Retry-After", async () => {
    const { ask, rendered } = await start((url, outgoing) => {
      if (url.endsWith("/not-found")) {
        return void outgoing.writeHead(503, { ...types, "retry-after": "5" }).end("<h1>Not available</h1>");
      }
      outgoing.setHeader("link", "</font.woff2>; rel=preload");
      outgoing.setHeader("content-encoding", "gzip");
      outgoing.writeHead(404, types).end(gzipSync(empty));
    });
    const { status, text, headers } = await ask("/merchant/x");
    expect([status, text]).toEqual([503, "<h1>Not available</h1>"]);
    expect([headers.get("retry-after"), headers.get("content-type")]).toEqual(["5", types["content-type"]]);
    expect([headers.get("link"), headers.get("content-encoding")]).toEqual([null, null]);
    expect(rendered).toEqual(["/merchant/x", "/merchant/not-found"]);
  });

  test("if no page can be rendered, the empty document is sent", async () => {
    const { ask } = await start((_url, outgoing) => sendEmpty(outgoing));
    expect(await ask("/docs/x")).toMatchObject({ status: 404, text: empty });
  });
});

describe("other responses stay as they are", () => {
  test("a 404 that is readable, a page, a redirect, and a 404 that isn't a document", async () => {
    const { ask, rendered } = await start((url, outgoing) => {
      if (url === "/a") outgoing.writeHead(404, types).end("<h1>Not here</h1>");
      if (url === "/b") outgoing.writeHead(200, types).end(empty);
      if (url === "/c") outgoing.writeHead(307, { location: "/d" }).end();
      if (url === "/d") outgoing.writeHead(404, { "content-type": "text/plain" }).end(empty);
    });
    expect(await ask("/a")).toMatchObject({ status: 404, text: "<h1>Not here</h1>" });
    expect(await ask("/b")).toMatchObject({ status: 200, text: empty });
    expect((await ask("/c")).headers.get("location")).toBe("/d");
    expect(await ask("/d")).toMatchObject({ status: 404, text: empty });
    expect(rendered).toHaveLength(4);
  });

  test("a caller can't choose the page", async () => {
    const { ask, rendered } = await start(readable);
    await ask("/docs/x", { headers: { [notFoundHeader]: "/merchant" } });
    expect(rendered).toEqual(["/docs/x", "/not-found"]);
  });

  test("Next's router gets its own response", async () => {
    const { ask, rendered } = await start(readable);
    expect(await ask("/merchant/x", { headers: { rsc: "1" } })).toMatchObject({ status: 404, text: empty });
    expect(rendered).toHaveLength(1);
  });

  test("a response to HEAD has no body", async () => {
    const { ask } = await start((_url, outgoing) => void outgoing.writeHead(404, types).end());
    expect(await ask("/merchant/x", { method: "HEAD" })).toMatchObject({ status: 404, text: "" });
  });
});

test("the page of a part has status 404 when it is opened by its own path", async () => {
  const { ask } = await start(readable);
  expect((await ask("/merchant/not-found")).status).toBe(404);
});

test("each part with a not-found.tsx is listed, and has a page with its content", () => {
  const app = path.resolve(import.meta.dirname, "../../../app");
  const partsOf = (pattern: string, end: string) =>
    globSync(pattern, { cwd: app })
      .map((file) => `/${file.slice(0, -end.length)}`.replace(/\/\([a-z]+\)/g, ""))
      .filter((part) => part !== "/")
      .toSorted();
  const parts = notFoundParts.toSorted();
  expect(partsOf("**/not-found.tsx", "/not-found.tsx")).toEqual(parts);
  expect(partsOf("**/not-found/page.tsx", "/not-found/page.tsx")).toEqual(parts);
});
