import type { ChargeRow } from "../../data/charges/charges.ts";
import {
  type ChargeOfAnyone,
  findChargeOfAnyone,
  type OperatorCharge,
} from "../../data/charges/charges-under-review.ts";
import type { Deps } from "../../deps/deps.ts";
import type { LookupOutcome } from "../../deps/processor-port.ts";
import { DomainError } from "../../kernel/errors.ts";
import { settleCharge } from "../charge/settle-charge.ts";
import { settleFound } from "../reconcile/settle-found.ts";

/** Who acts, and for what reason. Both are in the audit log. */
export type OperatorAct = { chargeId: string; operatorId: string; reason: string; requestId: string };

/** Whether the reconciler no longer looks the charge up, so that an operator must find out its outcome. */
export const isUnderReview = ({ state, nextLookupAt }: ChargeRow): boolean =>
  state === "unknown" && nextLookupAt === null;

/** @throws DomainError not_found. */
export const getChargeOfAnyone = async ({ db }: Pick<Deps, "db">, chargeId: string): Promise<ChargeOfAnyone> => {
  const charge = await findChargeOfAnyone(db.sql, chargeId);
  if (!charge) {
    throw new DomainError("not_found", { code: "charge_not_found", message: "Charge not found. Check the ID." });
  }
  return charge;
};

/** @throws DomainError not_found, charge_not_under_review. */
export const getChargeUnderReview = async (deps: Pick<Deps, "db">, chargeId: string): Promise<OperatorCharge> => {
  const charge = await getChargeOfAnyone(deps, chargeId);
  if (!isUnderReview(charge)) throw notUnderReviewRefusal();
  return charge;
};

/**
 * Settles a charge with the operator's decision, in one transaction with the audit entry, which names the operator and
 * the reason. If a processor's event or another operator settles the charge at the same time, one of them succeeds and
 * the others are refused.
 * @throws DomainError charge_not_under_review if another caller was first.
 */
export const settleByOperator = async (
  deps: Deps,
  charge: ChargeRow,
  { outcome, ...act }: OperatorAct & { outcome: LookupOutcome | { kind: "not_submitted" } },
): Promise<ChargeRow> => {
  let isOurs = false;
  const { operatorId: id, reason, requestId } = act;
  const by = { kind: "operator", id, reason, requestId } as const;
  const also = async () => {
    isOurs = true;
  };
  const settled =
    outcome.kind === "not_submitted"
      ? await settleCharge(deps, charge, { event: outcome, by, also })
      : await settleFound(deps, charge, { found: outcome, by, also });
  if (!isOurs) throw notUnderReviewRefusal();
  return settled;
};

const notUnderReviewRefusal = (): DomainError =>
  new DomainError("conflict", {
    code: "charge_not_under_review",
    message: "This charge doesn’t need an operator: its outcome is known or is still being looked up.",
  });
