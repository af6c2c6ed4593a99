import { type Proof, requireRecentProof } from "../../accounts/sessions/require-recent-proof.ts";
import { findPaymentMethodByRef } from "../../data/accounts/payment-methods.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import { updateApproved } from "../../data/charges/charge-approvals.ts";
import type { ChargeRow } from "../../data/charges/charges.ts";
import { isUnavailable } from "../../data/unavailable.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { refuseInactive } from "../charge/refuse-inactive.ts";
import type { SettledBy } from "../charge/settled-by.ts";
import { pay, refuseUnsubmitted, settleOrLeave } from "../charge/submit-charge.ts";
import { callSeconds, leaseSeconds, lookupDelaySeconds } from "../rules/schedule.ts";
import { alreadyDecidedRefusal, getChargeForApproval } from "./payer-charge.ts";

type Input = { chargeId: string; payerId: string; proof: Proof; requestId: string };

/**
 * The payer approves a payment above `step_up_above`, and the payment continues. If an approval, a decline, a void, a
 * revocation and the expiry are concurrent, exactly one of them takes effect. `submitted` is committed before anything
 * is sent, and only while the mandate is active. A second approval is not an error. It returns the charge in its
 * current state.
 * @throws DomainError not_found, proof_too_old, approval_…, merchant_suspended, payment_method_removed,
 *   mandate_not_active, unavailable. If one of these errors is thrown, nothing was sent.
 */
export const approveCharge = async (deps: Deps, input: Input): Promise<ChargeRow> => {
  const { charge, approvalState } = await getChargeForApproval(deps, input);
  if (approvalState === "approved") return charge;
  if (approvalState !== "waiting") throw alreadyDecidedRefusal(approvalState);
  requireRecentProof(deps, input.proof);
  const approved = await markApproved(deps, charge, input).catch((error: unknown) => unlessTaken(deps, input, error));
  if (!approved) return notApproved(deps, input);
  return send(deps, approved, { kind: "payer", requestId: input.requestId });
};

/**
 * The merchant already received 202 for this idempotency key. If the charge can't be sent to the processor, it is
 * therefore declined, not removed.
 */
const send = async (deps: Deps, charge: ChargeRow, by: SettledBy): Promise<ChargeRow> => {
  const outcome = await pay(deps, charge);
  return settleOrLeave(deps, charge, { event: outcome.kind === "not_sent" ? { kind: "not_submitted" } : outcome, by });
};

/**
 * If the connection is lost during the commit, the approval may be committed. The charge is then returned in its
 * current state, and the reconciler sends it.
 * @throws DomainError unavailable if the approval isn't committed, or if the charge can't be read.
 */
const unlessTaken = async (deps: Deps, input: Input, error: unknown): Promise<null> => {
  if (!isUnavailable(error)) return refuseUnsubmitted(error);
  const { approvalState } = await getChargeForApproval(deps, input).catch(refuseUnsubmitted);
  return approvalState === "approved" ? null : refuseUnsubmitted(error);
};

const markApproved = async (deps: Deps, charge: ChargeRow, input: Input): Promise<ChargeRow | null> => {
  // Throws if this process has no access to the processor, before anything is marked as sent.
  deps.processors.get(charge.processor);
  return deps.db.sqlTransaction(async (sql) => {
    await refuseInactive(sql, "approve", charge.merchantId);
    const at = await deps.businessClock.now();
    const submittedAt = deps.clock.now();
    const approved = await updateApproved(sql, {
      chargeId: charge.id,
      mandateId: charge.mandateId,
      at,
      submittedAt,
      leaseUntil: addSeconds(submittedAt, leaseSeconds),
      nextLookupAt: addSeconds(submittedAt, callSeconds + lookupDelaySeconds(0)),
    });
    if (!approved) return null;
    await appendAudit(sql, {
      at,
      actor: { kind: "payer", id: charge.payerId },
      action: "charge.approved",
      subjectId: charge.id,
      requestId: input.requestId,
      data: {
        mandate_id: charge.mandateId,
        amount: Number(charge.amount),
        currency: charge.currency,
        auth_time: input.proof.authTime.toISOString(),
        acr: input.proof.acr,
      },
    });
    return approved;
  });
};

/**
 * The charge couldn't be approved. Either another caller was first, or the mandate or payment method no longer exists.
 * In the latter case, the charge waits until it expires.
 */
const notApproved = async (deps: Deps, input: Input): Promise<ChargeRow> => {
  const { charge, approvalState } = await getChargeForApproval(deps, input);
  if (approvalState === "approved") return charge;
  if (approvalState !== "waiting") throw alreadyDecidedRefusal(approvalState);
  const { payerId, processor, paymentMethodRef: processorRef } = charge;
  const method = await findPaymentMethodByRef(deps.db, { payerId, processor, processorRef });
  if (method?.removedAt !== null) throw removedPaymentMethodRefusal();
  throw new DomainError("conflict", {
    code: "mandate_not_active",
    message: "The mandate is suspended or has ended, so it can’t be charged. If it is suspended, resume it first.",
  });
};

const removedPaymentMethodRefusal = (): DomainError =>
  new DomainError("conflict", {
    code: "payment_method_removed",
    message:
      "The payment method of this payment was removed. Decline the payment and ask the merchant to send it again.",
  });
