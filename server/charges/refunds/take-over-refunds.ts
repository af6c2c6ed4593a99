import type { ChargeRow } from "../../data/charges/charges.ts";
import { findEveryRefund, type RefundRow } from "../../data/charges/refunds.ts";
import type { Deps } from "../../deps/deps.ts";
import type { FoundRefund, MarkedFor } from "../../deps/processor-port.ts";
import { findChargeOfPayment } from "../reconcile/find-charge-of-payment.ts";
import { takeOverPayment } from "../reconcile/take-over-payment.ts";
import { unansweredRefusal } from "../reconcile/unanswered-refusal.ts";
import { raiseContradiction } from "../review/raise-contradiction.ts";
import { isOpen } from "../rules/charge-states.ts";
import { lookUpPendingRefunds } from "./perform-refund.ts";
import { recordFoundRefund } from "./record-found-refund.ts";
import { reverseRefund } from "./reverse-refund.ts";
import { asGiven, type RefundEnd, settleRefund } from "./settle-refund.ts";

type ByProcessor = { kind: "processor"; requestId: string };
type ReportedPayment = { processor: string; account: string; reference: string; chargeId: MarkedFor };

/**
 * Called when a processor reports a change of a payment's refunds. Reads all of them, and settles each refund by its
 * state at the processor. A refund made at the processor itself is recorded. A refund that contradicts our records is
 * raised to an operator. If the processor can't list refunds, only our refunds in progress are looked up.
 * @throws DomainError unavailable if the processor gives no answer now. It must then send its event again.
 */
export const takeOverRefunds = async (deps: Deps, payment: ReportedPayment, by: ByProcessor): Promise<void> => {
  const { listRefunds } = deps.processors.get(payment.processor);
  if (!listRefunds) {
    const charge = await findChargeOfPayment(deps.db.sql, payment);
    return charge?.submittedAt ? lookUpPendingRefunds(deps, charge, by) : undefined;
  }
  const listed = await listRefunds(payment);
  if (listed.kind === "not_found") return;
  if (listed.kind === "unknown") throw unansweredRefusal();
  const known = await findChargeOfPayment(deps.db.sql, { ...payment, chargeId: listed.chargeId });
  if (!known?.submittedAt) return;
  // A payment with refunds must have been paid. If this wasn't reported yet, the payment is first settled.
  const charge =
    known.amountCaptured > 0n ? known : await takeOverPayment(deps, known, { reference: payment.reference, by });
  if (charge === null) return;
  if (isOpen(charge) && listed.refunds.some(({ status }) => status !== "failed")) throw unansweredRefusal();
  if (charge.processorRef !== payment.reference) return;
  const ours = await findEveryRefund(deps.db.sql, charge.id);
  for (const found of listed.refunds) {
    const own = ours.find(({ id, refundRef }) => id === found.refundId || refundRef === found.refundRef);
    await takeOver(deps, charge, { own: own ?? null, found, by });
  }
};

/** A refund that the processor reports, and our record of it, if there is one. */
type Reported = { own: RefundRow | null; found: FoundRefund; by: ByProcessor };

const takeOver = async (deps: Deps, charge: ChargeRow, { own, found, by }: Reported): Promise<void> => {
  const code = found.code ?? "failed";
  if (own === null) {
    // A failed refund returned no money.
    if (found.status === "failed") return;
    const recorded = await recordFoundRefund(deps, charge, { found, by });
    return recorded ? takeOver(deps, charge, { own: recorded, found, by }) : raise(deps, charge, { found, by });
  }
  if (own.status === found.status || found.status === "pending") return;
  if (own.status === "succeeded") return reverseRefund(deps, own, { code, by });
  // In our records the refund failed, but the processor made it.
  if (own.status === "failed") return raise(deps, charge, { found, by });
  const { refundRef } = found;
  const end: RefundEnd =
    found.status === "failed" ? { status: "failed", refundRef, code } : asGiven(deps, charge, refundRef);
  await settleRefund(deps, own, { end, by });
};

const raise = (deps: Deps, charge: ChargeRow, { found, by }: { found: FoundRefund; by: ByProcessor }): Promise<void> =>
  raiseContradiction(deps, charge, {
    about: "refund",
    processorRef: found.refundRef,
    reported: found.status,
    amount: found.amountMinor,
    requestId: by.requestId,
  });
