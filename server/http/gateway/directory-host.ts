import type { NodeHandler } from "../../contract/node-handler.ts";
import type { Config } from "../../deps/config.ts";
import { normalizeTarget } from "../request-target.ts";

/** The well-known part goes between host and path of the resource (RFC 9728 §3.1). */
const wellKnown = "/.well-known/oauth-protected-resource";
/** Beginnings of the directory's own paths. */
const own = ["/v1/", "/log/", "/federation/", "/.well-known/openid-federation"];

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
    return own.some((start) => path.startsWith(`${prefix}${start}`))
      ? `/directory${target.slice(prefix.length)}`
      : target;
  };
  return (incoming, outgoing) => {
    if (incoming.headers.host?.toLowerCase() === host) incoming.url = routeOf(normalizeTarget(incoming.url ?? ""));
    return handler(incoming, outgoing);
  };
};
