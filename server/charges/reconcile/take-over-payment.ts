import type { ChargeRow } from "../../data/charges/charges.ts";
import type { Deps } from "../../deps/deps.ts";
import type { LookupOutcome } from "../../deps/processor-port.ts";
import type { SettledBy } from "../charge/settle-charge.ts";
import { raiseContradiction } from "../review/raise-contradiction.ts";
import { isOpen, isUnpaid } from "../rules/settlement.ts";
import { lookUpPayment } from "./look-up-payment.ts";
import { settleFound } from "./settle-found.ts";
import { unansweredRefusal } from "./unanswered-refusal.ts";

/**
 * A processor has news of a charge's payment: it is asked how that stands, and the charge settled by its answer. Where
 * the charge has ended without money and the processor has some of it, that is raised to an operator: the merchant was
 * told the end, and the budget is free again.
 * @returns the charge as it stands then; null where the payment is of another amount or currency, and settles nothing.
 * @throws DomainError unavailable if the processor gives no answer and no look-up is scheduled: it must send its event again.
 */
export const takeOverPayment = async (
  deps: Deps,
  charge: ChargeRow,
  reference: string,
  by: SettledBy,
): Promise<ChargeRow | null> => {
  if (!isOpen(charge) && !isUnpaid(charge)) return charge;
  const found = await lookUpPayment(deps, charge, { requestId: by.requestId, reference });
  if (found.kind === "mismatch") return null;
  const hasNoAnswer = found.kind === "unknown" || found.kind === "not_sent";
  if (hasNoAnswer && charge.nextLookupAt === null) throw unansweredRefusal();
  if (isOpen(charge)) return settleFound(deps, charge, found, by);
  const paid = paidOf(charge, found);
  if (paid) await raiseContradiction(deps, charge, { about: "payment", ...paid, requestId: by.requestId });
  return charge;
};

/** What the processor holds or has taken of the payer's money. */
const paidOf = (
  charge: ChargeRow,
  found: LookupOutcome,
): { processorRef: string; told: string; amount: bigint } | null => {
  switch (found.kind) {
    case "succeeded":
    case "authorized":
      return { processorRef: found.processorRef, told: found.kind, amount: charge.amount };
    case "captured":
      return { processorRef: found.processorRef, told: found.kind, amount: found.amountMinor };
    default:
      return null;
  }
};
