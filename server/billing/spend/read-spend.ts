import { listSpend } from "../../data/billing/spend/spend-history.ts";
import { findOpenPeriod } from "../../data/billing/subscriptions/billing-periods.ts";
import { findBillingSubscription } from "../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { startOfDay } from "../../kernel/time/calendar.ts";
import { forecastInvoice } from "../rules/spend/forecast-invoice.ts";
import { type MonthlySpend, monthsUntil, type SpendItem, spendByMonth } from "../rules/spend/spend-by-month.ts";
import { type PeriodSpend, readPeriodSpend } from "./read-period-spend.ts";

export type RunningSpend = PeriodSpend & {
  /** total of the whole period, if the usage continues at the same rate per day; null: see `forecastInvoice` */
  forecastMinor: bigint | null;
};

export type Spend = {
  /** of the current period, by currency; empty without a subscription */
  running: RunningSpend[];
  /** by currency; currencies without spend are left out */
  history: MonthlySpend[];
};

type Input = { merchantId: string; months: number; timeZone: string };

/** What a merchant spends: the current period, and the last months by meter (docs/spec/billing.md, Spend). */
export const readSpend = async (
  { db, businessClock }: Pick<Deps, "db" | "businessClock">,
  { merchantId, months: count, timeZone }: Input,
): Promise<Spend> => {
  const at = await businessClock.now();
  const months = monthsUntil(at, { count, timeZone });
  const since = startOfDay(`${months[0]}-01`, timeZone) ?? at;
  return db.sqlTransaction(async (sql) => {
    const running = await readRunning(sql, merchantId, at);
    const items = [...(await listSpend(sql, { merchantId, since })), ...running.flatMap(({ items: own }) => own)];
    return { running, history: spendByMonth(items, { months, timeZone }) };
  });
};

const readRunning = async (
  sql: Sql,
  merchantId: string,
  at: Date,
): Promise<(RunningSpend & { items: SpendItem[] })[]> => {
  const row = await findBillingSubscription(sql, merchantId);
  const open = row && (await findOpenPeriod(sql, row.id));
  if (!row || !open) return [];
  const spends = await readPeriodSpend(sql, { row, open, at });
  return spends.map((spend) => {
    const forecast = forecastInvoice(spend.input, at);
    const items = spend.invoice.lines.map(({ kind, meter, amount, discount }) => ({
      currency: spend.currency,
      periodFrom: open.from,
      kind,
      meter,
      amount: amount - discount,
    }));
    return { ...spend, forecastMinor: forecast && forecast.total + spend.earlierMinor, items };
  });
};
