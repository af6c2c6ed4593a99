import { type Proof, requireRecentProof } from "../../accounts/sessions/require-recent-proof.ts";
import { findPaymentMethodByRef } from "../../data/accounts/payment-methods.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import { updateApproved } from "../../data/charges/charge-approvals.ts";
import { type ChargeRow, lockCharge } from "../../data/charges/charges.ts";
import type { Sql } from "../../data/client.ts";
import { lockMandate } from "../../data/mandates/mandates.ts";
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
 * revocation and the expiry are concurrent, exactly one of them decides the charge. `submitted` is committed before
 * anything is sent, and only while the mandate is active. A second approval is not an error. It returns the charge in
 * its current state.
 * @throws DomainError not_found, proof_too_old, approval_…, payment_method_removed, mandate_not_active,
 *   processor_unavailable, and those of `refuseInactive`. If one of these errors is thrown, nothing was or will be sent.
 * @throws DomainError approval_unknown: the connection was lost during the commit, and the charge couldn't be read.
 */
export const approveCharge = async (deps: Deps, input: Input): Promise<ChargeRow> => {
  const { charge, approvalState } = await getChargeForApproval(deps, input);
  if (approvalState === "approved") return charge;
  if (approvalState !== "waiting") throw alreadyDecidedRefusal(approvalState);
  requireRecentProof(deps, input.proof);
  const approved = await markApproved(deps, charge, input);
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
 * If the connection is lost during the commit, the approval may be committed. This request then returns the charge
 * without sending it, and the reconciler settles the charge. The lock waits for a commit that is still in progress.
 */
const afterLostCommit = async (deps: Deps, chargeId: string, error: unknown): Promise<null> => {
  if (!isUnavailable(error)) throw error;
  const charge = await deps.db.sqlTransaction((sql) => lockCharge(sql, chargeId)).catch(refuseUnknown);
  return charge?.submittedAt ? null : refuseUnsubmitted(error);
};

const refuseUnknown = (error: unknown): never => {
  throw isUnavailable(error) ? unknownApprovalRefusal(error) : error;
};

const requireProcessor = (deps: Deps, { processor }: ChargeRow): void => {
  try {
    deps.processors.get(processor);
  } catch (error) {
    refuseUnsubmitted(error);
  }
};

/** @returns null if the charge can't be approved any more, or if another request approved it. */
const markApproved = async (deps: Deps, charge: ChargeRow, input: Input): Promise<ChargeRow | null> => {
  requireProcessor(deps, charge);
  let isWritten = false;
  const work = async (sql: Sql): Promise<ChargeRow | null> => {
    await lockMandate(sql, charge.mandateId, { withGrant: false });
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
    isWritten = true;
    return approved;
  };
  return deps.db
    .sqlTransaction(work)
    .catch((error: unknown) => (isWritten ? afterLostCommit(deps, charge.id, error) : refuseUnsubmitted(error)));
};

/**
 * The charge wasn't approved: it was already decided or has expired, its merchant or mandate isn't active, or its
 * payment method was removed. Unless it was decided or has expired, it still waits for the payer.
 */
const notApproved = async (deps: Deps, input: Input): Promise<ChargeRow> => {
  const { charge, approvalState } = await getChargeForApproval(deps, input);
  if (approvalState === "approved") return charge;
  if (approvalState !== "waiting") throw alreadyDecidedRefusal(approvalState);
  await refuseInactive(deps.db.sql, "approve", charge.merchantId);
  const { payerId, processor, paymentMethodRef: processorRef } = charge;
  const method = await findPaymentMethodByRef(deps.db, { payerId, processor, processorRef });
  if (method?.removedAt !== null) throw removedPaymentMethodRefusal();
  throw new DomainError("conflict", {
    code: "mandate_not_active",
    message: "The mandate is suspended or has ended, so it can’t be charged. If it is suspended, resume it first.",
  });
};

const unknownApprovalRefusal = (cause: unknown): DomainError =>
  new DomainError("unavailable", {
    code: "approval_unknown",
    message: "We can’t tell whether your approval was saved. Reload the page in a moment to see the payment’s state.",
    headers: { "retry-after": "5" },
    cause,
  });

const removedPaymentMethodRefusal = (): DomainError =>
  new DomainError("conflict", {
    code: "payment_method_removed",
    message:
      "The payment method of this payment was removed. Decline the payment, then ask the merchant to request it again.",
  });
