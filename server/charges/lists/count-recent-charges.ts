import { type ChargeCount, countChargesByState } from "../../data/operators/charge-counts.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { chargesReadFrom, nextSlot } from "../rules/sum-slots.ts";

export type { ChargeCount } from "../../data/operators/charge-counts.ts";

/** Charges of all merchants that were created in the last `seconds` of business time, by state. */
export const countRecentCharges = async (
  deps: Pick<Deps, "db" | "businessClock">,
  { seconds }: { seconds: number },
): Promise<ChargeCount[]> => {
  const now = await deps.businessClock.now();
  const since = addSeconds(now, -seconds);
  const chargesFrom = chargesReadFrom(now);
  // If the period is short, all its slots are too new to have sums, so only charges are counted.
  if (chargesFrom <= since) return countChargesByState(deps.db.sql, { since, sumsFrom: since, chargesFrom: since });
  return countChargesByState(deps.db.sql, { since, sumsFrom: nextSlot(since), chargesFrom });
};
