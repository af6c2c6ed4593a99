import { readBillableUsage } from "../../../data/billing/meters/billable-usage.ts";
import type { Sql } from "../../../data/client.ts";
import { type BillingInterval, intervalMonths } from "../../../kernel/billing/interval-months.ts";
import { dayIn } from "../../../kernel/time/calendar.ts";
import { nthBillingPeriod } from "../../rules/periods/billing-period.ts";
import type { Meter, Usage } from "../../rules/plans/terms.ts";
import type { Period } from "../../rules/usage-period.ts";

export type UsageQuery = {
  merchantId: string;
  /** the billed part of `whole` */
  period: Period;
  whole: Period;
  interval: BillingInterval;
  timeZone: string;
  currency: string;
  /** whether this currency prices the meters without a currency */
  isMain: boolean;
  receivedBefore: Date;
  /** the priced meters: the others are not read; default: all */
  meters?: readonly Meter[];
};

/** The months of an undivided period: an active mandate counts once in each. */
export const monthsOf = ({
  whole,
  interval,
  timeZone,
}: Pick<UsageQuery, "whole" | "interval" | "timeZone">): Period[] => {
  if (interval === "month") return [whole];
  const schedule = { interval: "month", anchorDate: dayIn(timeZone, whole.from), timeZone } as const;
  const last = intervalMonths[interval] - 1;
  const months = Array.from({ length: last }, (_, index) => nthBillingPeriod(schedule, index));
  return [...months, { from: nthBillingPeriod(schedule, last).from, to: whole.to }];
};

/** What a merchant used in a period, as one currency prices it. */
export const readPeriodUsage = (sql: Sql, query: UsageQuery): Promise<Usage> => {
  const { merchantId, period, currency, isMain, receivedBefore, meters } = query;
  return readBillableUsage(sql, {
    merchantId,
    period,
    currency,
    includeUncurrencied: isMain,
    receivedBefore,
    months: monthsOf(query),
    ...(meters ? { meters: new Set(meters) } : {}),
  });
};
