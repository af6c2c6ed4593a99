import { sumUsage } from "../../data/billing/usage.ts";
import type { Deps } from "../../deps/deps.ts";
import { type Period, wholeHours, wholeMinutes } from "../rules/usage-period.ts";
import { decidePeriod, type RequestedPeriod } from "./usage-period.ts";

export type Usage = {
  period: Period;
  /** distinct mandates with a successful charge */
  activeMandates: number;
  /** verdicts of verify-mandate, valid or not */
  verifications: number;
  charges: { currency: string; count: number; amountMinor: bigint }[];
  /** sorted by name; sums may exceed the exact range of a double */
  ownMeters: { meter: string; count: number; quantity: bigint }[];
  hasMoreMeters: boolean;
};

const maxOwnMeters = 1_000;

/**
 * The usage of a merchant, counted from the records themselves. A successful charge counts once, at the time of the payment,
 * and a verdict of verify-mandate at its time. Own meters are all meters, or the one that `meter` names.
 * @throws DomainError invalid, naming the field of the period.
 */
export const readUsage = async (
  deps: Pick<Deps, "db" | "businessClock">,
  { merchantId, meter, ...requested }: { merchantId: string; meter: string | null } & RequestedPeriod,
): Promise<Usage> => {
  const period = await decidePeriod(deps, requested);
  const limit = maxOwnMeters;
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
