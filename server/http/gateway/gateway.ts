import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import { maxBodyBytes } from "../../contract/body/form.ts";
import type { Reply } from "../../contract/endpoint.ts";
import { plainPage } from "../../contract/error-page.ts";
import { addressHeader } from "../../contract/headers.ts";
import type { NodeHandler } from "../../contract/node-handler.ts";
import { problemReply } from "../../contract/problem.ts";
import type { Config } from "../../deps/config.ts";
import type { Log, RequestInfo } from "../../deps/deps.ts";
import { DomainError, isDomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { isOwnUserAgent } from "../../kernel/own-agent.ts";
import type { AddressSet } from "../../kernel/text/ip-address.ts";
import { clientAddress } from "../client-address.ts";
import { hasHost, isDecodable, normalizeTarget, pathOf } from "../request-target.ts";
import { isOnAuthorizationPath, machineHeaders, setHeaders, setPageHeaders } from "../security-headers.ts";
import { answerWriter, endBehindBody, readNodeRequest } from "./node-request.ts";
import { matchRoute, type Route, type RouteMatch } from "./routes.ts";

export type GatewayOptions = {
  config: Pick<Config, "baseUrl" | "trustedProxies">;
  log: Log;
  routes: readonly Route[];
  /** Next's request handler; null in a process without pages */
  pages: NodeHandler | null;
  /** `BASE_URL/status/…` is answered by the status process */
  statusUrl: string | null;
  /** The refusal of a caller, before any work is done for it; null if it is admitted. */
  admit?: (ipAddress: string, pathname: string) => DomainError | null;
  /** @throws the refusal of a caller, before a page is rendered for it. */
  admitPage?: (info: RequestInfo) => void;
};

/**
 * Answers every request of a process. A path with a route file below app/ is answered by that handler without Next in
 * between; all other paths are answered by Next.
 */
export const createGateway = (options: GatewayOptions): NodeHandler => {
  const { config, log, routes, pages, statusUrl, admit } = options;
  const isHttps = config.baseUrl.startsWith("https:");
  const ownHost = new URL(config.baseUrl).host;
  // Computed once: setting these headers is a large part of the work of a small response.
  const writeAnswer = answerWriter(machineHeaders(isHttps, "/"));
  const writeAuthorizationAnswer = answerWriter(machineHeaders(isHttps, "/oauth/authorize"));
  const matches = new WeakMap<IncomingMessage, RouteMatch>();
  const plain = new Map(
    routes.filter(({ pattern }) => !pattern.includes("[")).map((route) => [route.pattern, { route, params: {} }]),
  );
  const answerRoute = getRequestListener(
    (request, { incoming }) => {
      const match = matches.get(incoming as IncomingMessage);
      if (!match) throw new Error("a request without its route");
      const handler = match.route.handlers[request.method];
      if (!handler) return wrongMethod(request, match.route, config.baseUrl);
      return handler(request, { params: Promise.resolve(match.params) });
    },
    {
      // An invalid request target.
      errorHandler(error) {
        if (error instanceof RequestError) return toResponse(badRequest(config.baseUrl));
        log.error({ err: error }, "fault");
        return toResponse(fault(config.baseUrl));
      },
    },
  );

  return async (incoming, outgoing) => {
    // The caller reset the connection: it can't get a response, and its address for the rate limit is gone.
    if (incoming.socket.remoteAddress === undefined) return void incoming.destroy();
    const address = setClientAddress(incoming, config.trustedProxies);
    incoming.url = normalizeTarget(incoming.url ?? "");
    const pathname = pathOf(incoming.url);
    if (pathname === null || !(hasHost(incoming) || isOldHealthCheck(incoming, pathname)))
      return send(outgoing, badRequest(config.baseUrl), isHttps);
    const refused = admit?.(address, pathname);
    if (refused) return send(outgoing, problemReply(refused, config.baseUrl), isHttps);
    if (statusUrl && /^\/status(\/|$)/.test(pathname)) {
      setHeaders(outgoing, machineHeaders(isHttps, pathname));
      outgoing.setHeader("x-request-id", newId("req"));
      const headers = { location: `${statusUrl}${incoming.url}`, "cache-control": "no-store", "content-length": "0" };
      return endBehindBody(outgoing.writeHead(307, headers), null);
    }
    const match = plain.get(pathname) ?? matchRoute(routes, pathname);
    if (match) {
      const answer = match.route.handlers[incoming.method ?? ""]?.answer;
      const request = answer ? readNodeRequest(incoming, `http://${ownHost}`) : null;
      if (answer && request) {
        const write = isOnAuthorizationPath(pathname) ? writeAuthorizationAnswer : writeAnswer;
        return answer(request).then(
          (given) => write(outgoing, given),
          (error: unknown) => {
            log.error({ err: error }, "fault");
            return send(outgoing, fault(config.baseUrl), isHttps);
          },
        );
      }
      setHeaders(outgoing, machineHeaders(isHttps, pathname));
      // Handlers get URLs on our own host: the caller's Host isn't always one that `URL` accepts.
      incoming.headers.host = ownHost;
      matches.set(incoming, match);
      return answerRoute(incoming, outgoing);
    }
    // The route's handler refuses a large body itself, in its own error shape.
    if (Number(incoming.headers["content-length"] ?? 0) > maxBodyBytes) {
      return send(outgoing, refusal(pathname, "body_too_large", config.baseUrl), isHttps);
    }
    if (!pages || isMachinePath(pathname)) {
      const reply = refusal(pathname, "not_found", config.baseUrl);
      log.info({ status: reply.status, path: loggedPath(pathname) }, "unknown path");
      return send(outgoing, reply, isHttps);
    }
    if (!isDecodable(pathname)) return send(outgoing, badRequest(config.baseUrl), isHttps);
    if (incoming.method !== "GET" && incoming.method !== "HEAD") {
      return send(outgoing, wrongPageMethod(config.baseUrl), isHttps);
    }
    const info = { requestId: newId("req"), ipAddress: address, userAgent: "" };
    const overLimit = isBuilt(pathname) ? null : refusalOf(() => options.admitPage?.(info));
    if (overLimit) return send(outgoing, tooManyPages(overLimit, info), isHttps);
    logPage(log, { ...info, pathname }, { incoming, outgoing });
    setPageHeaders(incoming, outgoing, { pathname, isHttps });
    return pages(incoming, outgoing);
  };
};

/** Load balancers check health by HTTP/1.0, which has no Host header (RFC 9112 §3.2 requires it only in HTTP/1.1). */
const isOldHealthCheck = ({ httpVersion, headers }: IncomingMessage, pathname: string): boolean =>
  httpVersion === "1.0" && headers.host === undefined && /^\/(?:healthz|readyz)$/.test(pathname);

/** Served from a file: no page is rendered for it. */
const isBuilt = (pathname: string): boolean => pathname.startsWith("/_next/static/") || pathname === "/icon.svg";

/** @returns the domain error that `admit` throws, else null. */
const refusalOf = (admit: () => void): DomainError | null => {
  try {
    admit();
    return null;
  } catch (error) {
    if (isDomainError(error)) return error;
    throw error;
  }
};

const tooManyPages = ({ message, headers }: DomainError, { requestId }: Pick<RequestInfo, "requestId">): Reply => {
  const page = plainPage({ status: 429, title: "Too many requests", text: message, note: requestId });
  return { ...page, headers: { ...page.headers, ...headers } };
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
  const isAside =
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
    if (isAside) log.debug(line, "page");
    else log.info(line, "page");
  });
};

/** The path without secrets, such as the handle of a consent page. */
const loggedPath = (pathname: string): string => pathname.slice(0, 200).replace(/[A-Za-z0-9_-]{32,}/g, "…");

/**
 * Sets the caller's address from the socket and trusted proxies, and drops a header of that name that the caller sent.
 */
const setClientAddress = (incoming: IncomingMessage, trustedProxies: AddressSet): string => {
  const forwardedFor = incoming.headers["x-forwarded-for"];
  const address = clientAddress(incoming.socket.remoteAddress, forwardedFor?.toString(), trustedProxies);
  for (let index = incoming.rawHeaders.length - 2; index >= 0; index -= 2) {
    const name = incoming.rawHeaders[index];
    const isOurs = name?.length === addressHeader.length && name.toLowerCase() === addressHeader;
    if (isOurs) incoming.rawHeaders.splice(index, 2);
  }
  incoming.rawHeaders.push(addressHeader, address);
  incoming.headers[addressHeader] = address;
  return address;
};

/** Paths for programs: an unknown path below them is answered with an error body, not with a page. */
const oauthPaths = /^\/(oauth|\.well-known)(\/|$)/;
const problemPaths = /^\/(merchant_test|processors|api|billing|directory\/v1|status\/v1|sandbox)(\/|$)/;
const isMachinePath = (pathname: string): boolean => oauthPaths.test(pathname) || problemPaths.test(pathname);

const texts = {
  not_found: { kind: "not_found", message: "This path doesn't exist. Check the path and the method." },
  body_too_large: { kind: "invalid", message: "The body is larger than 64 KiB. Send a smaller one." },
} as const;

const refusal = (pathname: string, code: keyof typeof texts, baseUrl: string): Reply => {
  const { kind, message } = texts[code];
  return inShapeOf(pathname, new DomainError(kind, code, message), baseUrl);
};

const inShapeOf = (pathname: string, error: DomainError, baseUrl: string): Reply => {
  const problem = problemReply(error, baseUrl);
  if (!oauthPaths.test(pathname)) return problem;
  return {
    status: problem.status,
    headers: { "cache-control": "no-store" },
    body: { error: "invalid_request", error_description: error.message },
  };
};

const toResponse = ({ status, headers, contentType, body }: Reply): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { ...headers, "content-type": contentType ?? "application/json", "x-request-id": newId("req") },
  });

const badRequest = (baseUrl: string): Reply =>
  problemReply(new DomainError("invalid", "invalid_request", "Invalid Host header or request target."), baseUrl);

const fault = (baseUrl: string): Reply =>
  problemReply(
    new DomainError(
      "unavailable",
      "server_error",
      "An unexpected error occurred on our side. Try again. If it persists, report the X-Request-Id.",
    ),
    baseUrl,
  );

const send = (outgoing: ServerResponse, reply: Reply, isHttps: boolean): Promise<void> => {
  setHeaders(outgoing, machineHeaders(isHttps, pathOf(outgoing.req.url ?? "")));
  setHeaders(outgoing, reply.headers ?? {});
  outgoing.setHeader("x-request-id", newId("req"));
  outgoing.setHeader("content-type", reply.contentType ?? "application/json");
  const text = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body);
  outgoing.setHeader("content-length", Buffer.byteLength(text));
  endBehindBody(outgoing.writeHead(reply.status), text);
  return Promise.resolve();
};

/** Pages take GET and HEAD only; forms are sent to routes (RFC 9110 §15.5.6). */
const wrongPageMethod = (baseUrl: string): Reply =>
  problemReply(
    new DomainError("invalid", "method_not_allowed", "This path supports only GET and HEAD.", {
      headers: { allow: "GET, HEAD" },
    }),
    baseUrl,
  );

/** RFC 9110 §15.5.6. Route files made by `mount` answer 405 themselves. */
const wrongMethod = async (request: Request, { pattern, handlers }: Route, baseUrl: string): Promise<Response> => {
  const told = await handlers["OPTIONS"]?.(request, { params: Promise.resolve({}) });
  const allow = told?.headers.get("allow") ?? Object.keys(handlers).join(", ");
  const error = new DomainError("invalid", "method_not_allowed", `This path supports only ${allow}.`);
  const reply = inShapeOf(pattern, error, baseUrl);
  return toResponse({ ...reply, headers: { ...reply.headers, allow } });
};
