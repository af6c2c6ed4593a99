import type { NodeHandler } from "../../contract/node-handler.ts";
import type { Config } from "../../deps/config.ts";
import { normalizeTarget } from "../request-target.ts";

/** The well-known path is inserted between host and path of the resource (RFC 9728 §3.1). */
const wellKnown = "/.well-known/oauth-protected-resource";
/** Paths that are served below `/directory`: the API, the log with its page, the federation, a participant's page. */
const belowDirectory = /^\/(?:v1\/|federation\/|\.well-known\/openid-federation|log(?:\/|$)|ptc_\w+$)/;

/** If DISCOVERY_URL has its own host, serves the paths below `/directory` and its metadata there. */
export const withDirectoryHost = (
  handler: NodeHandler,
  { baseUrl, discoveryUrl }: Pick<Config, "baseUrl" | "discoveryUrl">,
): NodeHandler => {
  const { host, pathname } = new URL(discoveryUrl);
  if (host === new URL(baseUrl).host) return handler;
  const prefix = pathname === "/" ? "" : pathname;
  const routeOf = (target: string): string => {
    const [path = ""] = target.split("?", 1);
    if (path === `${wellKnown}${prefix}`) return `${wellKnown}/directory${target.slice(path.length)}`;
    if (path === prefix || path === `${prefix}/`) return `/directory${target.slice(path.length)}`;
    return path.startsWith(prefix) && belowDirectory.test(path.slice(prefix.length))
      ? `/directory${target.slice(prefix.length)}`
      : target;
  };
  return (incoming, outgoing) => {
    if (incoming.headers.host?.toLowerCase() === host) incoming.url = routeOf(normalizeTarget(incoming.url ?? ""));
    return handler(incoming, outgoing);
  };
};
