import type Stripe from "stripe";
import type { LookupOutcome, LookupRequest } from "../../deps/processor-port.ts";
import { faultOf, toLookupOutcome } from "./outcomes.ts";
import { fromStripeUnits, toStripeUnits } from "./units.ts";

/**
 * Looks up a payment by its id if the id is known, because the merchant may remove our metadata in Stripe's dashboard.
 * Otherwise, searches for our metadata. Stripe's search finds a new payment after about a minute.
 */
export const lookUpStripePayment = async (stripe: Stripe, request: LookupRequest): Promise<LookupOutcome> => {
  const account = { stripeAccount: request.account };
  try {
    const found =
      request.reference === null
        ? await findMarked(stripe, request, account)
        : [await stripe.paymentIntents.retrieve(request.reference, {}, account)];
    return outcomeOfFound(found, request);
  } catch (error) {
    const fault = faultOf(error);
    if (fault.kind !== "refusal") return { ...fault, kind: "unknown" };
    return fault.error.code === "resource_missing" ? { kind: "not_found" } : { kind: "unknown" };
  }
};

const findMarked = async (
  stripe: Stripe,
  { chargeId }: LookupRequest,
  account: { stripeAccount: string },
): Promise<Stripe.PaymentIntent[]> => {
  const query = `metadata["charge_id"]:"${chargeId}"`;
  const { data } = await stripe.paymentIntents.search({ query }, account);
  return data.filter(({ metadata }) => metadata["charge_id"] === chargeId);
};

type Requested = Pick<LookupRequest, "amountMinor" | "currency">;

/** Another payment may have a copy of our metadata, so a payment with the requested amount is preferred. */
export const outcomeOfFound = (found: readonly Stripe.PaymentIntent[], request: Requested): LookupOutcome => {
  const intent = found.find((one) => matchesRequest(one, request)) ?? found[0];
  if (intent && matchesRequest(intent, request)) return toLookupOutcome(intent);
  return intent && !moneyless.has(intent.status) ? mismatchOf(intent, request) : { kind: "not_found" };
};

/** In these states the payment holds no money, has taken none, and no attempt is running. */
const moneyless: ReadonlySet<Stripe.PaymentIntent.Status> = new Set([
  ...(["canceled", "requires_payment_method", "requires_confirmation"] as const),
]);

/**
 * The merchant can change our metadata of a payment. Until the payer has confirmed the payment, the merchant can also
 * change its amount.
 */
const matchesRequest = (intent: Stripe.PaymentIntent, { amountMinor, currency }: Requested): boolean =>
  intent.amount === toStripeUnits(amountMinor, currency) && intent.currency === currency.toLowerCase();

const mismatchOf = (intent: Stripe.PaymentIntent, { currency }: Requested): LookupOutcome => {
  const isOfCurrency = intent.currency === currency.toLowerCase();
  const amountMinor = isOfCurrency ? fromStripeUnits(intent.amount, currency) : null;
  return { kind: "mismatch", processorRef: intent.id, amountMinor };
};
