import { type ChargeState, canBecome } from "./charge-states.ts";

export const disputeStatuses = ["open", "won", "lost"] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];

/**
 * What is still to be written about a dispute, in order, when its processor says how it stands. One that was closed
 * isn't opened by late word; an appeal may turn one end into the other.
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

/** As the charge stands by its money alone. */
const undisputed = ({ captureMethod, amount, amountCaptured, amountRefunded }: Captured): ChargeState => {
  if (amountRefunded > 0n) return amountRefunded === amountCaptured ? "refunded" : "partially_refunded";
  if (captureMethod === "automatic") return "succeeded";
  return amountCaptured === amount ? "captured" : "partially_captured";
};

/**
 * A charge is disputed while a dispute is open, and stays so once one is lost: its money is gone. With every dispute
 * won it stands as it would without them. One that was refunded whole before stays that.
 */
export const stateUnderDisputes = (charge: Captured, disputes: readonly DisputeStatus[]): ChargeState => {
  const state = disputes.every((status) => status === "won") ? undisputed(charge) : "disputed";
  return canBecome(charge.state, state) ? state : charge.state;
};
