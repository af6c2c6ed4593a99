import Stripe from "stripe";
import type { Capabilities, PaymentOutcome, PaymentRequest, Processor } from "../../deps/processor-port.ts";
import { ofAccounts, stripeAccounts } from "./accounts.ts";
import { ofPlatform, stripeCardSetups } from "./card-setups.ts";
import { createPayment } from "./create-payment.ts";
import { readStripeEvent } from "./events.ts";
import { findStripeDispute } from "./find-dispute.ts";
import { type Admits, createStripeHttpClient, ofMerchant } from "./http-client.ts";
import { listStripeRefunds } from "./list-refunds.ts";
import { lookUpStripePayment } from "./look-up-payment.ts";
import { ofOwnAccount, stripeOwnAccount } from "./own-account.ts";
import { usableAt } from "./payment-method.ts";
import { stripeOperations } from "./stripe-operations.ts";
import { stripeAmountSteps, stripeCurrencies } from "./units.ts";

const capabilities: Capabilities = {
  separateCapture: true,
  partialCapture: true,
  refund: true,
  lookupByKey: false,
  webhooks: true,
  lateRefundFailures: true,
  currencies: stripeCurrencies,
  amountSteps: stripeAmountSteps,
};

export type StripeProcessorOptions = {
  secretKey: string;
  webhookSecret: string;
  /** the page to which a payer returns after authenticating */
  returnUrl: string;
  /** for tests: the URL of a stand-in for api.stripe.com */
  apiUrl?: string;
  /** docs/spec/payments.md, Processors: calls time out after 8 s, connections after 2 s */
  connectMs?: number;
  totalMs?: number;
};

/**
 * Direct charges on the merchant's own connected account. Only merchants' payments of invoices go to our own account.
 * Every fault is an outcome: nothing is guessed.
 */
export const createStripeProcessor = (options: StripeProcessorOptions): Processor => {
  const stripe = connect(options, ofMerchant);
  return {
    name: "stripe",
    capabilities,
    pay: (request) => pay(stripe, options, request),
    lookup: (request) => lookUpStripePayment(stripe, request),
    listRefunds: (request) => listStripeRefunds(stripe, request),
    findDispute: (request) => findStripeDispute(stripe, request),
    readEvent: (message) => readStripeEvent(stripe, options.webhookSecret, message),
    cardSetups: stripeCardSetups(connect(options, ofPlatform)),
    ownAccount: stripeOwnAccount(connect(options, ofOwnAccount)),
    accounts: stripeAccounts(connect(options, ofAccounts)),
    ...stripeOperations(stripe),
  };
};

const longestMs = 8_000;

const connect = (
  { secretKey, apiUrl, connectMs = 2_000, totalMs = longestMs }: StripeProcessorOptions,
  admits: Admits,
): Stripe => {
  const address = apiUrl === undefined ? null : new URL(apiUrl);
  return new Stripe(secretKey, {
    telemetry: false,
    // Our code repeats requests, within one deadline.
    maxNetworkRetries: 0,
    httpClient: createStripeHttpClient({ connectMs, totalMs }, admits),
    ...(address
      ? { host: address.hostname, port: address.port, protocol: address.protocol === "https:" ? "https" : "http" }
      : {}),
  });
};

const pay = async (
  stripe: Stripe,
  { returnUrl, totalMs = longestMs }: StripeProcessorOptions,
  request: PaymentRequest,
): Promise<PaymentOutcome> => {
  const isPresent = request.payerPresence === "in_session";
  const deadline = performance.now() + totalMs;
  const method = await usableAt(stripe, request, totalMs);
  if ("outcome" in method) return method.outcome;
  const timeout = Math.floor(deadline - performance.now());
  if (timeout <= 0) return { kind: "not_sent" };
  return createPayment(stripe, request, {
    parameters: {
      payment_method: method.id,
      capture_method: request.capture,
      metadata: { charge_id: request.chargeId },
      // An absent payer can't authenticate, so the payment is declined immediately.
      ...(isPresent ? { return_url: returnUrl } : { off_session: true }),
    },
    options: { stripeAccount: request.account, timeout },
  });
};
