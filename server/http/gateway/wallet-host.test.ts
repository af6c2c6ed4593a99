import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { withWalletHost } from "./wallet-host.ts";

const baseUrl = "https://pay.example";
const walletUrl = "https://wallet.example";

type Sent = { host: string; url: string; method?: string; walletUrl?: string };

/** @returns where the response redirects to; null if the gateway gets the request. */
const redirected = async (sent: Sent): Promise<unknown> => (await send(sent)).location;

const send = async ({ host, url, method = "GET", ...own }: Sent) => {
  let location: unknown = null;
  const headers: Record<string, unknown> = {};
  const lines: object[] = [];
  const log = { debug() {}, info: (line: object) => lines.push(line), warn() {}, error() {}, request() {} };
  const outgoing = {
    setHeader(name: string, value: unknown) {
      headers[name] = value;
      return outgoing;
    },
    writeHead: (_status: number, fields: OutgoingHttpHeaders) => {
      location = fields["location"];
      return outgoing;
    },
    end: () => outgoing,
  };
  const incoming = { headers: { host }, url, method } as IncomingMessage;
  const handler = withWalletHost(async () => {}, { baseUrl, walletUrl, ...own }, log);
  await handler(incoming, outgoing as unknown as ServerResponse);
  return { location, headers, lines };
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

test("a redirect has a request id; its log line has this id, and the path without secrets", async () => {
  const handle = "Vr0YtS3cPzq1mW8kXa5nLd7uGh2eJb4fTi6oRw9yQ0A";
  const { headers, lines } = await send({ host: "pay.example", url: `/consent/${handle}?error=a` });
  const requestId = headers["x-request-id"];
  expect(requestId).toMatch(/^req_/);
  expect(lines).toEqual([{ requestId, method: "GET", path: "/consent/…", status: 307 }]);
  expect((await send({ host: "pay.example", url: "/docs" })).lines).toEqual([]);
});
