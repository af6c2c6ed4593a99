import { isPayee } from "./payees.ts";
import { periodAt } from "./periods.ts";
import { type Counters, limitKey, type MandateTerms, noUse } from "./terms.ts";
import type { MandateState } from "./transitions.ts";

/** Why a mandate does not allow a payment (docs/spec/payments.md, Reason codes). */
export type ReasonCode =
  | "mandate_pending"
  | "mandate_suspended"
  | "mandate_revoked"
  | "mandate_expired"
  | "mandate_consumed"
  | "amount_exceeds_per_payment"
  | "period_limit_exceeded"
  | "total_limit_exceeded"
  | "count_limit_exceeded"
  | "currency_mismatch"
  | "payee_not_allowed"
  | "category_not_allowed"
  | "outside_validity_window"
  | "presence_not_allowed"
  | "action_not_allowed";

/** `constraint` names the field of payment_mandate_v1, never its value. */
export type Refusal = { code: ReasonCode; constraint: string; isLimit: boolean };

export type PaymentIntent = {
  action: "verify" | "charge";
  amountMinor: bigint;
  currency: string;
  payerPresence: string;
  merchantId: string;
  merchantCategory: string;
};

/** A periodic limit with the period that contains the time of the decision. */
export type RunningPeriod = {
  limitKey: string;
  startsAt: Date;
  endsAt: Date;
  maxAmount: bigint | null;
  maxPayments: bigint | null;
  counters: Counters;
};

export type Decided = { refusals: Refusal[]; stepUpRequired: boolean; periods: RunningPeriod[] };

export type MandateInUse = {
  state: MandateState;
  terms: MandateTerms;
  lifetime: Counters;
  /** counters of the periods that contain the time of the decision; a period without payments has none */
  periods: readonly (Counters & { limitKey: string; startsAt: Date })[];
  hasPaymentMethod: boolean;
};

/** The effective state at `at`: a mandate ends when its window closes, even if the expiry isn't recorded yet. */
export const effectiveState = (state: MandateState, validUntil: Date, at: Date): MandateState =>
  (state === "active" || state === "suspended") && validUntil <= at ? "expired" : state;

/**
 * Unknown values are refused. Returns all reasons, with two exceptions: for a mandate that isn't active or has no
 * payment method, only this reason; for another currency, no reasons about limits.
 */
export const decide = (mandate: MandateInUse, intent: PaymentIntent, at: Date): Decided => {
  const periods = runningPeriods(mandate, at);
  const stateRefusal = findStateRefusal(mandate, at);
  const refusals = stateRefusal
    ? [stateRefusal]
    : [...listTermsRefusals(mandate.terms, intent, at), ...listLimitRefusals(mandate, periods, intent)];
  const { stepUpAbove } = mandate.terms;
  return { refusals, periods, stepUpRequired: stepUpAbove !== null && intent.amountMinor > stepUpAbove };
};

const runningPeriods = (mandate: MandateInUse, at: Date): RunningPeriod[] =>
  mandate.terms.periodicLimits.map((limit) => {
    const bounds = periodAt(limit, { timeZone: mandate.terms.timeZone, anchor: mandate.terms.validFrom, at });
    const key = limitKey(limit);
    const counters = mandate.periods.find(
      (period) => period.limitKey === key && period.startsAt.getTime() === bounds.startsAt.getTime(),
    );
    return {
      limitKey: key,
      ...bounds,
      maxAmount: limit.maxAmount,
      maxPayments: limit.maxPayments,
      counters: counters ?? noUse,
    };
  });

const stateReasons: Readonly<Record<Exclude<MandateState, "active">, ReasonCode>> = {
  pending: "mandate_pending",
  suspended: "mandate_suspended",
  revoked: "mandate_revoked",
  rejected: "mandate_revoked",
  expired: "mandate_expired",
  consumed: "mandate_consumed",
};

const findStateRefusal = (mandate: MandateInUse, at: Date): Refusal | null => {
  const state = effectiveState(mandate.state, mandate.terms.validUntil, at);
  if (state !== "active") return refusal(stateReasons[state], "status");
  // Without a payment method nothing can be charged until the payer chooses another.
  return mandate.hasPaymentMethod ? null : refusal("mandate_suspended", "payment_instrument");
};

const listTermsRefusals = (terms: MandateTerms, intent: PaymentIntent, at: Date): Refusal[] => {
  const refusals: Refusal[] = [];
  if (!terms.actions.includes(intent.action)) refusals.push(refusal("action_not_allowed", "actions"));
  const payee = findPayeeRefusal(terms, intent);
  if (payee) refusals.push(payee);
  if (at < terms.validFrom) refusals.push(refusal("outside_validity_window", "valid_from"));
  if (!terms.payerPresence.includes(intent.payerPresence))
    refusals.push(refusal("presence_not_allowed", "payer_presence"));
  return refusals;
};

const findPayeeRefusal = (terms: MandateTerms, intent: PaymentIntent): Refusal | null => {
  if (isPayee(terms, intent)) return null;
  return refusal(terms.payeeCategories.length > 0 ? "category_not_allowed" : "payee_not_allowed", "payees");
};

const listLimitRefusals = (
  mandate: MandateInUse,
  periods: readonly RunningPeriod[],
  intent: PaymentIntent,
): Refusal[] => {
  const { terms, lifetime } = mandate;
  // An amount in another currency can't be compared.
  if (intent.currency !== terms.currency) return [refusal("currency_mismatch", "currency")];
  const amount = intent.amountMinor;
  const refusals: Refusal[] = [];
  if (terms.maxAmountPerPayment !== null && amount > terms.maxAmountPerPayment) {
    refusals.push(limit("amount_exceeds_per_payment", "max_amount_per_payment"));
  }
  for (const period of periods) {
    const at = `periodic_limits[${period.limitKey}]`;
    if (exceedsAmount(period.counters, period.maxAmount, amount))
      refusals.push(limit("period_limit_exceeded", `${at}.max_amount`));
    if (exceedsCount(period.counters, period.maxPayments))
      refusals.push(limit("count_limit_exceeded", `${at}.max_payments`));
  }
  if (exceedsAmount(lifetime, terms.maxTotalAmount, amount))
    refusals.push(limit("total_limit_exceeded", "max_total_amount"));
  if (exceedsCount(lifetime, terms.maxPayments)) refusals.push(limit("count_limit_exceeded", "max_payments"));
  return refusals;
};

const exceedsAmount = (counters: Counters, cap: bigint | null, amount: bigint): boolean =>
  cap !== null && counters.usedAmount + counters.heldAmount + amount > cap;
const exceedsCount = (counters: Counters, cap: bigint | null): boolean =>
  cap !== null && counters.usedCount + counters.heldCount + 1n > cap;

const refusal = (code: ReasonCode, constraint: string): Refusal => ({ code, constraint, isLimit: false });
const limit = (code: ReasonCode, constraint: string): Refusal => ({ code, constraint, isLimit: true });

/** The remainder of a cap; 0 if it was narrowed below the used and held amounts. */
export const leftUnder = (cap: bigint, used: bigint, held: bigint): bigint => {
  const left = cap - used - held;
  return left > 0n ? left : 0n;
};

/**
 * A mandate is consumed when the used (captured, not held) amount or number of payments reaches a lifetime cap and
 * nothing is held. With refund policy `restore`, an amount cap never consumes it, because refunds may make room again.
 */
export const isConsumed = (
  terms: Pick<MandateTerms, "maxTotalAmount" | "maxPayments" | "refundPolicy">,
  lifetime: Counters,
): boolean => {
  if (lifetime.heldCount > 0n || lifetime.heldAmount > 0n) return false;
  const byCount = terms.maxPayments !== null && lifetime.usedCount >= terms.maxPayments;
  const byAmount =
    terms.maxTotalAmount !== null && lifetime.usedAmount >= terms.maxTotalAmount && terms.refundPolicy !== "restore";
  return byCount || byAmount;
};
