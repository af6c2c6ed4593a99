import { sumUsage } from "../../data/billing/usage.ts";
import type { Deps } from "../../deps/deps.ts";
import { type Period, wholeHours, wholeMinutes } from "../rules/usage-period.ts";
import { type AskedPeriod, decidePeriod } from "./usage-period.ts";

export type Usage = {
  period: Period;
  /** distinct mandates that a successful charge was made under */
  activeMandates: number;
  /** verdicts of verify-mandate, valid or not */
  verifications: number;
  charges: { currency: string; count: number; amountMinor: bigint }[];
  /** by name; sums may be beyond what a double carries exactly */
  ownMeters: { meter: string; count: number; quantity: bigint }[];
  hasMoreMeters: boolean;
};

const ownMetersAtOnce = 1_000;

/**
 * What a merchant used, counted from the books themselves: a successful charge counts once, when its money was taken, and a
 * verdict of verify-mandate when it was given; and what it told of meters of its own, or of that one which `meter` names.
 * @throws DomainError invalid, naming the field of the period.
 */
export const readUsage = async (
  deps: Pick<Deps, "db" | "businessClock">,
  { merchantId, meter, ...asked }: { merchantId: string; meter: string | null } & AskedPeriod,
): Promise<Usage> => {
  const period = await decidePeriod(deps, asked);
  const limit = ownMetersAtOnce;
  const sums = await sumUsage(deps.db.sql, {
    merchantId,
    period,
    own: { meter, limit },
    hours: wholeHours(period),
    minutes: wholeMinutes(period),
  });
  return {
    period,
    activeMandates: sums.mandates,
    verifications: Number(sums.verifications),
    charges: sums.amounts.map(({ amount, ...one }) => ({ ...one, amountMinor: BigInt(amount) })),
    ownMeters: sums.own.slice(0, limit).map(({ quantity, ...one }) => ({ ...one, quantity: BigInt(quantity) })),
    hasMoreMeters: sums.own.length > limit,
  };
};
