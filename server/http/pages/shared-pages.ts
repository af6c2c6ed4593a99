import { randomBytes } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip as gzipWithCallback } from "node:zlib";
import { acceptsGzip } from "../../contract/accept.ts";
import type { NodeHandler } from "../../contract/node-handler.ts";
import { RecentMap } from "../../platform/limits/recent-map.ts";
import { pathOf } from "../request-target.ts";
import { renderKept } from "./kept-response.ts";

const gzip = promisify(gzipWithCallback);

/**
 * Pages that are the same for every reader: they read no session, no query and no cookie except the theme. A page that
 * reads anything else from its request must not be listed here.
 */
const isShared = (pathname: string): boolean => /^\/(?:demo(?:\/return)?|docs(?:\/[\w./-]+)?)?$/.test(pathname);

/** About 60 kB each. Paths that have no page are not kept, so that requests can't fill the cache with such paths. */
const capacity = 400;

type Options = {
  /** the host of BASE_URL: pages may redirect readers who use another host */
  ownHost: string;
  /** other content of these pages that can change while the process runs, such as the sandbox's clock */
  variant(): Promise<string>;
};

/** `parts` are joined by the nonce of each response. */
type Page = { status: number; headers: OutgoingHttpHeaders; parts: readonly Buffer[] };

/**
 * Renders each shared page once per process, host and theme, and inserts the nonce of each request. Rendering takes
 * milliseconds of the event loop that also serves tokens and charges, so readers must not be able to repeat it.
 * Next's own requests for these pages (`rsc`) get the document too: its router then loads the page as a browser does.
 */
export const sharePages = (pages: NodeHandler, { ownHost, variant }: Options): NodeHandler => {
  const rendered = new RecentMap<Promise<Page>>(capacity);
  // Unpredictable, so that no page contains it by chance.
  const placeholder = randomBytes(18).toString("base64");
  const pageOf = (key: string, render: () => Promise<Page>): Promise<Page> => {
    const known = rendered.get(key);
    if (known) return known;
    const fresh = render();
    rendered.set(key, fresh);
    const forget = () => rendered.delete(key);
    fresh.then(({ status }) => (status === 200 || status === 307 ? undefined : forget()), forget);
    return fresh;
  };
  return async (incoming, outgoing) => {
    const pathname = pathOf(incoming.url ?? "") ?? "";
    if (!isShared(pathname)) return pages(incoming, outgoing);
    const host = incoming.headers.host === ownHost ? ownHost : "other.invalid";
    const theme = /(?:^|;\s*)theme=(light|dark)(?=;|$)/.exec(incoming.headers.cookie ?? "")?.[1] ?? "";
    const key = JSON.stringify([pathname, host, theme, await variant()]);
    const cookie = theme && `theme=${theme}`;
    const page = await pageOf(key, () => renderPage(pages, { url: pathname, host, cookie, nonce: placeholder }));
    return writePage(incoming, outgoing, page);
  };
};

type Rendering = { url: string; host: string; cookie: string; nonce: string };

/** Next takes the nonce from the request's policy (security-headers.ts). */
const renderPage = async (pages: NodeHandler, { url, host, cookie, nonce }: Rendering): Promise<Page> => {
  const policy = `script-src 'nonce-${nonce}'`;
  const headers = { host, cookie, accept: "text/html", "content-security-policy": policy };
  const { body, ...page } = await renderKept(pages, { url, headers });
  return { ...page, parts: body.toString().split(nonce).map(Buffer.from) };
};

const writePage = async (
  { method, headers: { "accept-encoding": accepted, "content-security-policy": policy } }: IncomingMessage,
  outgoing: ServerResponse,
  { status, headers, parts }: Page,
): Promise<void> => {
  const [, nonce = ""] = /'nonce-([^']+)'/.exec(String(policy)) ?? [];
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) outgoing.setHeader(name, value);
  // The length of a compressed response is only known after compression, and HEAD may omit it (RFC 9110 §8.6).
  const isCompressed = acceptsGzip(accepted?.toString() ?? null);
  if (isCompressed) outgoing.setHeader("content-encoding", "gzip");
  if (method === "HEAD") {
    outgoing.writeHead(status).end();
    return;
  }
  const body = Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [Buffer.from(nonce), part])));
  // Compression runs on a different thread from the event loop.
  const sent = isCompressed ? await gzip(body, { level: 4 }) : body;
  outgoing.setHeader("content-length", sent.byteLength);
  outgoing.writeHead(status).end(sent);
};
