import { z } from "zod";
import { billingTestCards } from "../../../../accounts/payment-methods/test-cards.ts";
import { beginInvoiceCard } from "../../../../billing/collection/cards/begin-invoice-card.ts";
import { settleInvoiceCard } from "../../../../billing/collection/cards/settle-invoice-card.ts";
import { findBillingPaymentMethod } from "../../../../billing/collection/find-billing-payment-method.ts";
import { findInvoiceCollection } from "../../../../billing/collection/find-invoice-collection.ts";
import { payInvoice } from "../../../../billing/collection/pay-invoice.ts";
import { listUnpaidInvoices } from "../../../../billing/collection/review/list-unpaid-invoices.ts";
import { setBillingPaymentMethod } from "../../../../billing/collection/set-billing-payment-method.ts";
import { byMerchant, inputMerchant, memberProcedure, router } from "../../../init.ts";
import { toInvoiceCollectionView, toPaymentMethodView, toUnpaidInvoice } from "./collection-views.ts";

const byInvoice = byMerchant.extend({ invoiceId: z.string().max(64) });

/** How a merchant pays its invoices (docs/spec/billing.md, Merchant pages). */
export const merchantCollectionRouter = router({
  method: memberProcedure("billing.read", inputMerchant)
    .input(byMerchant)
    .query(async ({ ctx: { deps, merchantId } }) =>
      toPaymentMethodView(deps, await findBillingPaymentMethod(deps, { merchantId })),
    ),

  setMethod: memberProcedure("billing.set_card", inputMerchant)
    .input(byMerchant.extend({ card: z.enum(billingTestCards) }))
    .mutation(({ ctx: { deps, merchantId, by }, input: { card } }) =>
      setBillingPaymentMethod(deps, { merchantId, card, ...by }),
    ),

  /** Returns the processor's page on which the member enters the card. */
  addCard: memberProcedure("billing.set_card", inputMerchant)
    .input(byMerchant)
    .mutation(({ ctx: { deps, merchantId, by } }) => beginInvoiceCard(deps, { merchantId, ...by })),

  /** The result of a card setup, for the page to which the member returns. */
  finishCard: memberProcedure("billing.change", inputMerchant)
    .input(byMerchant.extend({ setupId: z.string().max(64) }))
    .mutation(({ ctx: { deps, merchantId, by }, input: { setupId } }) =>
      settleInvoiceCard(deps, { merchantId, setupId, requestId: by.requestId }),
    ),

  /** The unpaid invoices that need attention, the most urgent first. */
  unpaid: memberProcedure("billing.read", inputMerchant)
    .input(byMerchant)
    .query(async ({ ctx: { deps, merchantId } }) =>
      (await listUnpaidInvoices(deps, { merchantId })).map(toUnpaidInvoice),
    ),

  ofInvoice: memberProcedure("billing.read", inputMerchant)
    .input(byInvoice)
    .query(async ({ ctx: { deps, merchantId }, input: { invoiceId } }) =>
      toInvoiceCollectionView(deps, await findInvoiceCollection(deps, { merchantId, invoiceId })),
    ),

  /** The page shows the outcome with the attempts of the invoice. */
  pay: memberProcedure("billing.change", inputMerchant)
    .input(byInvoice)
    .mutation(async ({ ctx: { deps, merchantId, by }, input: { invoiceId } }) => {
      const { outcome } = await payInvoice(deps, { merchantId, invoiceId, ...by });
      return { outcome };
    }),
});
