import { findLastPeriod } from "../../data/billing/subscriptions/billing-periods.ts";
import type { SubscriptionRow, SubscriptionStatus } from "../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../data/client.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { getPlanVersion } from "../catalogue/get-plan-version.ts";

export type SubscriptionView = {
  row: SubscriptionRow;
  /** the current period, or the last one of an ended subscription */
  period: { from: Date; to: Date };
  currencies: readonly string[];
  now: BusinessTime;
};

/** `trialing` isn't stored, so that a trial ends without an update. */
export const shownStatus = (
  { status, trialEndsAt }: Pick<SubscriptionRow, "status" | "trialEndsAt">,
  now: Date,
): SubscriptionStatus | "trialing" =>
  status === "active" && trialEndsAt !== null && now < trialEndsAt ? "trialing" : status;

export const loadSubscriptionView = async (
  sql: Sql,
  row: SubscriptionRow,
  now: BusinessTime,
): Promise<SubscriptionView> => {
  const period = await findLastPeriod(sql, row.id);
  if (!period) throw new Error(`subscription ${row.id} has no period`);
  const { terms } = await getPlanVersion(sql, { planId: row.planId, version: row.planVersion, at: now });
  const others = [...terms.currencies.keys()].filter((currency) => currency !== row.currency);
  return { row, period, currencies: [row.currency, ...others], now };
};
