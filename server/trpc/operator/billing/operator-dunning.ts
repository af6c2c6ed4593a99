import { z } from "zod";
import { type DunningCase, listOpenDunning } from "../../../billing/collection/review/list-open-dunning.ts";
import { listPaymentsUnderReview } from "../../../billing/collection/review/list-payments-under-review.ts";
import { searchUnresolvedPayment } from "../../../billing/collection/review/search-unresolved-payment.ts";
import { settleUnresolvedPayment } from "../../../billing/collection/review/settle-unresolved-payment.ts";
import type { UnresolvedPaymentRow } from "../../../data/billing/collection/dunning-cases.ts";
import { accountProcedure, operatorProcedure, pageFields, router } from "../../init.ts";
import { finding, reason } from "../operator-fields.ts";

const byPayment = z.object({ paymentId: z.string().max(64), reason });

const toCase = (one: DunningCase) => ({
  invoiceId: one.invoiceId,
  number: one.number,
  merchant: { id: one.merchantId, name: one.merchantName },
  currency: one.currency,
  amountDueMinor: Number(one.amountDue),
  failures: one.failures,
  firstFailedAt: one.firstFailedAt?.toISOString() ?? null,
  dueAt: one.invoiceDueAt.toISOString(),
  isOverdue: one.overdueAt !== null,
  hold: one.hold,
  hasPendingPayment: one.pendingPaymentId !== null,
  next: one.next && { kind: one.next.kind, at: one.next.at.toISOString() },
  suspensionAt: one.suspensionAt.toISOString(),
  isSuspended: one.suspendedAt !== null,
});

const toUnresolved = (payment: UnresolvedPaymentRow) => ({
  id: payment.id,
  invoiceId: payment.invoiceId,
  number: payment.number,
  merchant: { id: payment.merchantId, name: payment.merchantName },
  amountMinor: Number(payment.amount),
  currency: payment.currency,
  processor: payment.processor,
  account: payment.processorAccount,
  processorRef: payment.processorRef,
  startedAt: payment.startedAt.toISOString(),
  lookups: payment.lookups,
});

export type OperatorDunningCase = ReturnType<typeof toCase>;
export type OperatorUnresolvedPayment = ReturnType<typeof toUnresolved>;

/** Unpaid invoices of merchants, and payments without a known outcome (docs/spec/billing.md, Operator pages). */
export const operatorDunningRouter = router({
  cases: accountProcedure("dunning_case.list")
    .input(z.object(pageFields(50)))
    .query(async ({ ctx, input }) => {
      const { cases, hasMore } = await listOpenDunning(ctx.deps, input);
      return { cases: cases.map(toCase), hasMore };
    }),

  payments: accountProcedure("dunning_case.list")
    .input(z.object(pageFields(50)))
    .query(async ({ ctx, input }) => {
      const { payments, hasMore } = await listPaymentsUnderReview(ctx.deps, input);
      return { payments: payments.map(toUnresolved), hasMore };
    }),

  search: operatorProcedure("billing_payment.search")
    .input(byPayment)
    .mutation(async ({ ctx, input }) => {
      const by = { operatorId: ctx.account.id, requestId: ctx.info.requestId };
      return { outcome: (await searchUnresolvedPayment(ctx.deps, { ...input, ...by })).outcome };
    }),

  settle: operatorProcedure("billing_payment.settle")
    .input(byPayment.extend({ finding }))
    .mutation(async ({ ctx, input }) => {
      const by = { operatorId: ctx.account.id, requestId: ctx.info.requestId };
      return { outcome: (await settleUnresolvedPayment(ctx.deps, { ...input, ...by })).outcome };
    }),
});
