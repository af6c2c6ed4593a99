import type { IncomingMessage, ServerResponse } from "node:http";
import { maxBodyBytes } from "../../contract/body/form.ts";
import type { Reply } from "../../contract/endpoint.ts";
import { pageAddressHeader } from "../../contract/headers.ts";
import type { Log, RequestInfo } from "../../deps/deps.ts";
import { type DomainError, isDomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { isOwnUserAgent } from "../../kernel/requests/own-agent.ts";
import { isDecodable } from "../request-target.ts";
import { setPageHeaders } from "../security-headers.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { loggedPath } from "./logged-path.ts";
import { badRequest, isMachinePath, refusalAt, sendReply, tooManyPages, wrongPageMethod } from "./replies.ts";

type PageRequest = { incoming: IncomingMessage; outgoing: ServerResponse; pathname: string; ipAddress: string };

/** Answers paths without a route file: pages by Next, everything else with an error. */
export const pageAnswerer = (options: GatewayOptions, isHttps: boolean) => {
  const { config, pages, log, assetPrefix = "" } = options;
  const { baseUrl } = config;
  return ({ incoming, outgoing, pathname, ipAddress }: PageRequest): Promise<void> => {
    const refuse = (reply: Reply) => sendReply(outgoing, reply, isHttps);
    // If a path has a route file, its handler refuses a large body, in the handler's own error shape.
    if (Number(incoming.headers["content-length"] ?? 0) > maxBodyBytes) {
      return refuse(refusalAt(pathname, "body_too_large", baseUrl));
    }
    if (!pages || isMachinePath(pathname)) {
      const reply = refusalAt(pathname, "not_found", baseUrl);
      log.info({ status: reply.status, path: loggedPath(pathname) }, "unknown path");
      return refuse(reply);
    }
    if (!isDecodable(pathname)) return refuse(badRequest(baseUrl));
    if (incoming.method !== "GET" && incoming.method !== "HEAD") return refuse(wrongPageMethod(baseUrl));
    const info = { requestId: newId("req"), ipAddress, userAgent: "" };
    const overLimit = isBuilt(pathname) ? null : findRefusal(() => options.admitPage?.(info));
    if (overLimit) return refuse(tooManyPages(overLimit, info));
    logPage(log, { ...info, pathname }, { incoming, outgoing });
    incoming.headers[pageAddressHeader] = incoming.url;
    setPageHeaders(incoming, outgoing, { pathname, isHttps, assetPrefix });
    return pages(incoming, outgoing);
  };
};

/** Whether the path is served from a file, so that no page is rendered. */
const isBuilt = (pathname: string): boolean => pathname.startsWith("/_next/static/") || builtFiles.has(pathname);

const builtFiles = new Set(["/icon.svg", "/favicon.ico", "/apple-icon.png", "/manifest.webmanifest"]);

/** @returns the domain error that `admit` throws, else null. */
const findRefusal = (admit: () => void): DomainError | null => {
  try {
    admit();
    return null;
  } catch (error) {
    if (isDomainError(error)) return error;
    throw error;
  }
};

/**
 * Pages have a request id like every other response. Requests that a browser makes for assets are logged at debug
 * level.
 */
const logPage = (
  log: Log,
  { requestId, pathname }: Pick<RequestInfo, "requestId"> & { pathname: string },
  { incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse },
): void => {
  const startedAt = performance.now();
  outgoing.setHeader("x-request-id", requestId);
  // An error page and the log entry of its error use this id. It replaces an id that the caller sent.
  incoming.headers["x-request-id"] = requestId;
  const isAsset =
    pathname.startsWith("/_next/") || pathname.includes(".") || incoming.headers["next-router-prefetch"] !== undefined;
  outgoing.once("finish", () => {
    const milliseconds = Math.round((performance.now() - startedAt) * 10) / 10;
    const { method } = incoming;
    const background = isOwnUserAgent(incoming.headers["user-agent"]) || undefined;
    const line = {
      requestId,
      method,
      path: loggedPath(pathname),
      status: outgoing.statusCode,
      milliseconds,
      background,
    };
    if (isAsset) log.debug(line, "page");
    else log.info(line, "page");
  });
};
