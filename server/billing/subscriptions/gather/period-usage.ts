import { readBillableUsage } from "../../../data/billing/meters/billable-usage.ts";
import type { Sql } from "../../../data/client.ts";
import { billingPeriodAt, nthBillingPeriod } from "../../rules/periods/billing-period.ts";
import type { Meter, Usage } from "../../rules/plans/terms.ts";
import type { Period } from "../../rules/usage-period.ts";

export type UsageQuery = {
  merchantId: string;
  period: Period;
  timeZone: string;
  /** the day on which the subscription began, for example `2027-01-31` */
  firstDay: string;
  currency: string;
  /** whether the meters without a currency are priced in this currency */
  isMain: boolean;
  receivedBefore: Date;
  /** the priced meters; other meters are not read; default: all meters */
  meters?: readonly Meter[];
};

/**
 * The months of the subscription that a period overlaps. An active mandate counts once in each month. The months start
 * on the day of the month on which the subscription began, even after a change of interval, so that no mandate counts
 * twice in one month.
 */
export const monthsOf = ({ period, firstDay, timeZone }: Pick<UsageQuery, "period" | "firstDay" | "timeZone">) => {
  const schedule = { interval: "month", anchorDate: firstDay, timeZone } as const;
  const { index, from, to } = billingPeriodAt(schedule, period.from);
  const months: Period[] = [{ from, to }];
  for (let last = to; last < period.to; last = months.at(-1)?.to ?? period.to) {
    months.push(nthBillingPeriod(schedule, index + months.length));
  }
  return months;
};

/** The usage of a merchant in a period, for the meters that are priced in one currency. */
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
