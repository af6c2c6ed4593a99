import type { Decision } from "../../data/mandates/mandate-decision.ts";
import {
  decide,
  effectiveState,
  leftUnder,
  type PaymentIntent,
  type ReasonCode,
  type Refusal,
  type RunningPeriod,
} from "../rules/limits.ts";
import type { MandateState } from "../rules/transitions.ts";

export type { RunningPeriod } from "../rules/limits.ts";

/** A reason of a verification or a refused charge, in wire names. */
export type Reason = { code: ReasonCode; constraint: string; remedy: Remedy | null };
type Remedy = { authorization_details: readonly object[] };

/** The remainder of one limit. Included only if the payer allows merchants to see it. */
type Left = { constraint: string; amount?: number; payments?: number; resets_at?: string };

export type UseDecision = {
  status: MandateState;
  reasons: Reason[];
  stepUpRequired: boolean;
  /** the periods in which this payment would count */
  periods: RunningPeriod[];
  left: Left[] | null;
};

/** Whether the mandate allows this payment at `at`. Pure: reads and changes nothing. */
export const decideUse = (
  mandate: Decision,
  request: Pick<PaymentIntent, "action" | "amountMinor" | "currency" | "payerPresence">,
  at: Date,
): UseDecision => {
  const intent = { ...request, merchantId: mandate.merchant.id, merchantCategory: mandate.merchant.mcc };
  const decided = decide({ ...mandate, hasPaymentMethod: mandate.paymentMethodRef !== null }, intent, at);
  return {
    status: effectiveState(mandate.state, mandate.terms.validUntil, at),
    reasons: decided.refusals.map((refusal) => toReason(refusal, intent, at)),
    stepUpRequired: decided.stepUpRequired,
    periods: decided.periods,
    left: mandate.budgetVisible ? whatIsLeft(mandate, decided.periods) : null,
  };
};

const toReason = ({ code, constraint, isLimit }: Refusal, intent: PaymentIntent, at: Date): Reason => ({
  code,
  constraint,
  remedy: isLimit ? remedyFor(intent, at) : null,
});

/** A mandate for this payment only, which the client can push unchanged. It reveals no other limit. */
const remedyFor = (intent: PaymentIntent, at: Date): Remedy => ({
  authorization_details: [
    {
      type: "payment_mandate_v1",
      actions: ["verify", "charge"],
      currency: intent.currency,
      max_amount_per_payment: Number(intent.amountMinor),
      max_total_amount: Number(intent.amountMinor),
      max_payments: 1,
      payees: [{ id: intent.merchantId }],
      valid_until: new Date(at.getTime() + 86_400_000).toISOString(),
      payer_presence: [intent.payerPresence],
    },
  ],
});

const whatIsLeft = (mandate: Decision, periods: readonly RunningPeriod[]): Left[] => {
  const { terms, lifetime } = mandate;
  const left: Left[] = [];
  if (terms.maxTotalAmount !== null) {
    const amount = Number(leftUnder(terms.maxTotalAmount, lifetime.usedAmount, lifetime.heldAmount));
    left.push({ constraint: "max_total_amount", amount });
  }
  if (terms.maxPayments !== null) {
    left.push({
      constraint: "max_payments",
      payments: Number(leftUnder(terms.maxPayments, lifetime.usedCount, lifetime.heldCount)),
    });
  }
  for (const { limitKey, maxAmount, maxPayments, counters, endsAt } of periods) {
    left.push({
      constraint: `periodic_limits[${limitKey}]`,
      ...(maxAmount === null ? {} : { amount: Number(leftUnder(maxAmount, counters.usedAmount, counters.heldAmount)) }),
      ...(maxPayments === null
        ? {}
        : { payments: Number(leftUnder(maxPayments, counters.usedCount, counters.heldCount)) }),
      resets_at: endsAt.toISOString(),
    });
  }
  return left;
};
