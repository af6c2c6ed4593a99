import { createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PaymentRequest, Processor } from "../deps/processor-port.ts";
import { createSimulatorProcessor } from "./simulator/simulator-processor.ts";
import { createStripeProcessor } from "./stripe/stripe-processor.ts";

/** Never answers, so that a TLS connection is never established. */
let silent: Server;
let url: string;
const sockets = new Set<Socket>();
beforeAll(async () => {
  silent = createServer((socket) => void sockets.add(socket.on("error", () => {})));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const address = silent.address();
  url = `https://127.0.0.1:${address && typeof address === "object" ? address.port : 0}`;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => silent.close(resolve));
});

const payment: PaymentRequest = {
  key: "k",
  chargeId: "chg_1",
  account: "acct_1",
  paymentMethodRef: "pm_card_visa",
  amountMinor: 100n,
  currency: "EUR",
  capture: "automatic",
  payerPresence: "in_session",
  simulate: null,
};

test.concurrent.each<[string, () => Processor]>([
  ["simulator", () => createSimulatorProcessor({ url, key: "k" })],
  [
    "stripe",
    () => createStripeProcessor({ secretKey: "sk_test_1", webhookSecret: "whsec_1", returnUrl: url, apiUrl: url }),
  ],
])(
  "%s: a connection attempt times out after 2 s, before the call's limit of 8 s, and the result is not_sent (docs/spec/payments.md, Processors)",
  async (_name, connect) => {
    const startedAt = performance.now();
    expect(await connect().pay(payment)).toEqual({ kind: "not_sent" });
    const took = performance.now() - startedAt;
    expect(took).toBeGreaterThan(1_900);
    expect(took).toBeLessThan(7_000);
  },
);

test.concurrent.each<[string, (address: string) => Processor]>([
  ["simulator", (address) => createSimulatorProcessor({ url: address, key: "k" })],
  [
    "stripe",
    (address) =>
      createStripeProcessor({ secretKey: "sk_test_1", webhookSecret: "whsec_1", returnUrl: address, apiUrl: address }),
  ],
])(
  "%s: a call times out after 8 s, and its result is unknown (docs/spec/payments.md, Processors)",
  async (_name, connect) => {
    const startedAt = performance.now();
    expect(await connect(url.replace("https:", "http:")).pay(payment)).toEqual({ kind: "unknown" });
    const took = performance.now() - startedAt;
    expect(took).toBeGreaterThan(7_900);
    expect(took).toBeLessThan(14_000);
  },
  30_000,
);
