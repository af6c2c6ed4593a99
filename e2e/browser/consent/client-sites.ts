import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { makeSelfSigned } from "../../support/peers/self-signed.ts";

/** A domain whose subdomains resolve to this machine (`--host-resolver-rules` in playwright.config.ts). */
export const shopDomain = "shop.example";

export type ClientSites = {
  ports: { plain: number; other: number; secure: number };
  /** the query of each request to a callback */
  arrivals: URLSearchParams[];
  close(): void;
};

const page = (title: string, script = "") =>
  `<!doctype html><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><script>${script}</script>`;

/** Sends the authorization response to the page that opened this window. */
const notifyOpener = "window.opener?.postMessage(location.search, '*')";

/**
 * A client's origins on this machine: HTTP at two ports of 127.0.0.1 and [::1], and HTTPS. `/callback` redirects to
 * `next`, and `/slow-callback` waits before it answers.
 */
export const openClientSites = async (next: () => string | null = () => null): Promise<ClientSites> => {
  const arrivals: URLSearchParams[] = [];
  const answer: RequestListener = (request, response) => {
    const url = new URL(request.url ?? "/", "http://client.invalid");
    const isCallback = url.pathname.endsWith("callback");
    if (isCallback) arrivals.push(url.searchParams);
    const location = isCallback ? next() : null;
    if (location) return void response.writeHead(302, { location }).end();
    response.setHeader("content-type", "text/html");
    const html = url.pathname === "/shop" ? page("The shop") : page("Back at the agent", notifyOpener);
    setTimeout(() => response.end(html), url.pathname === "/slow-callback" ? 1_500 : 0);
  };
  const secure = createTlsServer(makeSelfSigned(shopDomain), answer);
  const [plain, other] = [createServer(answer), createServer(answer)];
  const listen = (server: typeof plain | typeof secure) =>
    new Promise<number>((resolve, reject) => {
      server.once("error", reject);
      // Listens on IPv4 and, if the machine has it, on IPv6.
      server.listen(0, () => resolve((server.address() as AddressInfo).port));
    });
  const servers = [plain, other, secure];
  const [plainPort = 0, otherPort = 0, securePort = 0] = await Promise.all(servers.map(listen));
  return {
    ports: { plain: plainPort, other: otherPort, secure: securePort },
    arrivals,
    close: () => {
      for (const server of servers) server.close().closeAllConnections();
    },
  };
};
