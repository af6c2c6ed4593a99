import { z } from "zod";
import { findPayments } from "../../../charges/lists/find-payments.ts";
import { getMerchantMandate } from "../../../mandates/merchants/get-merchant-mandate.ts";
import { findMerchantMandates } from "../../../mandates/merchants/list-merchant-mandates.ts";
import { byMerchant, inputMerchant, memberProcedure, readsReplica, router } from "../../init.ts";
import { toPayment } from "../payment-views.ts";
import { toListedMandate, toMerchantMandate } from "./mandate-views.ts";

const shows = ["active", "suspended", "ended"] as const;
const states = {
  active: ["active"],
  suspended: ["suspended"],
  ended: ["revoked", "expired", "consumed"],
} as const;

/** The number of payments on the page of a mandate. The list of payments shows all. */
const maxPayments = 20;

/** The mandates that name a merchant or were charged by it (docs/spec/portal.md, Mandates of a merchant). */
export const merchantMandatesRouter = router({
  list: memberProcedure("payee_mandate.list", inputMerchant)
    .use(readsReplica)
    .input(
      byMerchant.extend({
        show: z.enum(shows).optional(),
        search: z.string().max(100).optional(),
        cursor: z.string().max(100).optional(),
        limit: z.int().min(1).max(100).default(25),
      }),
    )
    .query(async ({ ctx, input: { show, ...input } }) => {
      const found = await findMerchantMandates(ctx.deps, { ...input, states: show && states[show] });
      return { mandates: found.mandates.map(toListedMandate), nextCursor: found.nextCursor };
    }),

  /** A mandate that the merchant can't see looks like one that doesn't exist. */
  mandate: memberProcedure("payee_mandate.read", inputMerchant)
    .input(byMerchant.extend({ mandateId: z.string().max(64) }))
    .query(async ({ ctx, input }) => {
      const mandate = await getMerchantMandate(ctx.deps, input);
      const { payments, hasMore } = await findPayments(ctx.deps, { ...input, limit: maxPayments });
      return { ...toMerchantMandate(mandate), payments: payments.map(toPayment), hasMorePayments: hasMore };
    }),
});
