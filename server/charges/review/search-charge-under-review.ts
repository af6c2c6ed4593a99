import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import type { LookupOutcome } from "../../deps/processor-port.ts";
import { lookUpPayment } from "../reconcile/look-up-payment.ts";
import { getChargeUnderReview, type OperatorAct, settleByOperator } from "./charge-under-review.ts";

/**
 * `nothing`: the processor didn't find the payment, but the payment may still exist. `contradiction`: the processor has
 * a payment of another amount or currency, which is recorded for operators. `no_answer`: the processor didn't answer.
 */
type Undecided = "nothing" | "contradiction" | "no_answer";

const undecided: Partial<Readonly<Record<LookupOutcome["kind"], Undecided>>> = {
  not_found: "nothing",
  mismatch: "contradiction",
  not_sent: "no_answer",
  unknown: "no_answer",
};

/**
 * Asks the processor again, and settles the charge according to the answer. If the answer doesn't decide the outcome,
 * the charge doesn't change and its amount stays on hold.
 * @throws DomainError not_found, charge_not_under_review.
 */
export const searchChargeUnderReview = async (deps: Deps, act: OperatorAct): Promise<"settled" | Undecided> => {
  const charge = await getChargeUnderReview(deps, act.chargeId);
  const outcome = await lookUpPayment(deps, charge, act);
  const found = undecided[outcome.kind];
  if (found === undefined) {
    await settleByOperator(deps, charge, { ...act, outcome });
    return "settled";
  }
  await appendAudit(deps.db.sql, {
    at: await deps.businessClock.now(),
    actor: { kind: "operator", id: act.operatorId },
    requestId: act.requestId,
    action: "charge.searched",
    subjectId: charge.id,
    data: { found, reason: act.reason },
  });
  return found;
};
