import { type BillingPeriodRow, findEarlierParts } from "../../../data/billing/subscriptions/billing-periods.ts";
import type { SubscriptionRow } from "../../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../../data/client.ts";
import type { PlanVersion } from "../../catalogue/plan-version.ts";
import type { PeriodPart } from "../../rules/invoice/types.ts";
import { billedPart } from "../../rules/subscriptions/divide-period.ts";
import { toSpan } from "../period-span.ts";
import { readPeriodUsage } from "./period-usage.ts";
import { pricedUsageOf } from "./priced-usage.ts";

type Input = {
  row: Pick<SubscriptionRow, "id" | "merchantId" | "timeZone" | "trialEndsAt" | "createdAt">;
  period: Pick<BillingPeriodRow, "planId" | "planVersion" | "from">;
  plan: Pick<PlanVersion, "terms">;
  currency: string;
  /** events that were received at this time or later don't count */
  asOf: Date;
};

/**
 * The earlier parts with which a part shares free units, tiers and the maximum (docs/spec/billing.md, Periods); in time
 * order.
 */
export const loadEarlierParts = async (
  sql: Sql,
  { row, period: { planId, planVersion, from }, plan, currency, asOf }: Input,
): Promise<PeriodPart[]> => {
  const parts: PeriodPart[] = [];
  for (const period of await findEarlierParts(sql, row.id, { planId, planVersion, from })) {
    const part = billedPart(toSpan(period), row);
    const priced = part && pricedUsageOf({ row, period, plan, currency, billed: part.period, asOf });
    if (!priced) continue;
    const usage = await readPeriodUsage(sql, priced.query);
    parts.push({ plan: { id: planId, version: planVersion }, terms: priced.terms, ...part, usage });
  }
  return parts;
};
