import type { BillingPeriodRow } from "../../../data/billing/subscriptions/billing-periods.ts";
import {
  getSubscriptionRow,
  insertPendingChange,
  type SubscriptionRow,
} from "../../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../../data/client.ts";
import type { Deps } from "../../../deps/deps.ts";
import { DomainError, sentenceRefusal } from "../../../kernel/errors.ts";
import type { BusinessTime } from "../../../kernel/time/clock.ts";
import { type ChosenPlan, choosePlan } from "../choose-plan.ts";
import { getOpenPeriod } from "../period-span.ts";
import { type By, recordSubscription } from "../record-subscription.ts";
import { lockCurrentSubscription } from "../run/lock-current-subscription.ts";
import { loadSubscriptionView, type SubscriptionView } from "../subscription-view.ts";
import { switchPlan } from "../switch-plan.ts";
import { applyEnd } from "./apply-end.ts";
import { pendingRefusal } from "./pending-refusal.ts";
import { type Effective, previewInvoices } from "./preview-invoices.ts";

type Input = By & {
  merchantId: string;
  planId: string;
  /** null: the newest version in effect */
  version: number | null;
  effective: Effective;
  /** null removes the end; undefined keeps it */
  cancelAt: Date | null | undefined;
  /** whether the caller saw the preview with this hash */
  hasSeen(hash: string): boolean;
};

/**
 * Changes the plan or the end of a merchant's subscription. Only one of several concurrent changes succeeds
 * (docs/spec/billing.md, Plan changes).
 * @throws DomainError subscription_not_found, plan_not_found, plan_version_retired, currency_not_priced,
 *   precondition_failed, change_pending, invalid_request.
 */
export const changePlan = (deps: Deps, input: Input): Promise<SubscriptionView> =>
  deps.db.sqlTransaction(async (sql) => {
    const { merchantId, planId, version, effective } = input;
    const { row, at } = await lockCurrentSubscription(deps, sql, merchantId);
    const open = await getOpenPeriod(sql, row);
    const wanted = { merchantId, planId, version, currency: null, current: row, at, isOperator: false };
    const chosen = await choosePlan(sql, wanted);
    const preview = await previewInvoices(sql, { row, open, chosen, effective, currency: null, at });
    if (!input.hasSeen(preview.hash)) throw changedRefusal();
    if (row.pendingPlanId !== null) throw pendingRefusal();
    if (effective === "period_end" && isOther(row, chosen)) refuseEndBefore(open.wholeTo, row, input.cancelAt);
    const changed = await applyPlan(deps, sql, { row, open, chosen, effective, at });
    const ended = await applyEnd(deps, sql, { row: changed, cancelAt: input.cancelAt, at });
    const result = await getSubscriptionRow(sql, ended.id);
    const data = { plan: planId, version: chosen.plan.version, effective, cancel_at: isoOrNull(result.cancelAt) };
    // A repeated request changes nothing, so it writes no event.
    if (isOther(row, chosen) || data.cancel_at !== isoOrNull(row.cancelAt)) {
      await recordSubscription(sql, { ...input, row: result, at, action: "subscription.changed", data });
    }
    return loadSubscriptionView(sql, result, at);
  });

const isOther = ({ planId, planVersion }: SubscriptionRow, { plan }: ChosenPlan): boolean =>
  plan.id !== planId || plan.version !== planVersion;

/**
 * Refuses an end of the subscription before the new plan begins. Otherwise, the new plan would never begin, and its
 * pending change would prevent the removal of the end.
 */
const refuseEndBefore = (startsAt: Date, row: SubscriptionRow, cancelAt: Date | null | undefined): void => {
  const end = cancelAt === undefined ? row.cancelAt : cancelAt;
  if (end !== null && end <= startsAt)
    throw sentenceRefusal(
      "/cancel_at",
      "The plan ends before the new plan would start. Remove the planned end first, or make the change now.",
    );
};

const isoOrNull = (at: Date | null): string | null => at?.toISOString() ?? null;

type PlanChange = {
  row: SubscriptionRow;
  open: BillingPeriodRow;
  chosen: ChosenPlan;
  effective: Effective;
  at: BusinessTime;
};

const applyPlan = async (
  deps: Pick<Deps, "config" | "clock">,
  sql: Sql,
  { row, open, chosen, effective, at }: PlanChange,
): Promise<SubscriptionRow> => {
  const { plan } = chosen;
  if (!isOther(row, chosen)) return row;
  if (effective === "period_end") {
    const change = { subscriptionId: row.id, plan, effectiveAt: open.wholeTo, requestedAt: at };
    await insertPendingChange(sql, change);
    return row;
  }
  return switchPlan(deps, sql, { row, open, to: chosen, at });
};

const changedRefusal = (): DomainError =>
  new DomainError("conflict", {
    code: "precondition_failed",
    message:
      "The result of the change now differs from the preview. Get a new preview and repeat the change with its hash.",
  });
