import { z } from "zod";
import { createBudgetAlert } from "../../../../billing/budgets/create-budget-alert.ts";
import { deleteBudgetAlert } from "../../../../billing/budgets/delete-budget-alert.ts";
import { getBudgetAlert } from "../../../../billing/budgets/get-budget-alert.ts";
import { listBudgetAlerts } from "../../../../billing/budgets/list-budget-alerts.ts";
import { listPlanCurrencies } from "../../../../billing/budgets/list-plan-currencies.ts";
import { updateBudgetAlert } from "../../../../billing/budgets/update-budget-alert.ts";
import { maxAmountMinor } from "../../../../kernel/money/money.ts";
import { byMerchant, inputMerchant, memberProcedure, router } from "../../../init.ts";
import { toBudgetAlert } from "./budget-views.ts";

const byAlert = byMerchant.extend({ alertId: z.string().max(64) });

/** The domain function checks these fields, with a message for each. */
const fields = {
  name: z.string().max(1_000),
  currency: z.string().max(3),
  amountMinor: z.int().min(0).max(Number(maxAmountMinor)),
  percent: z.int().nullable(),
  sendsMail: z.boolean(),
  sendsWebhook: z.boolean(),
};

/** The merchant's budget alerts (docs/spec/billing.md, Budget alerts). */
export const merchantBudgetsRouter = router({
  list: memberProcedure("billing.read", inputMerchant)
    .input(byMerchant)
    .query(async ({ ctx }) => (await listBudgetAlerts(ctx.deps, { merchantId: ctx.merchantId })).map(toBudgetAlert)),

  /** Another merchant's alert looks like one that doesn't exist. */
  alert: memberProcedure("billing.read", inputMerchant)
    .input(byAlert)
    .query(async ({ ctx, input: { alertId } }) =>
      toBudgetAlert(await getBudgetAlert(ctx.deps, { merchantId: ctx.merchantId, alertId })),
    ),

  /** The currencies that an alert may have; empty without a plan. */
  currencies: memberProcedure("billing.read", inputMerchant)
    .input(byMerchant)
    .query(async ({ ctx }) => ({ currencies: await listPlanCurrencies(ctx.deps, { merchantId: ctx.merchantId }) })),

  create: memberProcedure("billing.change", inputMerchant)
    .input(byMerchant.extend(fields))
    .mutation(({ ctx, input: { amountMinor, ...input } }) =>
      createBudgetAlert(ctx.deps, {
        ...input,
        merchantId: ctx.merchantId,
        amountMinor: BigInt(amountMinor),
        ...ctx.by,
      }),
    ),

  update: memberProcedure("billing.change", inputMerchant)
    .input(byAlert.extend(fields))
    .mutation(async ({ ctx, input: { amountMinor, ...input } }) => {
      const change = { ...input, merchantId: ctx.merchantId, amountMinor: BigInt(amountMinor) };
      await updateBudgetAlert(ctx.deps, { ...change, ...ctx.by });
      return { ok: true };
    }),

  delete: memberProcedure("billing.change", inputMerchant)
    .input(byAlert)
    .mutation(async ({ ctx, input: { alertId } }) => {
      await deleteBudgetAlert(ctx.deps, { merchantId: ctx.merchantId, alertId, ...ctx.by });
      return { ok: true };
    }),
});
