import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, get, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync, brotliDecompressSync, createBrotliDecompress } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { NodeHandler } from "../../contract/node-handler.ts";
import { findBuiltFiles, withBrotli } from "./with-brotli.ts";

const root = mkdtempSync(path.join(tmpdir(), "brotli-"));
const page = "<p>Paygrant</p>".repeat(2000);
const release = Promise.withResolvers<void>();
let wasClosed = Promise.withResolvers<void>();

/** Streams a page in two parts and flushes after each part, as Next does. */
const pages: NodeHandler = async (incoming, outgoing) => {
  const { flush } = outgoing as typeof outgoing & { flush?: () => void };
  outgoing.once("close", () => wasClosed.resolve());
  if (incoming.url === "/image") return void outgoing.writeHead(200, { "content-type": "image/png" }).end(page);
  if (incoming.url === "/unchanged") return void outgoing.writeHead(304, { "content-type": "text/html" }).end();
  outgoing.setHeader("content-type", "text/html; charset=utf-8");
  outgoing.setHeader("x-seen", incoming.headers["accept-encoding"] ?? "none");
  outgoing.write(page);
  flush?.();
  if (incoming.url === "/slow") await release.promise;
  outgoing.end("<p>end</p>");
};

let server: Server;
beforeAll(async () => {
  mkdirSync(path.join(root, ".next/compressed/static/chunks"), { recursive: true });
  writeFileSync(path.join(root, ".next/compressed/static/chunks/a.js.br"), brotliCompressSync("let a = 1;"));
  const handler = withBrotli(pages, await findBuiltFiles(root));
  server = createServer((incoming, outgoing) => void handler(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.close();
  rmSync(root, { recursive: true });
});

const request = (target: string, accept: string, method = "GET") =>
  new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    const options = { port, path: target, method, headers: { "accept-encoding": accept } };
    get(options, async (answer) => {
      const body = Buffer.concat(await answer.toArray());
      resolve({ status: answer.statusCode, headers: answer.headers, body });
    }).on("error", reject);
  });

test("a page is compressed if the browser accepts Brotli", async () => {
  const { headers, body } = await request("/", "gzip, deflate, br, zstd");
  expect(headers).toMatchObject({ "content-encoding": "br", vary: "Accept-Encoding", "x-seen": "none" });
  expect(brotliDecompressSync(body).toString()).toBe(`${page}<p>end</p>`);
  expect(body.byteLength).toBeLessThan(1000);
});

test.each([
  ["gzip", "/"],
  ["br;q=0, gzip", "/"],
])("with Accept-Encoding %j, the page is sent as Next wrote it", async (accept, target) => {
  const { headers, body } = await request(target, accept);
  expect(headers["content-encoding"]).toBeUndefined();
  expect(headers["x-seen"]).toBe(accept);
  expect(body.toString()).toBe(`${page}<p>end</p>`);
});

test("images and responses without a body aren't compressed", async () => {
  const image = await request("/image", "br");
  expect([image.headers["content-encoding"], image.body.toString()]).toEqual([undefined, page]);
  const unchanged = await request("/unchanged", "br");
  expect([unchanged.status, unchanged.headers["content-encoding"], unchanged.body.byteLength]).toEqual([
    304,
    undefined,
    0,
  ]);
});

test("a script of the build is sent from its compressed copy", async () => {
  const { headers, body } = await request("/_next/static/chunks/a.js", "br");
  expect(headers).toMatchObject({
    "content-type": "application/javascript; charset=UTF-8",
    "content-encoding": "br",
    "cache-control": "public, max-age=31536000, immutable",
    "content-length": String(body.byteLength),
  });
  expect(brotliDecompressSync(body).toString()).toBe("let a = 1;");
  const head = await request("/_next/static/chunks/a.js", "br", "HEAD");
  expect([head.headers["content-length"], head.body.byteLength]).toEqual([String(body.byteLength), 0]);
});

test("the first part of a page arrives before the last one is written", async () => {
  const { port } = server.address() as AddressInfo;
  const first = await new Promise<string>((resolve, reject) => {
    get({ port, path: "/slow", headers: { "accept-encoding": "br" } }, (answer) => {
      const decoder = answer.pipe(createBrotliDecompress());
      let text = "";
      decoder.on("data", (chunk: Buffer) => {
        text += chunk;
        if (text.length === page.length) resolve(text);
      });
      decoder.on("end", () => release.resolve());
    }).on("error", reject);
  });
  release.resolve();
  expect(first).toBe(page);
});

test("a response ends when its reader disconnects", async () => {
  wasClosed = Promise.withResolvers<void>();
  const { port } = server.address() as AddressInfo;
  const call = get({ port, path: "/slow", headers: { "accept-encoding": "br" } }, (answer) => {
    answer.once("data", () => call.destroy());
    answer.on("error", () => {});
  });
  call.on("error", () => {});
  await wasClosed.promise;
});
