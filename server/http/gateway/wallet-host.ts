import type { IncomingMessage, ServerResponse } from "node:http";
import type { NodeHandler } from "../../contract/node-handler.ts";
import type { Config } from "../../deps/config.ts";
import type { Log } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";
import { normalizeTarget, pathOf } from "../request-target.ts";
import { machineHeaders, setHeaders } from "../security-headers.ts";
import { loggedPath } from "./logged-path.ts";

/** The portals, and the pages that read or write the session. */
const walletPage =
  /^\/(?:wallet|merchant|operator|sign-in|sign-up|reset|consent|email-change|invitations|notifications)(?:[/?]|$)/;
const sitePage = /^\/(?:docs|pricing|directory|demo)(?:[/?]|$)/;

type Redirect = { incoming: IncomingMessage; outgoing: ServerResponse; location: string };

const redirect = ({ incoming, outgoing, location }: Redirect, log: Log): void => {
  const requestId = newId("req");
  const pathname = pathOf(normalizeTarget(incoming.url ?? "")) ?? "";
  const path = loggedPath(pathname);
  log.info({ requestId, method: incoming.method, path, status: 307 }, "redirect to the host of the page");
  setHeaders(outgoing, machineHeaders(location.startsWith("https:"), pathname));
  outgoing.setHeader("x-request-id", requestId);
  // Browsers must not store the redirect, because the setting can change.
  outgoing.writeHead(307, { location, "cache-control": "no-store", "content-length": 0 }).end();
};

/**
 * If WALLET_URL has its own host, redirects pages to the host that they belong to. The session cookie is for one host
 * only, so a portal at BASE_URL would ask the payer to sign in again. Endpoints answer on both hosts.
 */
export const withWalletHost = (
  handler: NodeHandler,
  { baseUrl, walletUrl }: Pick<Config, "baseUrl" | "walletUrl">,
  log: Log,
): NodeHandler => {
  const [baseHost, walletHost] = [new URL(baseUrl).host, new URL(walletUrl).host];
  if (walletHost === baseHost) return handler;
  const locationOf = (host: string | undefined, target: string): string | null => {
    if (host === baseHost && walletPage.test(target)) return `${walletUrl}${target}`;
    if (host !== walletHost) return null;
    if (target === "/") return `${walletUrl}/wallet`;
    return sitePage.test(target) ? `${baseUrl}${target}` : null;
  };
  return async (incoming, outgoing) => {
    const isRead = incoming.method === "GET" || incoming.method === "HEAD";
    const location = isRead
      ? locationOf(incoming.headers.host?.toLowerCase(), normalizeTarget(incoming.url ?? ""))
      : null;
    if (location === null) return handler(incoming, outgoing);
    return redirect({ incoming, outgoing, location }, log);
  };
};
