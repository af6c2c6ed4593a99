import { replaceChargeSums, takeChargeSumsDue } from "../../data/charges/merchant/charge-sums.ts";
import type { Deps } from "../../deps/deps.ts";
import { summedUntil } from "../rules/sum-slots.ts";

/**
 * Sums the charges of slots that changed, for the merchant's overview. The slots are claimed in the same transaction.
 * If a charge changes in the meantime, its slot is marked again.
 * @returns the number of slots.
 */
export const sumDueCharges = async (
  deps: Pick<Deps, "db" | "businessClock">,
  { limit }: { limit: number },
): Promise<number> => {
  const until = summedUntil(await deps.businessClock.now());
  return deps.db.sqlTransaction(async (sql) => {
    const due = await takeChargeSumsDue(sql, { until, limit });
    if (due.length > 0) await replaceChargeSums(sql, due);
    return due.length;
  });
};
