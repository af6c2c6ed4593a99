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
type News = { processor: string; account: string; reference: string; chargeId: MarkedFor };

/**
 * A processor has news of a payment's refunds: it is asked for all of them, and each of ours is brought to how it
 * stands there. One that was made at the processor itself is taken into the books; what doesn't fit them is raised.
 * @throws DomainError unavailable where the processor can't tell now: it sends its news again.
 */
export const takeOverRefunds = async (deps: Deps, news: News, by: ByProcessor): Promise<void> => {
  const { listRefunds } = deps.processors.get(news.processor);
  if (!listRefunds) {
    const charge = await findChargeOfPayment(deps.db.sql, news);
    return charge?.submittedAt ? lookUpPendingRefunds(deps, charge, by) : undefined;
  }
  const listed = await listRefunds(news);
  if (listed.kind === "not_found") return;
  if (listed.kind === "unknown") throw unansweredRefusal();
  const known = await findChargeOfPayment(deps.db.sql, { ...news, chargeId: listed.chargeId });
  if (!known?.submittedAt) return;
  // What was given back was paid before, whoever has heard of that.
  const charge =
    known.amountCaptured > 0n ? known : await takeOverPayment(deps, known, { reference: news.reference, by });
  if (charge === null) return;
  if (isOpen(charge) && listed.refunds.some(({ status }) => status !== "failed")) throw unansweredRefusal();
  if (charge.processorRef !== news.reference) return;
  const ours = await findEveryRefund(deps.db.sql, charge.id);
  for (const found of listed.refunds) {
    const own = ours.find(({ id, refundRef }) => id === found.refundId || refundRef === found.refundRef);
    await takeOver(deps, charge, { own: own ?? null, found, by });
  }
};

/** A refund that the processor reports, and ours if there is one. */
type Reported = { own: RefundRow | null; found: FoundRefund; by: ByProcessor };

const takeOver = async (deps: Deps, charge: ChargeRow, { own, found, by }: Reported): Promise<void> => {
  const code = found.code ?? "failed";
  if (own === null) {
    // Nothing was given back by it.
    if (found.status === "failed") return;
    const recorded = await recordFoundRefund(deps, charge, { found, by });
    return recorded ? takeOver(deps, charge, { own: recorded, found, by }) : raise(deps, charge, { found, by });
  }
  if (own.status === found.status || found.status === "pending") return;
  if (own.status === "succeeded") return reverseRefund(deps, own, { code, by });
  // It was given up here, and made there all the same.
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
    told: found.status,
    amount: found.amountMinor,
    requestId: by.requestId,
  });
