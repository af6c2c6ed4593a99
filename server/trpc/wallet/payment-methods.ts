import { z } from "zod";
import { addTestCard } from "../../accounts/payment-methods/add-test-card.ts";
import { beginCardSetup } from "../../accounts/payment-methods/begin-card-setup.ts";
import { findPaymentMethodOwner } from "../../accounts/payment-methods/find-payment-method-owner.ts";
import { listPaymentMethods } from "../../accounts/payment-methods/list-payment-methods.ts";
import { removePaymentMethod } from "../../accounts/payment-methods/remove-payment-method.ts";
import { renamePaymentMethod } from "../../accounts/payment-methods/rename-payment-method.ts";
import { setDefaultPaymentMethod } from "../../accounts/payment-methods/set-default-payment-method.ts";
import { findCardSetupOwner, settleCardSetup } from "../../accounts/payment-methods/settle-card-setup.ts";
import { testCardNames } from "../../accounts/payment-methods/test-cards.ts";
import { methodLabel } from "../../kernel/messages/method-label.ts";
import { listMandatesOfMethods } from "../../mandates/find-mandates.ts";
import { accountProcedure, ofInput, ownedProcedure } from "../init.ts";
import { toPaymentMethod } from "./views.ts";

const bySetup = z.object({ setupId: z.string().max(64) });

const setupOwner = ofInput(bySetup, findCardSetupOwner);

const byMethod = z.object({ paymentMethodId: z.string().max(64) });

const methodOwner = ofInput(byMethod, findPaymentMethodOwner);

type MethodContext = { account: { id: string }; info: { requestId: string } };
const actOf = ({ account, info }: MethodContext, { paymentMethodId }: { paymentMethodId: string }) => ({
  payerId: account.id,
  paymentMethodId,
  requestId: info.requestId,
});

/** The payer's payment methods. */
export const paymentMethodProcedures = {
  paymentMethods: accountProcedure("payment_method.list").query(async ({ ctx }) => {
    const payerId = ctx.account.id;
    const methods = await listPaymentMethods(ctx.deps, { payerId });
    const methodIds = methods.map(({ id }) => id);
    const uses = await listMandatesOfMethods(ctx.deps, { payerId, methodIds });
    return methods.map((method) => ({
      ...toPaymentMethod(method),
      use: uses.get(method.id) ?? { count: 0, names: [] },
    }));
  }),

  /** Returns the processor's page on which the payer enters the card. */
  addCard: accountProcedure("payment_method.add").mutation(({ ctx }) =>
    beginCardSetup(ctx.deps, { payerId: ctx.account.id, requestId: ctx.info.requestId }),
  ),

  /** The result of a card setup, for the page to which the payer returns. */
  finishCard: ownedProcedure("payment_method.finish", setupOwner)
    .input(bySetup)
    .mutation(async ({ ctx, input }) => {
      const result = await settleCardSetup(ctx.deps, { ...input, requestId: ctx.info.requestId });
      return result.state === "added" ? { ...result, label: methodLabel(result.label, ctx.account.locale) } : result;
    }),

  /** Adds one of the simulator's test cards. */
  addTestCard: accountProcedure("payment_method.add")
    .input(z.object({ card: z.enum(testCardNames) }))
    .mutation(({ ctx, input }) =>
      addTestCard(ctx.deps, { ...input, payerId: ctx.account.id, requestId: ctx.info.requestId }),
    ),

  setDefaultMethod: ownedProcedure("payment_method.update", methodOwner)
    .input(byMethod)
    .mutation(async ({ ctx, input }) => {
      await setDefaultPaymentMethod(ctx.deps, actOf(ctx, input));
      return { ok: true };
    }),

  /** An empty name shows the processor's label again. */
  renameMethod: ownedProcedure("payment_method.update", methodOwner)
    .input(byMethod.extend({ name: z.string().trim().max(60) }))
    .mutation(async ({ ctx, input }) => {
      await renamePaymentMethod(ctx.deps, { ...actOf(ctx, input), nickname: input.name || null });
      return { ok: true };
    }),

  removeMethod: ownedProcedure("payment_method.remove", methodOwner)
    .input(byMethod)
    .mutation(async ({ ctx, input }) => {
      await removePaymentMethod(ctx.deps, actOf(ctx, input));
      return { ok: true };
    }),
};
