import { type BillingPaymentRow, findBillingPayment } from "../../../data/billing/collection/payments.ts";
import type { Deps } from "../../../deps/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { addSeconds } from "../../../kernel/time/clock.ts";

/** An operator must review an attempt whose outcome isn't known after this time (real time). Look-ups continue. */
const reviewSeconds = 3_600;

/** Attempts that were started at this time or earlier need review. */
export const reviewedUntil = (now: Date): Date => addSeconds(now, -reviewSeconds);

export const isPaymentUnderReview = ({ state, startedAt }: BillingPaymentRow, now: Date): boolean =>
  state === "pending" && startedAt <= reviewedUntil(now);

/** An operator's review of an attempt. The audit log records the operator and the reason. */
export type PaymentReview = { paymentId: string; reason: string; operatorId: string; requestId: string };

export const notUnderReviewError = (): DomainError =>
  new DomainError("conflict", {
    code: "payment_not_under_review",
    message: "This payment doesn’t need an operator: its outcome is known or is still being looked up.",
  });

/** @throws DomainError not_found; conflict payment_not_under_review. */
export const getUnresolvedPayment = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  paymentId: string,
): Promise<BillingPaymentRow> => {
  const payment = await findBillingPayment(db.sql, paymentId);
  if (!payment) throw new DomainError("not_found", { code: "not_found", message: "Payment not found. Check the ID." });
  if (!isPaymentUnderReview(payment, clock.now())) throw notUnderReviewError();
  return payment;
};
