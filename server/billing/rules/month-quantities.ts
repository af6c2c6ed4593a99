import { utcMonth } from "../../kernel/time/utc-month.ts";
import type { UsageBatch } from "./usage-batch.ts";
import { maxMonthQuantity, type OwnUsage } from "./usage-event.ts";

/** The sum of a meter's quantities in a UTC month. */
export type MonthQuantity = { meter: string; month: { from: Date; to: Date }; quantity: bigint };

const keyOf = (meter: string, time: Date): string => `${meter} ${time.toISOString().slice(0, 7)}`;

/** The quantities that a batch adds if all of its events are new. */
export const addedQuantities = ({ candidates }: Pick<UsageBatch, "candidates">): MonthQuantity[] => {
  const added = new Map<string, MonthQuantity>();
  for (const { usage } of candidates.values()) {
    const { meter, time, quantity } = usage;
    const before = added.get(keyOf(meter, time)) ?? { meter, month: utcMonth(time, 0), quantity: 0n };
    added.set(keyOf(meter, time), { ...before, quantity: before.quantity + BigInt(quantity) });
  }
  return [...added.values()];
};

/**
 * The batch without events that were recorded before and without events in excess. Events are added in order. An event
 * is in excess if the quantity of its month would then exceed the limit. Only months in `recorded` are limited here.
 * @param recorded the quantities before this batch
 * @param isKnown whether an event with this key was recorded before
 */
export const withoutExcess = (
  batch: UsageBatch,
  recorded: readonly MonthQuantity[],
  isKnown: (key: string) => boolean,
): UsageBatch => {
  const sums = new Map(recorded.map(({ meter, month, quantity }) => [keyOf(meter, month.from), quantity]));
  const excess = new Set<string>();
  const fits = ({ meter, time, quantity }: OwnUsage): boolean => {
    const before = sums.get(keyOf(meter, time));
    if (before === undefined) return true;
    const sum = before + BigInt(quantity);
    if (sum <= maxMonthQuantity) sums.set(keyOf(meter, time), sum);
    return sum <= maxMonthQuantity;
  };
  const candidates = new Map(
    [...batch.candidates].filter(([key, { usage }]) => {
      if (isKnown(key)) return false;
      const isFitting = fits(usage);
      if (!isFitting) excess.add(key);
      return isFitting;
    }),
  );
  return { ...batch, candidates, excess };
};
