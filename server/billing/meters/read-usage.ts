import type { CallMeter } from "../../data/billing/meters/metering.ts";
import { sumUsage, type UsageSum } from "../../data/billing/usage-sums.ts";
import type { Deps } from "../../deps/deps.ts";
import { sentenceRefusal } from "../../kernel/errors.ts";
import type { Period } from "../rules/usage-period.ts";
import { dividedUnits, divideIntoWindows, type UsageWindow, usageWindowProblem } from "../rules/usage-windows.ts";
import { decidePeriod, type RequestedPeriod } from "./usage-period.ts";

export type MeterSums = {
  period: Period;
  /** distinct mandates with a successful charge */
  activeMandates: number;
  /** verdicts of verify-mandate, valid or not */
  verifications: number;
  calls: Readonly<Record<CallMeter, number>>;
  charges: { currency: string; count: number; amountMinor: bigint }[];
  /** sorted by name; sums may exceed the exact range of a double */
  ownMeters: { meter: string; count: number; quantity: bigint }[];
  hasMoreMeters: boolean;
};

/** `windows`: null if no windows were requested. */
export type Usage = MeterSums & { timeZone: string; windows: MeterSums[] | null };

const maxOwnMeters = 1_000;
const maxOwnMetersInWindows = 20;

type Input = {
  merchantId: string;
  /** one of the merchant's own meters; null: all */
  meter: string | null;
  timeZone?: string;
  window?: UsageWindow | null;
} & RequestedPeriod;

/**
 * The usage of a merchant, counted from its records. A successful charge counts once, at the time of the payment. A
 * call counts at the time of the call. Windows are hours, days or months in the time zone.
 * @throws DomainError invalid, naming the field of the period or the window.
 */
export const readUsage = async (
  deps: Pick<Deps, "db" | "businessClock">,
  { merchantId, meter, timeZone = "UTC", window = null, ...requested }: Input,
): Promise<Usage> => {
  const period = await decidePeriod(deps, requested, timeZone);
  const problem = window && usageWindowProblem(period, window);
  if (problem) throw sentenceRefusal("#window", problem);
  const [total] = await readSums(deps, { merchantId, meter, periods: [period], limit: maxOwnMeters });
  if (!total) throw new Error("a period has no sums");
  const windows =
    window &&
    (await readSums(deps, {
      merchantId,
      meter,
      periods: divideIntoWindows(period, { window, timeZone }),
      limit: maxOwnMetersInWindows,
    }));
  return { ...total, timeZone, windows };
};

type SumsInput = { merchantId: string; meter: string | null; periods: readonly Period[]; limit: number };

const readSums = async ({ db }: Pick<Deps, "db">, input: SumsInput): Promise<MeterSums[]> => {
  const { merchantId, meter, periods, limit } = input;
  const bounds = [...periods.map(({ from }) => from), ...periods.slice(-1).map(({ to }) => to)];
  if (bounds.length === 0) return [];
  const divided = { hours: dividedUnits(bounds, "hour"), minutes: dividedUnits(bounds, "minute") };
  const rows = await sumUsage(db.sql, { merchantId, bounds, divided, own: { meter, limit: limit + 1 } });
  const names = [...new Set(rows.flatMap(({ kind, name }) => (kind === "own" ? [name] : [])))].toSorted();
  const shown = new Set(names.slice(0, limit));
  const bySlot = Map.groupBy(rows, ({ slot }) => slot);
  return periods.map((period, index) => {
    const sums = toSums(bySlot.get(index + 1) ?? [], shown);
    return { ...sums, period, hasMoreMeters: names.length > limit };
  });
};

const toSums = (rows: readonly UsageSum[], ownMeters: ReadonlySet<string>) => {
  const countOf = (name: string): number =>
    Number(rows.find((row) => row.kind !== "own" && row.name === name)?.count ?? 0);
  const ofKind = (kind: UsageSum["kind"]) => rows.filter((row) => row.kind === kind);
  return {
    activeMandates: countOf("active_mandates"),
    verifications: countOf("verifications"),
    calls: {
      tokens_issued: countOf("tokens_issued"),
      introspections: countOf("introspections"),
      step_ups: countOf("step_ups"),
      webhooks_delivered: countOf("webhooks_delivered"),
    },
    charges: ofKind("charges").map(({ name, count, quantity }) => ({
      currency: name,
      count: Number(count),
      amountMinor: BigInt(quantity),
    })),
    ownMeters: ofKind("own")
      .filter(({ name }) => ownMeters.has(name))
      .map(({ name, count, quantity }) => ({ meter: name, count: Number(count), quantity: BigInt(quantity) })),
  };
};
