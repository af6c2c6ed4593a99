import type { NodeHandler } from "../../contract/node-handler.ts";
import type { Config } from "../../deps/config.ts";
import { normalizeTarget } from "../request-target.ts";
import { setHeaders } from "../security-headers.ts";

/** Load balancers check every host. */
const isHealthCheck = (target: string): boolean => /^\/(?:healthz|readyz)(?:\?|$)/.test(target);

/** The scripts, styles and fonts of the pages. */
const isPageAsset = (target: string): boolean => target.startsWith("/_next/static/");

/**
 * Pages on other hosts load these files. Browsers require these headers for fonts, and on some pages for every file.
 */
const crossOriginHeaders = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "timing-allow-origin": "*",
};

/**
 * If CDN_URL has its own host, serves the asset bundle and the files of the pages there: at the root, or below the path
 * of CDN_URL. A host whose root is the bundle serves only these files and health checks, so it never sends a page or a
 * cookie.
 */
export const withCdnHost = (
  handler: NodeHandler,
  { baseUrl, cdnUrl }: Pick<Config, "baseUrl" | "cdnUrl">,
): NodeHandler => {
  const { host, pathname } = new URL(cdnUrl);
  if (host === new URL(baseUrl).host) return handler;
  const prefix = pathname === "/" ? "" : pathname;
  const targetOf = (target: string): string => {
    if (prefix === "" && (isHealthCheck(target) || !target.startsWith("/"))) return target;
    if (!target.startsWith(`${prefix}/`)) return target;
    const path = target.slice(prefix.length);
    return isPageAsset(path) ? path : `/cdn${path}`;
  };
  return (incoming, outgoing) => {
    if (incoming.headers.host?.toLowerCase() === host) {
      incoming.url = targetOf(normalizeTarget(incoming.url ?? ""));
      if (isPageAsset(incoming.url)) setHeaders(outgoing, crossOriginHeaders);
    }
    return handler(incoming, outgoing);
  };
};
