import type { ChargeRow, ChargeState } from "../data/charges.ts";
import type { Deps } from "../deps.ts";
import type { LookupOutcome } from "../processors/port.ts";
import { raiseContradiction } from "./raise-contradiction.ts";
import type { SettledBy } from "./settle-charge.ts";
import { settleFound } from "./settle-found.ts";
import { lookupOf } from "./submit-charge.ts";

/** Sent, and not at its end: what a processor may still bring news of. */
const open: ReadonlySet<ChargeState> = new Set(["submitted", "processing", "requires_action", "unknown", "authorized"]);
/** At its end without money: a processor that says otherwise is heard, and believed by nobody but an operator. */
const unpaid: ReadonlySet<ChargeState> = new Set(["declined", "voided", "expired"]);

export const isOpen = ({ state }: ChargeRow): boolean => open.has(state);
export const isUnpaid = ({ state }: ChargeRow): boolean => unpaid.has(state);

/**
 * A processor has news of a charge's payment: it is asked how that stands, and the charge settled by its answer. Where
 * the charge has ended without money and the processor has some of it, that is raised to an operator: the merchant was
 * told the end, and the budget is free again. @returns the charge as it stands then.
 */
export const takeOverPayment = async (
  deps: Deps,
  charge: ChargeRow,
  reference: string,
  by: SettledBy,
): Promise<ChargeRow> => {
  if (!isOpen(charge) && !isUnpaid(charge)) return charge;
  const known = charge.processorRef ?? reference;
  const found = await deps.processors.get(charge.processor).lookup({ ...lookupOf(charge), reference: known });
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
