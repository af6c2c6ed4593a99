import { type ChargeRow, findCharge } from "../../data/charges/charges.ts";
import { claimDueRefunds, postponeRefund } from "../../data/charges/refund-lookups.ts";
import { findEveryRefund, type RefundRow } from "../../data/charges/refunds.ts";
import type { Deps } from "../../deps/deps.ts";
import type { RefundLookupOutcome, RefundOutcome } from "../../deps/processor-port.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { refuseUncertain } from "../charge/refuse-uncertain.ts";
import { leaveToReconciler, notSubmittedRefusal } from "../charge/submit-charge.ts";
import { isKeyRemembered, lookupDelaySeconds } from "../rules/schedule.ts";
import { eachClaimedRefund } from "./each-claimed-refund.ts";
import { asGiven, type RefundedBy, settleRefund } from "./settle-refund.ts";

type Refunding = { charge: ChargeRow; refund: RefundRow };
type Attempt = {
  by: RefundedBy;
  /**
   * whether this is the first attempt to send the refund; a refused connection proves that nothing was sent only if
   * this is true
   */
  isFirst: boolean;
};

/**
 * Sends the refund to the processor, or looks it up, and settles it according to the answer. May be repeated, because
 * the processor moves the money at most once for the refund's key.
 * @throws DomainError processor_unavailable if nothing was sent; idempotency_key_in_use if nothing was sent, but this
 *   can't be recorded now.
 */
export const performRefund = async (deps: Deps, refunding: Refunding, attempt: Attempt): Promise<RefundRow> => {
  try {
    return await follow(deps, refunding, { ...attempt, outcome: await askProcessor(deps, refunding) });
  } catch (error) {
    leaveToReconciler(deps, { refundId: refunding.refund.id }, error);
    return refunding.refund;
  }
};

const notSubmitted = { status: "failed", refundRef: null, code: "not_submitted" } as const;

const follow = async (
  deps: Deps,
  { charge, refund }: Refunding,
  { outcome, by, isFirst }: Attempt & { outcome: RefundOutcome | RefundLookupOutcome },
): Promise<RefundRow> => {
  switch (outcome.kind) {
    case "succeeded":
      return settleRefund(deps, refund, { end: asGiven(deps, charge, outcome.refundRef), by });
    case "failed": {
      const { refundRef, code } = outcome;
      return settleRefund(deps, refund, { end: { status: "failed", refundRef, code }, by });
    }
    case "refused":
      return settleRefund(deps, refund, { end: { status: "failed", refundRef: null, code: outcome.code }, by });
    case "pending":
      return postpone(deps, { ...refund, refundRef: outcome.refundRef });
    case "not_sent":
      return isFirst ? giveUp(deps, refund, by) : postpone(deps, refund);
    case "not_found":
      // The request can no longer arrive, and the processor doesn't have the refund. If the processor reported the
      // refund before, the refund is looked up again.
      return refund.refundRef === null ? settleRefund(deps, refund, { end: notSubmitted, by }) : postpone(deps, refund);
    case "unknown":
      return postpone(deps, refund);
  }
};

/** @throws DomainError as performRefund does, unless another process took the refund over and may have sent it. */
const giveUp = async (deps: Deps, refund: RefundRow, by: RefundedBy): Promise<RefundRow> => {
  const left = await settleRefund(deps, refund, { end: notSubmitted, by, wasNeverSent: true }).catch(refuseUncertain);
  if (left.failureCode === notSubmitted.code) throw notSubmittedRefusal();
  return left;
};

/**
 * A refund is repeated only while the processor certainly remembers its key. A later repeat would move the money again.
 * Business time may be ahead of the processor's time, so the repeats may end earlier, but never later.
 */
const askProcessor = async (
  deps: Deps,
  { charge, refund }: Refunding,
): Promise<RefundOutcome | RefundLookupOutcome> => {
  if (refund.refundRef !== null || !isKeyRemembered(refund.createdAt, await deps.businessClock.now())) {
    return lookUpRefund(deps, charge, refund);
  }
  const payment = { ...operationOf(charge, refund), amountMinor: refund.amount, currency: charge.currency };
  const marks = { chargeId: charge.id, refundId: refund.id, reason: refund.reason, metadata: refund.metadata };
  return deps.processors.get(charge.processor).refund({ ...payment, ...marks });
};

/** Looks the refund up at the processor, and changes nothing. */
export const lookUpRefund = (deps: Deps, charge: ChargeRow, refund: RefundRow): Promise<RefundLookupOutcome> => {
  const { id: refundId, refundRef } = refund;
  return deps.processors.get(charge.processor).findRefund({ ...operationOf(charge, refund), refundId, refundRef });
};

const operationOf = (charge: ChargeRow, refund: RefundRow) => ({
  key: `paygrant:${refund.id}`,
  account: charge.processorAccount,
  reference: charge.processorRef ?? "",
});

/**
 * Called when the processor reports a change of a charge's refunds. Looks up the refunds in progress and settles those
 * that have ended. Sends no refund.
 */
export const lookUpPendingRefunds = async (deps: Deps, charge: ChargeRow, by: RefundedBy): Promise<void> => {
  for (const refund of await findEveryRefund(deps.db.sql, charge.id)) {
    if (refund.status !== "pending") continue;
    const found = await lookUpRefund(deps, charge, refund);
    if (found.kind === "succeeded") {
      await settleRefund(deps, refund, { end: asGiven(deps, charge, found.refundRef), by });
    } else if (found.kind === "failed") {
      const { refundRef, code } = found;
      await settleRefund(deps, refund, { end: { status: "failed", refundRef, code }, by });
    }
  }
};

const postpone = async (deps: Deps, refund: RefundRow): Promise<RefundRow> => {
  const nextLookupAt = addSeconds(deps.clock.now(), lookupDelaySeconds(refund.lookups));
  await postponeRefund(deps.db.sql, { id: refund.id, refundRef: refund.refundRef, nextLookupAt });
  return { ...refund, nextLookupAt, leaseUntil: null };
};

/** Continues refunds whose process crashed or whose outcome is unknown. @returns how many were checked. */
export const reconcileDueRefunds = (deps: Deps, { limit }: { limit: number }): Promise<number> =>
  eachClaimedRefund(
    deps,
    (lease) => claimDueRefunds(deps.db.sql, { ...lease, limit }),
    async (refund) => {
      const charge = await findCharge(deps.db.sql, refund.chargeId);
      const by = { kind: "reconciler", requestId: "reconcile" } as const;
      if (charge) await performRefund(deps, { charge, refund }, { by, isFirst: false });
    },
  );
