import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { manifestSchema } from "#server/assets/manifest.wire.ts";

/** A shop's page and its callback page, at two origins of this machine, with the strictest policy that works. */
export type ShopSites = {
  /** the shop, whose callback page is at the same origin */
  origin: string;
  /** another origin with the same pages */
  otherOrigin: string;
  /** path of the page that has the button */
  shopPath(button: Record<string, string>): string;
  close(): void;
};

const scriptTags = async (cdnUrl: string): Promise<{ classic: string; module: string; badge: string }> => {
  const { files } = manifestSchema.parse(await (await fetch(`${cdnUrl}/manifest.json`)).json());
  const tag = (name: string, attributes: string) => {
    const file = files.find((one) => one.name === name);
    const address = `${cdnUrl}/${file?.path}`;
    return `<script ${attributes} src="${address}" integrity="${file?.integrity}" crossorigin="anonymous"></script>`;
  };
  return {
    classic: tag("paygrant.js", ""),
    module: tag("paygrant.mjs", 'type="module"'),
    badge: tag("status-badge.js", ""),
  };
};

/** No inline script or style, no other host, no strings as code. */
const policyOf = (cdnUrl: string): string =>
  [
    "default-src 'none'",
    `script-src ${cdnUrl}/assets/`,
    `connect-src ${cdnUrl}/v1/status-badge.json`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/**
 * `/shop` has the button with the attributes of the query, and the status badge; `/callback` loads the script and does
 * nothing else.
 */
export const openShopSites = async (cdnUrl: string): Promise<ShopSites> => {
  const { classic, module, badge } = await scriptTags(cdnUrl);
  const answer: RequestListener = (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://shop.invalid");
    const attributes = [...searchParams].map(([name, value]) => `${name}="${value}"`).join(" ");
    const shop = `<h1>The shop</h1><paygrant-button ${attributes}></paygrant-button>
      ${badge}<paygrant-status component="authorization_server"></paygrant-status>`;
    const body = pathname === "/shop" ? shop : "";
    const script = searchParams.get("mode") === "redirect" ? module : classic;
    // The callback page must not have this header, because the browser would then separate it from the shop.
    if (pathname === "/shop") response.setHeader("cross-origin-opener-policy", "same-origin-allow-popups");
    response
      .setHeader("content-type", "text/html; charset=utf-8")
      .setHeader("content-security-policy", policyOf(cdnUrl))
      .setHeader("cross-origin-embedder-policy", "require-corp")
      .end(`<!doctype html><html lang="en"><head><title>Shop</title>${script}</head><body>${body}</body></html>`);
  };
  const servers = [createServer(answer), createServer(answer)];
  const listen = (server: (typeof servers)[number]) =>
    new Promise<string>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
    });
  const [origin = "", otherOrigin = ""] = await Promise.all(servers.map(listen));
  return {
    origin,
    otherOrigin,
    shopPath: (button) => `/shop?${new URLSearchParams(button)}`,
    close: () => {
      for (const server of servers) server.close().closeAllConnections();
    },
  };
};
