import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import type { Capabilities } from "../../deps/processor-port.ts";
import { DomainError, fieldRefusal } from "../../kernel/errors.ts";
import type { UseReason } from "../permission/find-permission.ts";

/** 403: refused by the mandate, with the reasons of verify; makes no charge and leaves the key free. */
export const mandateRefusal = (reasons: readonly UseReason[]): DomainError =>
  new DomainError("forbidden", {
    code: "refused_by_mandate",
    message: "The payer's mandate does not allow this payment.",
    members: { reasons },
  });

/** 429: too many of the merchant's payments wait for the payer; makes no charge and leaves the key free. */
export const tooManyWaitingRefusal = (secondsUntilOneLapses: number): DomainError =>
  new DomainError("rate_limited", {
    code: "too_many_waiting",
    message: "Too many payments of this payer are waiting for approval. Try again later.",
    headers: { "retry-after": String(Math.max(1, Math.ceil(secondsUntilOneLapses))) },
  });

/** 400: the processor's unit is coarser than ours, and the amount doesn't fit it. @returns null if it fits. */
export const uncarriedAmountRefusal = (
  { amountSteps }: Pick<Capabilities, "amountSteps">,
  { amount, currency }: { amount: bigint; currency: string },
): DomainError | null => {
  const step = amountSteps[currency] ?? 1n;
  return amount % step === 0n ? null : fieldRefusal("/amount", `must be a multiple of ${step} at this processor`);
};

/** Shows the refused attempt to the payer if the presented credential belongs to a known mandate. */
export const recordChargeRefusal = async (
  deps: Deps,
  input: {
    mandateId: string | null;
    merchantId: string;
    clientId: string;
    requestId: string;
    at: Date;
    reasons: readonly UseReason[];
  },
): Promise<void> => {
  if (input.mandateId === null) return;
  await appendAudit(deps.db.sql, {
    at: input.at,
    actor: { kind: "client", id: input.clientId },
    action: "charge.refused",
    subjectId: input.mandateId,
    requestId: input.requestId,
    data: { merchant_id: input.merchantId, codes: input.reasons.map(({ code }) => code) },
  });
};
