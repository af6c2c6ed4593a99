import Stripe from "stripe";
import type {
  Capabilities,
  LookupOutcome,
  LookupRequest,
  PaymentOutcome,
  PaymentRequest,
  Processor,
} from "../../deps/processor-port.ts";
import { ofAccounts, stripeAccounts } from "./accounts.ts";
import { ofPlatform, stripeCardSetups } from "./card-setups.ts";
import { readStripeEvent } from "./events.ts";
import { findStripeDispute } from "./find-dispute.ts";
import { type Admits, createStripeHttpClient, ofMerchant } from "./http-client.ts";
import { listStripeRefunds } from "./list-refunds.ts";
import { faultOf, toDeclinedPayment, toLookupOutcome, toPaymentOutcome } from "./outcomes.ts";
import { usableAt } from "./payment-method.ts";
import { stripeOperations } from "./stripe-operations.ts";
import { fromStripeUnits, stripeAmountSteps, stripeCurrencies, toStripeUnits } from "./units.ts";

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
  /** an address instead of api.stripe.com, for tests */
  apiUrl?: string;
  /** docs/spec/payments.md, Processors: calls time out after 8 s, connections after 2 s */
  connectMs?: number;
  totalMs?: number;
};

/** Direct charges on the merchant's own connected account. Every fault is an outcome: nothing is guessed. */
export const createStripeProcessor = (options: StripeProcessorOptions): Processor => {
  const stripe = connect(options, ofMerchant);
  return {
    name: "stripe",
    capabilities,
    pay: (request) => pay(stripe, options, request),
    lookup: (request) => lookUp(stripe, request),
    listRefunds: (request) => listStripeRefunds(stripe, request),
    findDispute: (request) => findStripeDispute(stripe, request),
    readEvent: (message) => readStripeEvent(stripe, options.webhookSecret, message),
    cardSetups: stripeCardSetups(connect(options, ofPlatform)),
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
  try {
    const intent = await stripe.paymentIntents.create(
      {
        amount: toStripeUnits(request.amountMinor, request.currency),
        currency: request.currency.toLowerCase(),
        payment_method: method.id,
        allowed_payment_method_types: ["card"],
        capture_method: request.capture,
        confirm: true,
        metadata: { charge_id: request.chargeId },
        // An absent payer can't authenticate, so the payment is declined immediately.
        ...(isPresent ? { return_url: returnUrl } : { off_session: true }),
      },
      { idempotencyKey: request.key, stripeAccount: request.account, timeout },
    );
    return toPaymentOutcome(intent);
  } catch (error) {
    const fault = faultOf(error);
    return fault.kind === "refusal" ? toDeclinedPayment(fault.error) : fault;
  }
};

/**
 * Looks up a payment by its id if that is known, because the merchant may remove our metadata in Stripe's dashboard.
 * Otherwise by the metadata, which Stripe's search finds after about a minute.
 */
const lookUp = async (stripe: Stripe, request: LookupRequest): Promise<LookupOutcome> => {
  const account = { stripeAccount: request.account };
  try {
    const intent =
      request.reference === null
        ? await findMarked(stripe, request, account)
        : await stripe.paymentIntents.retrieve(request.reference, {}, account);
    if (intent && matchesRequest(intent, request)) return toLookupOutcome(intent);
    return intent && !moneyless.has(intent.status) ? mismatchOf(intent, request) : { kind: "not_found" };
  } catch (error) {
    const fault = faultOf(error);
    if (fault.kind !== "refusal") return { ...fault, kind: "unknown" };
    return fault.error.code === "resource_missing" ? { kind: "not_found" } : { kind: "unknown" };
  }
};

/** Another payment may have a copy of our metadata: one with the requested amount is preferred. */
const findMarked = async (
  stripe: Stripe,
  request: LookupRequest,
  account: { stripeAccount: string },
): Promise<Stripe.PaymentIntent | undefined> => {
  const query = `metadata["charge_id"]:"${request.chargeId}"`;
  const { data } = await stripe.paymentIntents.search({ query }, account);
  const marked = data.filter(({ metadata }) => metadata["charge_id"] === request.chargeId);
  return marked.find((intent) => matchesRequest(intent, request)) ?? marked[0];
};

/** States in which no money of the payment is held or taken, and none is about to be. */
const moneyless: ReadonlySet<Stripe.PaymentIntent.Status> = new Set([
  ...(["canceled", "requires_payment_method", "requires_confirmation"] as const),
]);

/**
 * The merchant can change our metadata of a payment. Until the payer has confirmed the payment, the merchant can also
 * change its amount.
 */
const matchesRequest = (intent: Stripe.PaymentIntent, { amountMinor, currency }: LookupRequest): boolean =>
  intent.amount === toStripeUnits(amountMinor, currency) && intent.currency === currency.toLowerCase();

const mismatchOf = (intent: Stripe.PaymentIntent, { currency }: LookupRequest): LookupOutcome => {
  const isOfCurrency = intent.currency === currency.toLowerCase();
  const amountMinor = isOfCurrency ? fromStripeUnits(intent.amount, currency) : null;
  return { kind: "mismatch", processorRef: intent.id, amountMinor };
};
