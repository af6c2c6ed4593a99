import type { BillingPeriodRow } from "../../../data/billing/subscriptions/billing-periods.ts";
import type { SubscriptionRow } from "../../../data/billing/subscriptions/subscriptions.ts";
import { dayIn } from "../../../kernel/time/calendar.ts";
import type { PlanVersion } from "../../catalogue/plan-version.ts";
import type { CurrencyTerms } from "../../rules/plans/terms.ts";
import type { Period } from "../../rules/usage-period.ts";
import type { UsageQuery } from "./period-usage.ts";
import { pricedTerms } from "./priced-terms.ts";

type Part = {
  row: Pick<SubscriptionRow, "merchantId" | "timeZone" | "createdAt">;
  period: BillingPeriodRow;
  plan: Pick<PlanVersion, "terms">;
  currency: string;
  /** the billed part of the period */
  billed: Period;
  /** events that were received at this time or later don't count */
  asOf: Date;
};

/** The usage of all meters that can be priced in a currency. */
export const usageOf = ({ row, period, currency, billed, asOf }: Omit<Part, "plan">): UsageQuery => ({
  merchantId: row.merchantId,
  period: billed,
  timeZone: row.timeZone,
  firstDay: dayIn(row.timeZone, row.createdAt),
  currency,
  isMain: currency === period.currency,
  receivedBefore: asOf,
});

/** The usage that a plan prices in a currency, with the prices; null if the plan doesn't price the currency. */
export const pricedUsageOf = (part: Part): { terms: CurrencyTerms; query: UsageQuery } | null => {
  const { plan, period, currency } = part;
  const terms = pricedTerms(plan.terms, { currency, main: period.currency });
  return terms && { terms, query: { ...usageOf(part), meters: [...terms.prices.keys()] } };
};
