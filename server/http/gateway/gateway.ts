import type { IncomingMessage } from "node:http";
import { addressHeader } from "../../contract/headers.ts";
import type { NodeHandler } from "../../contract/node-handler.ts";
import { problemReply } from "../../contract/problem.ts";
import { newId } from "../../kernel/ids.ts";
import type { AddressSet } from "../../kernel/text/ip-address.ts";
import { clientAddress } from "../client-address.ts";
import { hasHost, normalizeTarget, pathOf } from "../request-target.ts";
import { machineHeaders, setHeaders } from "../security-headers.ts";
import { pageAnswerer } from "./answer-page.ts";
import { routeAnswerer } from "./answer-route.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { loggedPath } from "./logged-path.ts";
import { endAfterBody } from "./node-request.ts";
import { badRequest, sendReply } from "./replies.ts";
import { matchRoute, type Route, type RouteMatch } from "./routes.ts";

/**
 * Answers every request of a process. A path with a route file below app/ is answered by that file's handler without
 * Next in between. Pages are answered by Next. Other paths get an error or a redirect.
 */
export const createGateway = (options: GatewayOptions): NodeHandler => {
  const { config, log, routes, statusUrl, admit } = options;
  const isHttps = config.baseUrl.startsWith("https:");
  const findRoute = routeFinder(routes);
  const answerRoute = routeAnswerer(options, isHttps);
  const answerPage = pageAnswerer(options, isHttps);

  return async (incoming, outgoing) => {
    // The caller reset the connection: it can't get a response, and its IP address is no longer available for the rate
    // limit.
    if (incoming.socket.remoteAddress === undefined) return void incoming.destroy();
    const ipAddress = setClientAddress(incoming, config.trustedProxies);
    incoming.url = normalizeTarget(incoming.url ?? "");
    const pathname = pathOf(incoming.url);
    if (pathname === null || !(hasHost(incoming) || isOldHealthCheck(incoming, pathname))) {
      return sendReply(outgoing, badRequest(config.baseUrl), isHttps);
    }
    const refused = admit?.(ipAddress, pathname);
    if (refused) return sendReply(outgoing, problemReply(refused, config.baseUrl), isHttps);
    if (statusUrl && /^\/status(\/|$)/.test(pathname)) {
      setHeaders(outgoing, machineHeaders(isHttps, pathname));
      const requestId = newId("req");
      const path = loggedPath(pathname);
      log.info({ requestId, method: incoming.method, path, status: 307 }, "redirect to the status page");
      outgoing.setHeader("x-request-id", requestId);
      const headers = { location: `${statusUrl}${incoming.url}`, "cache-control": "no-store", "content-length": "0" };
      return endAfterBody(outgoing.writeHead(307, headers), null);
    }
    const match = findRoute(pathname);
    if (match) return answerRoute({ incoming, outgoing, pathname, match });
    return answerPage({ incoming, outgoing, pathname, ipAddress });
  };
};

/** Paths without parameters are found in a map, before the list is searched. */
const routeFinder = (routes: readonly Route[]) => {
  const plain = new Map<string, RouteMatch>(
    routes.filter(({ pattern }) => !pattern.includes("[")).map((route) => [route.pattern, { route, params: {} }]),
  );
  return (pathname: string): RouteMatch | null => plain.get(pathname) ?? matchRoute(routes, pathname);
};

/** Load balancers check health by HTTP/1.0, which has no Host header (RFC 9112 §3.2 requires it only in HTTP/1.1). */
const isOldHealthCheck = ({ httpVersion, headers }: IncomingMessage, pathname: string): boolean =>
  httpVersion === "1.0" && headers.host === undefined && /^\/(?:healthz|readyz)$/.test(pathname);

/**
 * Writes the caller's IP address, read from the socket and trusted proxies, into our own header. Drops this header if
 * the caller sent it.
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
