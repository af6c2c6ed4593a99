import { type BillingPeriodRow, markPeriodDrafted } from "../../../data/billing/subscriptions/billing-periods.ts";
import type { SubscriptionRow } from "../../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../../data/client.ts";
import { addSeconds, type BusinessTime } from "../../../kernel/time/clock.ts";
import { storeDraft } from "../../invoices/store-draft.ts";
import { lastComparison } from "../../rules/reconciliation-days.ts";
import { gatherInvoices } from "../gather/gather-invoices.ts";

/** `asOf`: usage that was received at this time or later isn't billed. */
export type Drafting = { row: SubscriptionRow; period: BillingPeriodRow; asOf: Date; at: BusinessTime };

/**
 * Events that arrive and refunds that are recorded within this time after the end of a period are still on the period's
 * own invoice.
 */
const graceSeconds = 24 * 3_600;

/**
 * Stores the drafts of a period that has ended. They become final after the grace period, but not before the last day
 * of the period can be compared.
 */
export const draftPeriod = async (sql: Sql, drafting: Omit<Drafting, "asOf">): Promise<void> => {
  const { row, period } = drafting;
  await storeDrafts(sql, { ...drafting, asOf: drafting.at });
  await markPeriodDrafted(sql, period, finalAt(row, period));
};

/**
 * Whether a period follows the last period of an ended subscription. Such a period has no usage and no refunds. Its
 * invoice only repeats or corrects credits of earlier invoices, so it has no grace period.
 */
export const isFurtherPeriod = ({ endedAt }: SubscriptionRow, { kind, from }: BillingPeriodRow): boolean =>
  kind === "late" && from.getTime() !== endedAt?.getTime();

const finalAt = (row: SubscriptionRow, period: BillingPeriodRow): Date => {
  const { kind, to } = period;
  if (isFurtherPeriod(row, period)) return to;
  const afterGrace = addSeconds(to, graceSeconds);
  return kind === "late" ? afterGrace : new Date(Math.max(afterGrace.getTime(), lastComparison({ to }).getTime()));
};

/** Stores or refreshes the drafts of a period, one for each currency that has lines. @returns their ids. */
export const storeDrafts = async (sql: Sql, { row, period, asOf, at }: Drafting): Promise<string[]> => {
  const { plan, inputs } = await gatherInvoices(sql, { row, period, asOf });
  const isPart = period.to < period.wholeTo && (row.cancelAt === null || period.to < row.cancelAt);
  const drafts: string[] = [];
  for (const input of inputs) {
    const stored = await storeDraft(sql, {
      merchantId: row.merchantId,
      subscriptionId: row.id,
      kind: isPart ? "change" : "period",
      period: { from: period.from, to: period.to },
      plan: { id: plan.id, version: plan.version },
      input,
      at,
    });
    if (stored.outcome === "stored") drafts.push(stored.invoiceId);
  }
  return drafts;
};
