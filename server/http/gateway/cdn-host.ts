import type { NodeHandler } from "../../contract/node-handler.ts";
import type { Config } from "../../deps/config.ts";
import { normalizeTarget } from "../request-target.ts";

/** Load balancers check every host. */
const isHealthCheck = (target: string): boolean => /^\/(?:healthz|readyz)(?:\?|$)/.test(target);

/**
 * If CDN_URL has its own host, serves the asset bundle there: at the root, or below the path of CDN_URL. A host whose
 * root is the bundle serves nothing else, so that no page and no cookie is ever on it.
 */
export const withCdnHost = (
  handler: NodeHandler,
  { baseUrl, cdnUrl }: Pick<Config, "baseUrl" | "cdnUrl">,
): NodeHandler => {
  const { host, pathname } = new URL(cdnUrl);
  if (host === new URL(baseUrl).host) return handler;
  const prefix = pathname === "/" ? "" : pathname;
  const targetOf = (target: string): string => {
    if (prefix === "") return isHealthCheck(target) || !target.startsWith("/") ? target : `/cdn${target}`;
    return target.startsWith(`${prefix}/`) ? `/cdn${target.slice(prefix.length)}` : target;
  };
  return (incoming, outgoing) => {
    if (incoming.headers.host?.toLowerCase() === host) incoming.url = targetOf(normalizeTarget(incoming.url ?? ""));
    return handler(incoming, outgoing);
  };
};
