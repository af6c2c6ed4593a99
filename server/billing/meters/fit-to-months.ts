import { findUsageEventHashes } from "../../data/billing/usage-events.ts";
import { lockUsageMonths, sumUsageMonths } from "../../data/billing/usage-months.ts";
import type { Sql } from "../../data/client.ts";
import { addedQuantities, withoutExcess } from "../rules/month-quantities.ts";
import { type UsageBatch, usageKey } from "../rules/usage-batch.ts";
import { maxMonthQuantity, oldestAccepted } from "../rules/usage-event.ts";

/**
 * If a batch adds at most this quantity to a meter's month, the month isn't checked. It takes a million such batches to
 * reach the limit.
 */
const uncheckedQuantity = 1_000_000n;

/** Removes events that exceed the limit of a month from the batch. Runs in the transaction that records the batch. */
export const fitToMonths = async (
  sql: Sql,
  { merchantId, batch, at }: { merchantId: string; batch: UsageBatch; at: Date },
): Promise<UsageBatch> => {
  const added = addedQuantities(batch).filter(({ quantity }) => quantity > uncheckedQuantity);
  if (added.length === 0) return batch;
  await lockUsageMonths(sql, merchantId);
  const recorded = await sumUsageMonths(sql, merchantId, added);
  const isWithin = recorded.every(
    ({ quantity }, index) => quantity + (added[index]?.quantity ?? 0n) <= maxMonthQuantity,
  );
  if (isWithin) return batch;
  const candidates = [...batch.candidates.values()].map(({ usage }) => usage);
  const keyed = await findUsageEventHashes(sql, merchantId, candidates);
  const known = new Set(keyed.filter(({ time }) => time >= oldestAccepted(at)).map(usageKey));
  return withoutExcess(batch, recorded, (key) => known.has(key));
};
