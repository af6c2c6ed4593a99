import { listOwnMeters, sumMeterWindows } from "../../../data/billing/meters/windows/meter-windows.ts";
import type { Deps } from "../../../deps/deps.ts";
import { fieldRefusal, sentenceRefusal } from "../../../kernel/errors.ts";
import { isPriceableMeter } from "../../rules/plans/meters.ts";
import type { Period } from "../../rules/usage-period.ts";
import { dividedUnits, divideIntoWindows, type UsageWindow, usageWindowProblem } from "../../rules/usage-windows.ts";
import { decidePeriod, type RequestedPeriod } from "../usage-period.ts";

type ExploredWindow = Period & {
  quantity: bigint;
  /** amounts of charges, by currency */
  amounts: { currency: string; amountMinor: bigint }[];
};
export type ExploredUsage = {
  period: Period;
  windows: ExploredWindow[];
  /** the merchant's own meters with usage in the period */
  ownMeters: string[];
};

type Input = {
  merchantId: string;
  /** a built-in meter, or `own:NAME` */
  meter: string;
  window: UsageWindow;
  timeZone: string;
} & RequestedPeriod;

/**
 * The usage of one meter in each window of the time zone. Doesn't read other meters (docs/spec/billing.md, Usage
 * explorer).
 * @throws DomainError invalid, naming the field.
 */
export const exploreUsage = async (
  deps: Pick<Deps, "db" | "businessClock">,
  { merchantId, meter, window, timeZone, ...requested }: Input,
): Promise<ExploredUsage> => {
  if (!isPriceableMeter(meter)) throw fieldRefusal("#meter", "isn't a built-in meter or one of your own meters");
  const period = await decidePeriod(deps, requested, timeZone);
  const problem = usageWindowProblem(period, window);
  if (problem) throw sentenceRefusal("#window", problem);
  const { sql } = deps.db;
  const periods = divideIntoWindows(period, { window, timeZone });
  const bounds = [...periods.map(({ from }) => from), ...periods.slice(-1).map(({ to }) => to)];
  const divided = { hours: dividedUnits(bounds, "hour"), minutes: dividedUnits(bounds, "minute") };
  const rows = periods.length === 0 ? [] : await sumMeterWindows(sql, { merchantId, meter, bounds, divided });
  const bySlot = Map.groupBy(rows, ({ slot }) => slot);
  const windows = periods.map((each, index) => {
    const own = bySlot.get(index + 1) ?? [];
    return {
      ...each,
      quantity: own.reduce((sum, { quantity }) => sum + BigInt(quantity), 0n),
      amounts: own.flatMap(({ currency, amount }) =>
        currency === null ? [] : [{ currency, amountMinor: BigInt(amount ?? 0) }],
      ),
    };
  });
  return { period, windows, ownMeters: await listOwnMeters(sql, merchantId, period) };
};
