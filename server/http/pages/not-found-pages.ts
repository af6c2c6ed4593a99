import type { IncomingMessage, ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";
import type { NodeHandler } from "../../contract/node-handler.ts";
import { holdHead } from "../hold-head.ts";
import { pathOf } from "../request-target.ts";
import { type Kept, renderKept } from "./kept-response.ts";
import { notFoundHeader, notFoundParts } from "./not-found-parts.ts";

/** The parts that contain a path, the most specific first. The page of the whole site is always found. */
const partsOf = (pathname: string): string[] => [
  ...notFoundParts.filter((part) => pathname === part || pathname.startsWith(`${part}/`)),
  "/",
];

/** Next's document for a page that called `notFound()`. Its body is empty: the browser renders the page. */
const isEmptyDocument = ({ headers, body }: Pick<Kept, "headers" | "body">): boolean => {
  const text = headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
  return text.subarray(0, 1024).includes('id="__next_error__"');
};

/**
 * Makes "not found" pages readable without JavaScript. Next can't render the `not-found.tsx` of a page that called
 * `notFound()`: it sends an empty document with status 404. Such a document is replaced by a page with the content of
 * the same `not-found.tsx`.
 */
export const withNotFoundPages =
  (pages: NodeHandler): NodeHandler =>
  (incoming, outgoing) => {
    // Only `findReadable` sends it.
    delete incoming.headers[notFoundHeader];
    // Next's router renders these responses in the browser.
    if (incoming.headers.rsc !== undefined) return pages(incoming, outgoing);
    const pathname = pathOf(incoming.url ?? "") ?? "/";
    const isPart = notFoundParts.some((part) => pathname === `${part}/not-found`);
    holdNotFound(outgoing, { isPart, replace: (held) => findReadable(pages, { incoming, pathname, held }) });
    return pages(incoming, outgoing);
  };

type Request = { incoming: IncomingMessage; pathname: string; held: Kept };

/** @returns null if the page is readable, or no other one is. */
const findReadable = async (pages: NodeHandler, { incoming, pathname, held }: Request): Promise<Kept | null> => {
  if (!isEmptyDocument(held)) return null;
  const { "accept-encoding": _coding, ...headers } = incoming.headers;
  for (const part of partsOf(pathname)) {
    const page = await renderKept(pages, { url: incoming.url ?? "/", headers: { ...headers, [notFoundHeader]: part } });
    // A layout may redirect the reader, or call `notFound()` too.
    if ((page.status === 200 || page.status === 404) && !isEmptyDocument(page)) return page;
  }
  return null;
};

type Held = {
  /** whether this is one of the pages `not-found` itself */
  isPart: boolean;
  replace(held: Kept): Promise<Kept | null>;
};

/** Holds a document with status 404 back until it is complete. Every other response is sent as it is written. */
const holdNotFound = (outgoing: ServerResponse, { isPart, replace }: Held): void => {
  const send = {
    writeHead: outgoing.writeHead.bind(outgoing) as (status: number) => ServerResponse,
    write: outgoing.write.bind(outgoing) as (...args: unknown[]) => boolean,
    end: outgoing.end.bind(outgoing) as (...args: unknown[]) => ServerResponse,
    flushHeaders: outgoing.flushHeaders.bind(outgoing),
  };
  let chunks: Buffer[] | null = null;
  let hasBegun = false;
  let isReplaced = false;

  outgoing.writeHead = (status: number, ...rest: unknown[]) => {
    hasBegun = true;
    holdHead(outgoing, isPart && status === 200 ? 404 : status, rest);
    const isDocument = String(outgoing.getHeader("content-type") ?? "").startsWith("text/html");
    if (isReplaced || outgoing.statusCode !== 404 || !isDocument) return send.writeHead(outgoing.statusCode);
    // Next's compression writes the head again before each chunk, until it is sent.
    chunks ??= [];
    return outgoing;
  };
  const begin = () => {
    if (!hasBegun) outgoing.writeHead(outgoing.statusCode);
  };
  const keep = (chunk: unknown) => {
    if (typeof chunk === "string" || chunk instanceof Uint8Array) chunks?.push(Buffer.from(chunk as string));
  };
  outgoing.flushHeaders = () => {
    begin();
    if (!chunks) send.flushHeaders();
  };
  outgoing.write = (...args: unknown[]) => {
    begin();
    if (!chunks) return send.write(...args);
    keep(args[0]);
    return true;
  };
  outgoing.end = (...args: unknown[]) => {
    begin();
    if (!chunks) return send.end(...args);
    keep(args[0]);
    const held = { status: 404, headers: outgoing.getHeaders(), body: Buffer.concat(chunks) };
    chunks = null;
    isReplaced = true;
    const finish = (page: Kept | null) => {
      if (page) setDocument(outgoing, page);
      send.writeHead(404);
      send.end(page?.body ?? held.body);
    };
    replace(held).then(finish, () => finish(null));
    return outgoing;
  };
};

/** Takes over the headers of another document. */
const setDocument = (outgoing: ServerResponse, { headers }: Kept): void => {
  for (const name of ["content-encoding", "content-length", "etag"]) outgoing.removeHeader(name);
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && name !== "content-length") outgoing.setHeader(name, value);
  }
};
