import { type ChargeRow, findCharge } from "../../data/charges/charges.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { chargeNotFound } from "../lists/list-charges.ts";
import { type ApprovalStanding, approvalStanding } from "../rules/approval.ts";

/** Whose money a charge would take; null where there is no such charge. */
export const findChargePayer = async (deps: Pick<Deps, "db">, input: { chargeId: string }): Promise<string | null> =>
  (await findCharge(deps.db.sql, input.chargeId))?.payerId ?? null;

/**
 * A charge that needed its payer's word, and how it stands.
 * @throws DomainError not_found for an unknown id, another payer's charge, and one that nobody had to approve.
 */
export const getAskedCharge = async (
  deps: Pick<Deps, "db" | "businessClock">,
  input: { chargeId: string; payerId: string },
): Promise<{ charge: ChargeRow; standing: ApprovalStanding }> => {
  const charge = await findCharge(deps.db.sql, input.chargeId);
  const standing = charge?.payerId === input.payerId ? approvalStanding(charge, await deps.businessClock.now()) : null;
  if (!charge || !standing) throw chargeNotFound();
  return { charge, standing };
};

const told: Readonly<Record<Exclude<ApprovalStanding, "waiting">, string>> = {
  approved: "You already approved this payment.",
  declined: "You already declined this payment. Nothing was charged.",
  expired: "The approval expired after 15 minutes. Nothing was charged.",
  withdrawn: "The payment was cancelled. Nothing was charged.",
};

/** Too late: what was decided stays, and this changed nothing. */
export const alreadyDecided = (standing: Exclude<ApprovalStanding, "waiting">): DomainError =>
  new DomainError("conflict", `approval_${standing}`, told[standing]);
