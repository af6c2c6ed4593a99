import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { acceptsBrotli } from "../../contract/accept.ts";
import type { NodeHandler } from "../../contract/node-handler.ts";
import { pathOf } from "../request-target.ts";
import { compressAnswer } from "./compress-answer.ts";

/** The compressed copy of each build file, by the path of its request. */
export type BuiltFiles = ReadonlyMap<string, string>;

/** The build compresses scripts and style sheets once (server/cli/supervisor/compress-build.ts). */
export const findBuiltFiles = async (root: string): Promise<BuiltFiles> => {
  const folder = path.join(root, ".next/compressed");
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return new Map(
    names
      .filter((name) => name.endsWith(".br"))
      .map((name) => [`/_next/${name.slice(0, -".br".length).split(path.sep).join("/")}`, path.join(folder, name)]),
  );
};

const types: Readonly<Record<string, string>> = {
  ".js": "application/javascript; charset=UTF-8",
  ".css": "text/css; charset=UTF-8",
};

/** Answers with Brotli if the browser accepts it. Next itself has gzip only. */
export const withBrotli =
  (pages: NodeHandler, files: BuiltFiles): NodeHandler =>
  async (incoming, outgoing) => {
    const isRead = incoming.method === "GET" || incoming.method === "HEAD";
    if (!isRead || !acceptsBrotli(incoming.headers["accept-encoding"]?.toString() ?? null)) {
      return pages(incoming, outgoing);
    }
    const file = files.get(pathOf(incoming.url ?? "") ?? "");
    if (file) return sendBuiltFile(incoming, outgoing, file);
    if (incoming.method === "HEAD") return pages(incoming, outgoing);
    // Otherwise Next would compress the response with gzip.
    delete incoming.headers["accept-encoding"];
    compressAnswer(outgoing);
    return pages(incoming, outgoing);
  };

const sendBuiltFile = async ({ method }: IncomingMessage, outgoing: ServerResponse, file: string): Promise<void> => {
  const body = await readFile(file);
  outgoing.writeHead(200, {
    "content-type": types[path.extname(file.slice(0, -".br".length))],
    "content-encoding": "br",
    "content-length": body.byteLength,
    // The name of a build file contains a hash of its content.
    "cache-control": "public, max-age=31536000, immutable",
    vary: "Accept-Encoding",
  });
  outgoing.end(method === "HEAD" ? undefined : body);
};
