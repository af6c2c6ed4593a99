import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { withWalletHost } from "./wallet-host.ts";

const baseUrl = "https://pay.example";
const walletUrl = "https://wallet.example";

type Sent = { host: string; url: string; method?: string; walletUrl?: string };

/** @returns where the response redirects to; null if the gateway gets the request. */
const redirected = async ({ host, url, method = "GET", ...own }: Sent): Promise<unknown> => {
  let location: unknown = null;
  const outgoing = {
    setHeader: () => outgoing,
    writeHead: (_status: number, fields: OutgoingHttpHeaders) => {
      location = fields["location"];
      return outgoing;
    },
    end: () => outgoing,
  };
  const incoming = { headers: { host }, url, method } as IncomingMessage;
  await withWalletHost(async () => {}, { baseUrl, walletUrl, ...own })(incoming, outgoing as unknown as ServerResponse);
  return location;
};

test.each([
  ["a portal's page", { host: "pay.example", url: "/wallet/activity?page=2" }, `${walletUrl}/wallet/activity?page=2`],
  ["a host in capitals", { host: "PAY.example", url: "/merchant" }, `${walletUrl}/merchant`],
  [
    "the sign-in page",
    { host: "pay.example", url: "/sign-in?return_to=%2Fwallet" },
    `${walletUrl}/sign-in?return_to=%2Fwallet`,
  ],
  ["dot segments", { host: "pay.example", url: "/docs/%2e%2e/wallet" }, `${walletUrl}/wallet`],
  ["a form", { host: "pay.example", url: "/sign-in", method: "POST" }, null],
  ["an endpoint with a similar name", { host: "pay.example", url: "/merchant_test/charges" }, null],
  ["another page of the issuer", { host: "pay.example", url: "/docs" }, null],
  ["the root of the wallet's host", { host: "wallet.example", url: "/" }, `${walletUrl}/wallet`],
  ["a portal's page on the wallet's host", { host: "wallet.example", url: "/wallet" }, null],
  ["a public page on the wallet's host", { host: "wallet.example", url: "/docs/errors" }, `${baseUrl}/docs/errors`],
  ["a file on the wallet's host", { host: "wallet.example", url: "/_next/static/a.js" }, null],
  ["another host", { host: "cdn.example", url: "/wallet" }, null],
  ["no host of its own", { host: "pay.example", url: "/wallet", walletUrl: baseUrl }, null],
])("%s", async (_name, sent, expected) => {
  expect(await redirected(sent)).toBe(expected);
});
