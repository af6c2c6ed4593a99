import { type ChargeState, canBecome } from "./charge-states.ts";

export const disputeStatuses = ["open", "won", "lost"] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];

/**
 * The steps of a dispute that are not recorded yet, in order, given the state that the processor reports. A closed
 * dispute isn't reopened by a late event; an appeal may change `won` to `lost` or the reverse.
 */
export const disputeSteps = (known: DisputeStatus | null, reported: DisputeStatus): DisputeStatus[] => {
  if (known === reported) return [];
  if (known === null) return reported === "open" ? ["open"] : ["open", reported];
  return reported === "open" ? [] : [reported];
};

type Captured = {
  state: ChargeState;
  captureMethod: string;
  amount: bigint;
  amountCaptured: bigint;
  amountRefunded: bigint;
};

/** The charge's state, derived only from its amounts. */
const undisputed = ({ captureMethod, amount, amountCaptured, amountRefunded }: Captured): ChargeState => {
  if (amountRefunded > 0n) return amountRefunded === amountCaptured ? "refunded" : "partially_refunded";
  if (captureMethod === "automatic") return "succeeded";
  return amountCaptured === amount ? "captured" : "partially_captured";
};

/**
 * A charge is disputed while a dispute is open. It remains disputed if a dispute is lost, because the money is lost. If
 * every dispute is won, the charge has the state that it would have without disputes. A fully refunded charge stays
 * refunded.
 */
export const stateUnderDisputes = (charge: Captured, disputes: readonly DisputeStatus[]): ChargeState => {
  const state = disputes.every((status) => status === "won") ? undisputed(charge) : "disputed";
  return canBecome(charge.state, state) ? state : charge.state;
};
