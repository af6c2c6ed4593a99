import { type ChargeRow, findCharge } from "../../data/charges/charges.ts";
import type { Deps } from "../../deps/deps.ts";
import type { LookupOutcome } from "../../deps/processor-port.ts";
import type { SettledBy } from "../charge/settled-by.ts";
import { raiseContradiction } from "../review/raise-contradiction.ts";
import { isOpen, isUnpaid } from "../rules/charge-states.ts";
import { lookUpPayment } from "./look-up-payment.ts";
import { settleFound } from "./settle-found.ts";
import { unansweredRefusal } from "./unanswered-refusal.ts";

/**
 * Called when a processor reports a change of a charge's payment. Asks the processor about the payment and settles the
 * charge according to the answer. If the charge has ended without a payment, the merchant has a final answer and the
 * budget was released. If the processor still holds or has captured money for such a charge, a contradiction is
 * reported to operators.
 * @param report.reference the payment's id at the processor.
 * @returns the charge after this call; null if the payment has another amount or currency. Such a payment settles
 *   nothing.
 * @throws DomainError unavailable if the processor gives no answer and no look-up is scheduled. The processor then
 *   sends its event again.
 */
export const takeOverPayment = async (
  deps: Deps,
  charge: ChargeRow,
  report: { reference: string; by: SettledBy },
): Promise<ChargeRow | null> => {
  if (!isOpen(charge) && !isUnpaid(charge)) return charge;
  const { reference, by } = report;
  const found = await lookUpPayment(deps, charge, { requestId: by.requestId, reference });
  if (found.kind === "mismatch") return null;
  if (found.kind === "unknown" || found.kind === "not_sent") return unlessForgotten(deps, charge);
  const settled = isOpen(charge) ? await settleFound(deps, charge, { found, by }) : charge;
  const paid = paidOf(charge, found);
  if (!paid || !isUnpaid(settled)) return settled;
  // The charge ended during the request to the processor. An authorization may have been voided since the answer, so
  // ask again.
  if (isOpen(charge)) return takeOverPayment(deps, settled, report);
  await raiseContradiction(deps, settled, { about: "payment", ...paid, requestId: by.requestId });
  return settled;
};

/** The look-ups of the charge may have ended during the request to the processor. */
const unlessForgotten = async (deps: Deps, charge: ChargeRow): Promise<ChargeRow> => {
  const present = (await findCharge(deps.db.sql, charge.id)) ?? charge;
  const isUnsettled = isOpen(present) || isUnpaid(present);
  if (isUnsettled && present.nextLookupAt === null) throw unansweredRefusal();
  return present;
};

/** The amount of the payer's money that the processor holds or has taken. */
const paidOf = (
  charge: ChargeRow,
  found: LookupOutcome,
): { processorRef: string; reported: string; amount: bigint } | null => {
  switch (found.kind) {
    case "succeeded":
    case "authorized":
      return { processorRef: found.processorRef, reported: found.kind, amount: charge.amount };
    case "captured":
      return { processorRef: found.processorRef, reported: found.kind, amount: found.amountMinor };
    default:
      return null;
  }
};
