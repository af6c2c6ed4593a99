import { type ChargeRow, findCharge } from "../../data/charges/charges.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { chargeNotFound } from "../lists/list-charges.ts";
import { type ApprovalState, approvalStateOf } from "../rules/approval.ts";

/** Whose money a charge would take; null where there is no such charge. */
export const findChargePayer = async (deps: Pick<Deps, "db">, input: { chargeId: string }): Promise<string | null> =>
  (await findCharge(deps.db.sql, input.chargeId))?.payerId ?? null;

/**
 * A charge that needed its payer's word, and how it stands.
 * @throws DomainError not_found for an unknown id, another payer's charge, and one that nobody had to approve.
 */
export const getChargeForApproval = async (
  deps: Pick<Deps, "db" | "businessClock">,
  input: { chargeId: string; payerId: string },
): Promise<{ charge: ChargeRow; approvalState: ApprovalState }> => {
  const charge = await findCharge(deps.db.sql, input.chargeId);
  const approvalState =
    charge?.payerId === input.payerId ? approvalStateOf(charge, await deps.businessClock.now()) : null;
  if (!charge || !approvalState) throw chargeNotFound();
  return { charge, approvalState };
};

const told: Readonly<Record<Exclude<ApprovalState, "waiting">, string>> = {
  approved: "You already approved this payment.",
  declined: "You already declined this payment. Nothing was charged.",
  expired: "The approval expired after 15 minutes. Nothing was charged.",
  withdrawn: "The payment was cancelled. Nothing was charged.",
};

/** Too late: what was decided stays, and this changed nothing. */
export const alreadyDecided = (approvalState: Exclude<ApprovalState, "waiting">): DomainError =>
  new DomainError("conflict", `approval_${approvalState}`, told[approvalState]);
