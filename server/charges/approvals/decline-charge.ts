import type { ChargeRow } from "../../data/charges/charges.ts";
import type { Deps } from "../../deps/deps.ts";
import { settleCharge } from "../charge/settle-charge.ts";
import { refuseUnsubmitted } from "../charge/submit-charge.ts";
import { approvalStateOf } from "../rules/approval.ts";
import { alreadyDecidedRefusal, getChargeForApproval } from "./payer-charge.ts";

/**
 * The payer declines a payment above `step_up_above`: its hold is released, and the merchant is notified. A second
 * decline is not an error. A decline requires no recent authentication, because it must never be harder than an
 * approval.
 * @throws DomainError not_found; conflict if it was approved, voided or expired first; unavailable: try again.
 */
export const declineCharge = async (
  deps: Deps,
  input: { chargeId: string; payerId: string; requestId: string },
): Promise<ChargeRow> => {
  const { charge, approvalState } = await getChargeForApproval(deps, input);
  const by = { kind: "payer", requestId: input.requestId } as const;
  const declined =
    approvalState === "waiting"
      ? await settleCharge(deps, charge, { event: { kind: "declined_by_payer" }, by }).catch(refuseUnsubmitted)
      : charge;
  const present = approvalStateOf(declined, await deps.businessClock.now());
  if (present !== "declined")
    throw alreadyDecidedRefusal(present === null || present === "waiting" ? "withdrawn" : present);
  return declined;
};
