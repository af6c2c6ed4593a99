import { type ChargeRow, findCharge } from "../../data/charges/charges.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { chargeNotFound } from "../lists/list-charges.ts";
import { type ApprovalState, approvalStateOf } from "../rules/approval.ts";

/** The payer of a charge; null if the charge doesn't exist. */
export const findChargePayer = async (deps: Pick<Deps, "db">, input: { chargeId: string }): Promise<string | null> =>
  (await findCharge(deps.db.sql, input.chargeId))?.payerId ?? null;

/**
 * A charge that needs the payer's approval, and the state of that approval.
 * @throws DomainError not_found for an unknown id, another payer's charge, and a charge that needed no approval.
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

const alreadyDecidedMessages: Readonly<Record<Exclude<ApprovalState, "waiting">, string>> = {
  approved: "You already approved this payment.",
  declined: "You already declined this payment. Nothing was charged.",
  expired: "The approval expired after 15 minutes. Nothing was charged.",
  withdrawn: "The payment was canceled. Nothing was charged.",
};

/** The request came too late: the earlier decision is kept, and nothing changed. */
export const alreadyDecidedRefusal = (approvalState: Exclude<ApprovalState, "waiting">): DomainError =>
  new DomainError("conflict", { code: `approval_${approvalState}`, message: alreadyDecidedMessages[approvalState] });
