import type { IncomingMessage, ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";
import type { NodeHandler } from "../../contract/node-handler.ts";
import { holdHead } from "../hold-head.ts";
import { pathOf } from "../request-target.ts";
import { holdPage } from "./hold-page.ts";
import { type Kept, renderKept } from "./kept-response.ts";
import { notFoundHeader, notFoundParts } from "./not-found-parts.ts";
import { replaceHead } from "./replace-head.ts";

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
 * the same `not-found.tsx`, or by the 503 of `withUnavailablePages` if the database fails while that page is rendered.
 */
export const withNotFoundPages =
  (pages: NodeHandler): NodeHandler =>
  (incoming, outgoing) => {
    // Only `findReadable` sends it.
    delete incoming.headers[notFoundHeader];
    // Next's router renders these responses in the browser.
    if (incoming.headers.rsc !== undefined) return pages(incoming, outgoing);
    const pathname = pathOf(incoming.url ?? "") ?? "/";
    const ownHeaders = outgoing.getHeaders();
    const isPart = notFoundParts.some((part) => pathname === `${part}/not-found`);
    if (isPart) sendAsNotFound(outgoing);
    holdPage(outgoing, {
      isHeld: () =>
        outgoing.statusCode === 404 && String(outgoing.getHeader("content-type") ?? "").startsWith("text/html"),
      async replace(body) {
        const held = { status: 404, headers: outgoing.getHeaders(), body };
        const page = await findReadable(pages, { incoming, pathname, held });
        if (page?.status === 503) replaceHead(outgoing, ownHeaders, page);
        else if (page) setDocument(outgoing, page);
        return page?.body ?? null;
      },
    });
    return pages(incoming, outgoing);
  };

type Request = { incoming: IncomingMessage; pathname: string; held: Kept };

/** @returns null if `held` is readable, or if no readable page is found; the 503 if the database is unavailable. */
const findReadable = async (pages: NodeHandler, { incoming, pathname, held }: Request): Promise<Kept | null> => {
  if (!isEmptyDocument(held)) return null;
  const { "accept-encoding": _coding, ...headers } = incoming.headers;
  for (const part of partsOf(pathname)) {
    const page = await renderKept(pages, { url: incoming.url ?? "/", headers: { ...headers, [notFoundHeader]: part } });
    if (page.status === 503) return page;
    // A layout may redirect the reader, or call `notFound()` too.
    if ((page.status === 200 || page.status === 404) && !isEmptyDocument(page)) return page;
  }
  return null;
};

/** Next renders the pages `not-found` themselves with status 200. */
const sendAsNotFound = (outgoing: ServerResponse): void => {
  const writeHead = outgoing.writeHead.bind(outgoing) as (status: number) => ServerResponse;
  outgoing.writeHead = (status: number, ...rest: unknown[]) => {
    holdHead(outgoing, status === 200 ? 404 : status, rest);
    return writeHead(outgoing.statusCode);
  };
};

/** Takes over the headers of another document. */
const setDocument = (outgoing: ServerResponse, { headers }: Kept): void => {
  for (const name of ["content-encoding", "content-length", "etag"]) outgoing.removeHeader(name);
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && name !== "content-length") outgoing.setHeader(name, value);
  }
};
