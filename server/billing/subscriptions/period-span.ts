import { type BillingPeriodRow, findOpenPeriod } from "../../data/billing/subscriptions/billing-periods.ts";
import type { SubscriptionRow } from "../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../data/client.ts";
import type { Span } from "../rules/subscriptions/divide-period.ts";

export const toSpan = ({ from, to, wholeFrom, wholeTo, number }: BillingPeriodRow): Span => ({
  from,
  to,
  whole: { from: wholeFrom, to: wholeTo },
  number,
});

/** The open period of a subscription that hasn't ended. */
export const getOpenPeriod = async (sql: Sql, { id }: SubscriptionRow): Promise<BillingPeriodRow> => {
  const open = await findOpenPeriod(sql, id);
  if (!open) throw new Error(`subscription ${id} has no open period`);
  return open;
};
