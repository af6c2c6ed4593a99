import type { MandateTerms } from "../rules/terms.ts";
import { parseInstant, resolveWindow } from "../rules/validity.ts";
import type { PaymentMandateDetails } from "./payment-mandate.wire.ts";

const minor = (amount: number | undefined): bigint | null => (amount === undefined ? null : BigInt(amount));

/**
 * The terms that checks read, with all defaults (docs/spec/payments.md, Mandate fields). Without a later `valid_from`,
 * the mandate starts at `consentedAt`.
 */
export const toTerms = (details: Omit<PaymentMandateDetails, "type">, consentedAt: Date): MandateTerms => {
  const timeZone = details.time_zone ?? "UTC";
  const presence = details.payer_presence ?? [];
  const requested = { from: instantOf(details.valid_from), until: instantOf(details.valid_until) };
  return {
    actions: details.actions,
    currency: details.currency,
    maxAmountPerPayment: minor(details.max_amount_per_payment),
    maxTotalAmount: minor(details.max_total_amount),
    maxPayments: minor(details.max_payments),
    periodicLimits: (details.periodic_limits ?? []).map((limit) => ({
      period: limit.period,
      alignment: limit.alignment,
      maxAmount: minor(limit.max_amount),
      maxPayments: minor(limit.max_payments),
    })),
    timeZone,
    ...toPayees(details.payees),
    ...resolveWindow(requested, timeZone, consentedAt),
    payerPresence: presence.length > 0 ? presence : ["in_session"],
    stepUpAbove: minor(details.step_up_above),
    refundPolicy: details.refund_policy ?? "consume",
  };
};

export const toPayees = (
  payees: PaymentMandateDetails["payees"] = [],
): Pick<MandateTerms, "payeeMerchantIds" | "payeeCategories"> => ({
  payeeMerchantIds: payees.flatMap((payee) => ("id" in payee ? [payee.id] : [])),
  payeeCategories: payees.flatMap((payee) => ("category" in payee ? [payee.category] : [])),
});

const instantOf = (text: string | undefined): Date | null => (text === undefined ? null : parseInstant(text));
