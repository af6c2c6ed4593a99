import type { InvoiceObject } from "../../../billing/invoices/invoice.wire.ts";
import type { comparePlans } from "../../../billing/subscriptions/change/compare-plans.ts";
import type { ChangePreview } from "../../../billing/subscriptions/change/preview-invoices.ts";
import { toSubscriptionObject } from "../../../billing/subscriptions/subscription.wire.ts";
import type { SubscriptionView } from "../../../billing/subscriptions/subscription-view.ts";
import { findPlanName } from "../../../data/billing/catalogue/plans.ts";
import type { Sql } from "../../../data/client.ts";
import { isDomainError } from "../../../kernel/errors.ts";

/** Null instead of subscription_not_found, for pages that a merchant without a plan can open. */
export const orNoSubscription = async <Result>(reading: Promise<Result>): Promise<Result | null> => {
  try {
    return await reading;
  } catch (error) {
    if (isDomainError(error) && error.code === "subscription_not_found") return null;
    throw error;
  }
};

/** A subscription with the names of its plans. */
export const toSubscribedPlan = async (sql: Sql, view: SubscriptionView) => {
  const { plan, status, period, ...subscription } = toSubscriptionObject(view);
  const next = subscription.pending_change;
  return {
    plan: { ...plan, name: await findPlanName(sql, plan) },
    status,
    period,
    trialEndsAt: subscription.trial_ends_at,
    cancelAt: subscription.cancel_at,
    nextPlan: next && { ...next.plan, name: await findPlanName(sql, next.plan), startsAt: next.effective_at },
  };
};

export const toPlanComparisonView = async (sql: Sql, compared: Awaited<ReturnType<typeof comparePlans>>) => ({
  subscription: await toSubscribedPlan(sql, compared.view),
  plans: compared.plans,
});

/** Previews have whole numbers in the range of JSON numbers, like the API. */
const toPreviewedInvoice = ({ id: _, ...invoice }: InvoiceObject) => ({
  currency: invoice.currency,
  from: invoice.period.from,
  to: invoice.period.to,
  lines: invoice.lines.map(({ id, description, quantity, exact, amount }) => ({
    id,
    description,
    quantity: String(quantity),
    exact,
    amountMinor: amount,
  })),
  discounts: invoice.discounts.map(({ coupon, amount }) => ({ coupon, amountMinor: amount })),
  taxes: invoice.taxes.map(({ category, rate, base, amount }) => ({
    category,
    rate,
    baseMinor: base,
    amountMinor: amount,
  })),
  subtotalMinor: invoice.subtotal,
  totalMinor: invoice.total,
  toCreditBalanceMinor: invoice.total - invoice.tax - invoice.lines.reduce((sum, { net }) => sum + net, 0),
  creditAppliedMinor: invoice.credit_applied,
  prepaidAppliedMinor: invoice.prepaid_applied,
  amountDueMinor: invoice.amount_due,
});

export const toPlanChangePreview = async (
  { hash, dueNow, next }: ChangePreview,
  nameOf: (plan: { id: string; version: number }) => Promise<string>,
) => ({
  hash,
  plan: { ...next.plan, name: await nameOf(next.plan) },
  dueNow: dueNow && toPreviewedInvoice(dueNow),
  next: toPreviewedInvoice(next),
});

export type MerchantSubscribedPlan = Awaited<ReturnType<typeof toSubscribedPlan>>;
export type MerchantPlanComparison = Awaited<ReturnType<typeof toPlanComparisonView>>;
export type MerchantPlanChangePreview = Awaited<ReturnType<typeof toPlanChangePreview>>;
export type MerchantPreviewedInvoice = ReturnType<typeof toPreviewedInvoice>;
