import { z } from "zod";
import { applyCoupon } from "../../../billing/coupons/apply-coupon.ts";
import { removeCoupon } from "../../../billing/coupons/remove-coupon.ts";
import { grantCredit } from "../../../billing/credits/grant-credit.ts";
import { addSlaCredit } from "../../../billing/sla/add-sla-credit.ts";
import { assignPlan } from "../../../billing/subscriptions/assign-plan.ts";
import { withdrawChange } from "../../../billing/subscriptions/change/withdraw-change.ts";
import { byMerchant, operatorProcedure, router } from "../../init.ts";
import { instant, operatorOf, reason } from "../operator-fields.ts";
import { readMerchantBilling } from "./read-merchant-billing.ts";

const currency = z.string().max(3);
const requestKey = z.string().regex(/^[!-~]{8,100}$/);
const byCode = byMerchant.extend({ code: z.string().trim().min(1).max(64), reason });

/** A merchant's subscription, credits and coupons (docs/spec/billing.md, Operator pages). */
export const operatorMerchantBillingRouter = router({
  get: operatorProcedure("merchant_billing.read")
    .input(byMerchant.extend({ creditsAfter: z.string().max(64).optional() }))
    .query(({ ctx, input }) => readMerchantBilling(ctx.deps, input)),

  /** `key`: created once by the form, so that a repeated request grants one credit. */
  grantCredit: operatorProcedure("merchant_billing.grant_credit")
    .input(
      byMerchant.extend({
        kind: z.enum(["prepaid", "promotional"]),
        currency,
        amountMinor: z.int().transform((amount) => BigInt(amount)),
        priority: z.int().min(-1_000).max(1_000),
        expiresAt: instant.nullable(),
        key: requestKey,
        reason,
      }),
    )
    .mutation(({ ctx, input }) => grantCredit(ctx.deps, { ...input, ...operatorOf(ctx) })),

  /** `exact`: decimal text in minor units. `key`: created once by the form; a repeated request adds no other credit. */
  addSlaCredit: operatorProcedure("merchant_billing.add_sla_credit")
    .input(
      byMerchant.extend({
        component: z.string().max(64),
        month: z
          .string()
          .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
          .transform((month) => new Date(`${month}-01T00:00:00Z`)),
        currency,
        exact: z.string().regex(/^\d{1,15}(\.\d{1,12})?$/),
        key: requestKey,
        reason,
      }),
    )
    .mutation(({ ctx, input }) => addSlaCredit(ctx.deps, { ...input, ...operatorOf(ctx) })),

  applyCoupon: operatorProcedure("merchant_billing.change_coupon")
    .input(byCode)
    .mutation(({ ctx, input }) => applyCoupon(ctx.deps, { ...input, ...operatorOf(ctx) })),

  removeCoupon: operatorProcedure("merchant_billing.change_coupon")
    .input(byCode)
    .mutation(({ ctx, input }) => removeCoupon(ctx.deps, { ...input, ...operatorOf(ctx) })),

  assignPlan: operatorProcedure("merchant_billing.assign_plan")
    .input(
      byMerchant.extend({
        planId: z.string().max(64),
        version: z.int().min(1).max(1_000_000).nullable(),
        currency: currency.nullable(),
        reason,
      }),
    )
    .mutation(async ({ ctx, input }) => {
      const { row } = await assignPlan(ctx.deps, { ...input, ...operatorOf(ctx) });
      return { planId: row.planId, version: row.planVersion };
    }),

  withdrawChange: operatorProcedure("merchant_billing.assign_plan")
    .input(byMerchant.extend({ reason }))
    .mutation(async ({ ctx, input }) => {
      await withdrawChange(ctx.deps, { ...input, ...operatorOf(ctx) });
    }),
});
