import { z } from "zod";
import { planIdSchema } from "../../../billing/rules/plans/plan.wire.ts";
import { cancelSubscription } from "../../../billing/subscriptions/change/cancel-subscription.ts";
import { changePlan } from "../../../billing/subscriptions/change/change-plan.ts";
import { comparePlans } from "../../../billing/subscriptions/change/compare-plans.ts";
import { previewChange } from "../../../billing/subscriptions/change/preview-change.ts";
import { withdrawChange } from "../../../billing/subscriptions/change/withdraw-change.ts";
import { findPlanName } from "../../../data/billing/catalogue/plans.ts";
import { byMerchant, inputMerchant, memberProcedure, router } from "../../init.ts";
import { orNoSubscription, toPlanChangePreview, toPlanComparisonView } from "./plan-views.ts";

const choice = byMerchant.extend({ planId: planIdSchema, effective: z.enum(["now", "period_end"]) });

/** The plans that a merchant can choose, and the change to one of them (docs/spec/billing.md, Merchant pages). */
export const merchantPlansRouter = router({
  /** Null without a subscription. */
  compare: memberProcedure("billing.read", inputMerchant)
    .input(byMerchant)
    .query(async ({ ctx: { deps, merchantId } }) => {
      const compared = await orNoSubscription(comparePlans(deps, { merchantId }));
      return compared && toPlanComparisonView(deps.db.sql, compared);
    }),

  preview: memberProcedure("billing.read", inputMerchant)
    .input(choice)
    .query(async ({ ctx: { deps, merchantId }, input: { planId, effective } }) =>
      toPlanChangePreview(
        await previewChange(deps, { merchantId, planId, version: null, effective, currency: null }),
        (plan) => findPlanName(deps.db.sql, plan),
      ),
    ),

  change: memberProcedure("billing.change", inputMerchant)
    .input(choice.extend({ hash: z.string().length(64) }))
    .mutation(async ({ ctx: { deps, merchantId, by }, input: { planId, effective, hash } }) => {
      const wanted = { merchantId, planId, version: null, effective, cancelAt: undefined };
      await changePlan(deps, { ...wanted, hasSeen: (result) => result === hash, ...by });
    }),

  withdraw: memberProcedure("billing.change", inputMerchant)
    .input(byMerchant)
    .mutation(async ({ ctx: { deps, merchantId, by } }) => {
      await withdrawChange(deps, { merchantId, ...by });
    }),

  cancel: memberProcedure("billing.change", inputMerchant)
    .input(byMerchant.extend({ ends: z.enum(["now", "period_end", "never"]) }))
    .mutation(async ({ ctx: { deps, merchantId, by }, input: { ends } }) => {
      await cancelSubscription(deps, { merchantId, ends, ...by });
    }),
});
