import { type SpendRow, sumPayerSpend } from "../../data/payers/payer-charges.ts";
import type { Deps } from "../../deps/deps.ts";
import { addDays, dayIn, startOfDay } from "../../kernel/time/calendar.ts";

/** Bounds the work for a payer with very many charges. */
const maxCharges = 5_000;

export type MonthlySpend = { month: { startsAt: Date; endsAt: Date }; spend: SpendRow[] };

/** What each agent spent in the running calendar month of the payer's time zone, after refunds, by currency. */
export const summarizeSpend = async (
  { db, businessClock }: Pick<Deps, "db" | "businessClock">,
  { payerId, timeZone }: { payerId: string; timeZone: string },
): Promise<MonthlySpend> => {
  const at = await businessClock.now();
  const month = monthOf(at, timeZone);
  const spend = await sumPayerSpend(db.sql, { payerId, from: month.startsAt, to: month.endsAt, limit: maxCharges });
  return { month, spend };
};

const monthOf = (at: Date, timeZone: string): MonthlySpend["month"] => {
  const first = `${dayIn(timeZone, at).slice(0, 7)}-01`;
  // 32 days later is always in the next month.
  const next = `${addDays(first, 32).slice(0, 7)}-01`;
  const [startsAt, endsAt] = [startOfDay(first, timeZone), startOfDay(next, timeZone)];
  if (!startsAt || !endsAt) throw new Error(`the start or end of the month of ${first} does not exist in ${timeZone}`);
  return { startsAt, endsAt };
};
