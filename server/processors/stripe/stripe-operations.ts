import type Stripe from "stripe";
import type {
  CaptureOutcome,
  Processor,
  RefundLookupOutcome,
  RefundOutcome,
  RefundRequest,
  VoidOutcome,
} from "../../deps/processor-port.ts";
import { toRefundOutcome } from "./list-refunds.ts";
import { faultOf, toRefused } from "./outcomes.ts";
import { toStripeUnits } from "./units.ts";

/** Capture, cancellation and refunds of PaymentIntents, each at most once per key. */
export const stripeOperations = (stripe: Stripe): Pick<Processor, "capture" | "void" | "refund" | "findRefund"> => ({
  async capture({ key, account, reference, amountMinor, currency }): Promise<CaptureOutcome> {
    const amount = toStripeUnits(amountMinor, currency);
    try {
      const options = { idempotencyKey: key, stripeAccount: account };
      const intent = await stripe.paymentIntents.capture(reference, { amount_to_capture: amount }, options);
      return intent.status === "succeeded" ? { kind: "captured" } : { kind: "unknown" };
    } catch (error) {
      const fault = faultOf(error);
      if (fault.kind !== "refusal") return fault;
      return toRefused(fault.error);
    }
  },
  async void({ key, account, reference }): Promise<VoidOutcome> {
    try {
      const options = { idempotencyKey: key, stripeAccount: account };
      const intent = await stripe.paymentIntents.cancel(reference, {}, options);
      return intent.status === "canceled" ? { kind: "voided" } : { kind: "unknown" };
    } catch (error) {
      const fault = faultOf(error);
      if (fault.kind !== "refusal") return fault;
      // Nothing is authorized any more, which is the intended result.
      return fault.error.payment_intent?.status === "canceled" ? { kind: "voided" } : toRefused(fault.error);
    }
  },
  async refund({ key, account, ...request }): Promise<RefundOutcome> {
    try {
      const refund = await stripe.refunds.create(toRefundParams(request), {
        idempotencyKey: key,
        stripeAccount: account,
      });
      return toRefundOutcome(refund);
    } catch (error) {
      const fault = faultOf(error);
      return fault.kind === "refusal" ? toRefused(fault.error) : fault;
    }
  },
  async findRefund({ account, reference, refundId, refundRef }): Promise<RefundLookupOutcome> {
    try {
      const refund =
        refundRef === null
          ? await findMarked(stripe, { account, reference, refundId })
          : await stripe.refunds.retrieve(refundRef, {}, { stripeAccount: account });
      return refund ? toRefundOutcome(refund) : { kind: "not_found" };
    } catch (error) {
      const fault = faultOf(error);
      if (fault.kind !== "refusal") return { ...fault, kind: "unknown" };
      return fault.error.code === "resource_missing" ? { kind: "not_found" } : { kind: "unknown" };
    }
  },
});

/** The parameters are always the same for one refund: Stripe compares requests that repeat a key. */
const toRefundParams = ({
  reference,
  amountMinor,
  currency,
  chargeId,
  refundId,
  reason = null,
  metadata = {},
}: Omit<RefundRequest, "key" | "account">): Stripe.RefundCreateParams => ({
  payment_intent: reference,
  amount: toStripeUnits(amountMinor, currency),
  // Stripe has no reason "other".
  ...(reason === null || reason === "other" ? {} : { reason }),
  // Our ids come last, so that the merchant's metadata can't replace them.
  metadata: { ...carriedMetadata(metadata), charge_id: chargeId, refund_id: refundId },
});

/**
 * Stripe's metadata keys have at most 40 characters, no square brackets, and a value (docs.stripe.com/api/metadata);
 * other keys aren't sent. Sorted, because the database doesn't keep the request's order.
 */
const carriedMetadata = (metadata: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metadata)
      .filter(([name, value]) => /^[^[\]]{1,40}$/.test(name) && value !== "")
      .toSorted(([left], [right]) => (left < right ? -1 : 1)),
  );

/**
 * Finds our refund by its metadata in the payment's list, which has every refund immediately, unlike Stripe's search.
 */
const findMarked = async (
  stripe: Stripe,
  { account, reference, refundId }: { account: string; reference: string; refundId: string },
): Promise<Stripe.Refund | null> => {
  const refunds = stripe.refunds.list({ payment_intent: reference, limit: 100 }, { stripeAccount: account });
  for await (const refund of refunds) if (refund.metadata?.["refund_id"] === refundId) return refund;
  return null;
};
