import { z } from "zod";
import { beginCardSetup } from "../../accounts/payment-methods/begin-card-setup.ts";
import { listPaymentMethods } from "../../accounts/payment-methods/list-payment-methods.ts";
import { findCardSetupOwner, settleCardSetup } from "../../accounts/payment-methods/settle-card-setup.ts";
import { countMandatesOfMethods } from "../../mandates/find-mandates.ts";
import { accountProcedure, ownedProcedure } from "../init.ts";
import { toPaymentMethod } from "./views.ts";

const bySetup = z.object({ setupId: z.string().max(64) });

const setupOwner: Parameters<typeof ownedProcedure>[1] = async (deps, input) => {
  const parsed = bySetup.safeParse(input);
  return parsed.success ? findCardSetupOwner(deps, parsed.data) : null;
};

/** The payer's payment methods. */
export const paymentMethodProcedures = {
  paymentMethods: accountProcedure("payment_method.list").query(async ({ ctx }) => {
    const payerId = ctx.account.id;
    const methods = await listPaymentMethods(ctx.deps, { payerId });
    const methodIds = methods.map(({ id }) => id);
    const counts = await countMandatesOfMethods(ctx.deps, { payerId, methodIds });
    return methods.map((method) => ({ ...toPaymentMethod(method), liveMandates: counts.get(method.id) ?? 0 }));
  }),

  /** Returns the processor's page on which the payer enters the card. */
  addCard: accountProcedure("payment_method.add").mutation(({ ctx }) =>
    beginCardSetup(ctx.deps, { payerId: ctx.account.id, requestId: ctx.info.requestId }),
  ),

  /** The result of a card setup, for the page to which the payer returns. */
  finishCard: ownedProcedure("payment_method.finish", setupOwner)
    .input(bySetup)
    .mutation(({ ctx, input }) => settleCardSetup(ctx.deps, { ...input, requestId: ctx.info.requestId })),
};
