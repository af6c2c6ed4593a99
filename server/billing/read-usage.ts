import { sumUsage } from "../data/usage.ts";
import type { Deps } from "../deps.ts";
import type { Period } from "./rules/usage-period.ts";
import { type AskedPeriod, decidePeriod } from "./usage-period.ts";

export type Usage = {
  period: Period;
  /** distinct mandates that a successful charge was made under */
  activeMandates: number;
  charges: { currency: string; count: number; amountMinor: bigint }[];
};

/**
 * What a merchant used, counted from the books themselves: a successful charge counts once, when its money was taken.
 * @throws DomainError invalid, naming the field of the period.
 */
export const readUsage = async (
  deps: Pick<Deps, "db" | "businessClock">,
  { merchantId, ...asked }: { merchantId: string } & AskedPeriod,
): Promise<Usage> => {
  const period = await decidePeriod(deps, asked);
  const { mandates, amounts } = await sumUsage(deps.db.sql, merchantId, period);
  const charges = amounts.map(({ amount, ...one }) => ({ ...one, amountMinor: BigInt(amount) }));
  return { period, activeMandates: mandates, charges };
};
