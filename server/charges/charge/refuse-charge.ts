import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import type { Capabilities } from "../../deps/processor-port.ts";
import { DomainError, fieldRefusal } from "../../kernel/errors.ts";
import type { UseReason } from "../permission/find-permission.ts";

/**
 * 403: the mandate doesn't allow the payment. The reasons are the same as in the response of verify-mandate. No charge
 * is created, and the idempotency key can be used again.
 */
export const mandateRefusal = (reasons: readonly UseReason[]): DomainError =>
  new DomainError("forbidden", {
    code: "refused_by_mandate",
    message: "The payer's mandate does not allow this payment.",
    members: { reasons },
  });

/**
 * 429: too many of the merchant's payments under this mandate are waiting for the payer. No charge is created, and the
 * idempotency key can be used again.
 */
export const tooManyWaitingRefusal = (secondsUntilOneExpires: number): DomainError =>
  new DomainError("rate_limited", {
    code: "too_many_waiting",
    message: "Too many of your payments under this mandate are waiting for the payer's approval. Try again later.",
    headers: { "retry-after": String(Math.max(1, Math.ceil(secondsUntilOneExpires))) },
  });

/**
 * 400: the processor's currency unit is larger than ours, and the amount isn't a multiple of it.
 * @returns null if the amount is a multiple of this unit.
 */
export const uncarriedAmountRefusal = (
  { amountSteps }: Pick<Capabilities, "amountSteps">,
  { amount, currency }: { amount: bigint; currency: string },
): DomainError | null => {
  const step = amountSteps[currency] ?? 1n;
  return amount % step === 0n ? null : fieldRefusal("/amount", `must be a multiple of ${step} for this processor`);
};

/** If the mandate is known, records the refused attempt in the audit log, where the payer can read it. */
export const recordChargeRefusal = async (
  deps: Deps,
  input: {
    mandateId: string | null;
    merchantId: string;
    clientId: string;
    requestId: string;
    at: Date;
    payment: { amountMinor: bigint; currency: string };
    reasons: readonly UseReason[];
  },
): Promise<void> => {
  if (input.mandateId === null) return;
  const { amountMinor, currency } = input.payment;
  await appendAudit(deps.db.sql, {
    at: input.at,
    actor: { kind: "client", id: input.clientId },
    action: "charge.refused",
    subjectId: input.mandateId,
    requestId: input.requestId,
    data: {
      merchant_id: input.merchantId,
      amount: Number(amountMinor),
      currency,
      codes: input.reasons.map(({ code }) => code),
    },
  });
};
