import { appendAudit } from "../data/audit.ts";
import type { Deps } from "../deps.ts";
import { getHandedOverCharge, type OperatorAct, settleByOperator } from "./handed-over-charge.ts";
import { lookupOf } from "./submit-charge.ts";

/** `nothing`: the processor knows of no such payment, which proves nothing; `no_answer`: it couldn't be asked. */
export type SearchResult = "settled" | "nothing" | "no_answer";

/**
 * Asks the processor once more, and settles by what it tells. Where it tells nothing the charge stays as it is, hold kept.
 * @throws DomainError not_found, charge_not_handed_over.
 */
export const searchHandedOverCharge = async (deps: Deps, act: OperatorAct): Promise<SearchResult> => {
  const charge = await getHandedOverCharge(deps, act.chargeId);
  const outcome = await deps.processors.get(charge.processor).lookup(lookupOf(charge));
  if (outcome.kind !== "not_found" && outcome.kind !== "not_sent" && outcome.kind !== "unknown") {
    await settleByOperator(deps, charge, outcome, act);
    return "settled";
  }
  const found = outcome.kind === "not_found" ? "nothing" : "no_answer";
  await appendAudit(deps.db.sql, {
    ...{
      at: await deps.businessClock.now(),
      actor: { kind: "operator", id: act.operatorId },
      requestId: act.requestId,
    },
    ...{ action: "charge.searched", subjectId: charge.id, data: { found, reason: act.reason } },
  });
  return found;
};
