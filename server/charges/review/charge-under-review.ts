import type { ChargeRow } from "../../data/charges/charges.ts";
import { findChargeOfAnyone, type OperatorCharge } from "../../data/charges/charges-under-review.ts";
import type { Deps } from "../../deps/deps.ts";
import type { LookupOutcome } from "../../deps/processor-port.ts";
import { DomainError } from "../../kernel/errors.ts";
import { settleCharge } from "../charge/settle-charge.ts";
import { settleFound } from "../reconcile/settle-found.ts";

/** What an operator does to a charge, and why; both stand in the audit log. */
export type OperatorAct = { chargeId: string; operatorId: string; reason: string; requestId: string };

/** Nobody looks it up any more: its outcome is an operator's to find out. */
export const isUnderReview = ({ state, nextLookupAt }: ChargeRow): boolean =>
  state === "unknown" && nextLookupAt === null;

/** @throws DomainError not_found. */
export const getChargeOfAnyone = async ({ db }: Pick<Deps, "db">, chargeId: string): Promise<OperatorCharge> => {
  const charge = await findChargeOfAnyone(db.sql, chargeId);
  if (!charge) throw new DomainError("not_found", "charge_not_found", "Charge not found. Check the id.");
  return charge;
};

/** @throws DomainError not_found, charge_not_under_review. */
export const getChargeUnderReview = async (deps: Pick<Deps, "db">, chargeId: string): Promise<OperatorCharge> => {
  const charge = await getChargeOfAnyone(deps, chargeId);
  if (!isUnderReview(charge)) throw notUnderReview();
  return charge;
};

/**
 * Settles by an operator's word, in one transaction with the entry that names operator and reason. Whoever settles it at
 * the same moment, a processor's event or another operator, there is one outcome, and only one is told that it is theirs.
 * @throws DomainError charge_not_under_review where somebody else was first.
 */
export const settleByOperator = async (
  deps: Deps,
  charge: ChargeRow,
  outcome: LookupOutcome | { kind: "not_submitted" },
  { operatorId, reason, requestId }: OperatorAct,
): Promise<ChargeRow> => {
  let isOurs = false;
  const by = { kind: "operator", id: operatorId, reason, requestId } as const;
  const also = async () => {
    isOurs = true;
  };
  const settled =
    outcome.kind === "not_submitted"
      ? await settleCharge(deps, charge, { event: outcome, by, also })
      : await settleFound(deps, charge, { found: outcome, by, also });
  if (!isOurs) throw notUnderReview();
  return settled;
};

const notUnderReview = (): DomainError =>
  new DomainError(
    "conflict",
    "charge_not_under_review",
    "This charge doesn’t need an operator: its outcome is known, or it is still being looked up.",
  );
