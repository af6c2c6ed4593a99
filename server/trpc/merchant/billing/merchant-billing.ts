import { z } from "zod";
import { getIssuedInvoice } from "../../../billing/documents/get-issued-invoice.ts";
import { findUblProblem } from "../../../billing/documents/ubl/ubl-problem.ts";
import { getInvoice } from "../../../billing/invoices/read/get-invoice.ts";
import { listInvoices } from "../../../billing/invoices/read/list-invoices.ts";
import { listEventsOfLine } from "../../../billing/invoices/read/list-line-events.ts";
import { toSummaryDocument } from "../../../billing/invoices/to-document.ts";
import { findPlanName } from "../../../data/billing/catalogue/plans.ts";
import { listRelatedInvoices } from "../../../data/billing/invoices/invoices.ts";
import { currencyProblem, isCurrency } from "../../../kernel/money/money.ts";
import { byMerchant, inputMerchant, memberProcedure, pageFields, readsReplica, router } from "../../init.ts";
import { toInvoiceDetail, toLineEvent, toListedInvoice } from "./billing-views.ts";
import { readPlanUsage } from "./plan-usage.ts";

const id = z.string().max(64);
const byInvoice = byMerchant.extend({ invoiceId: id });

/** The merchant's plan, usage and invoices (docs/spec/billing.md, Merchant pages). */
export const merchantBillingRouter = router({
  plan: memberProcedure("billing.read", inputMerchant)
    .use(readsReplica)
    .input(byMerchant.extend({ months: z.literal([6, 12, 24]).default(12) }))
    .query(({ ctx, input: { months } }) =>
      readPlanUsage(ctx.deps, { merchantId: ctx.merchantId, months, timeZone: ctx.timeZone }),
    ),

  invoices: memberProcedure("billing.read", inputMerchant)
    .use(readsReplica)
    .input(
      byMerchant.extend({
        status: z.enum(["draft", "open", "paid", "void", "uncollectible"]).optional(),
        currency: z.string().refine(isCurrency, currencyProblem).optional(),
        ...pageFields(),
      }),
    )
    .query(async ({ ctx, input: { status = null, currency = null, startingAfter = null, limit } }) => {
      const filter = { merchantId: ctx.merchantId, status, currency, issuedFrom: null, issuedTo: null };
      const page = { limit, startingAfter, endingBefore: null };
      const { invoices, hasMore } = await listInvoices(ctx.deps, { ...filter, ...page });
      return { invoices: invoices.map((row) => toListedInvoice(toSummaryDocument(row))), hasMore };
    }),

  /** Another merchant's invoice looks like one that doesn't exist. */
  invoice: memberProcedure("billing.read", inputMerchant)
    .input(byInvoice)
    .query(async ({ ctx, input: { invoiceId } }) => {
      const wanted = { merchantId: ctx.merchantId, invoiceId };
      const { row, document } = await getInvoice(ctx.deps, wanted);
      const { sql } = ctx.deps.db;
      const [planName, related, issued] = await Promise.all([
        findPlanName(sql, document.plan),
        listRelatedInvoices(sql, invoiceId),
        document.number === null ? null : getIssuedInvoice(ctx.deps, wanted),
      ]);
      const ublProblem = issued && findUblProblem(issued.issued);
      const { amountCredited, toCreditBalance } = row;
      return toInvoiceDetail(document, { planName, amountCredited, toCreditBalance, related, ublProblem });
    }),

  lineEvents: memberProcedure("billing.read", inputMerchant)
    .use(readsReplica)
    .input(byInvoice.extend({ lineId: id, ...pageFields(50) }))
    .query(async ({ ctx, input: { invoiceId, lineId, startingAfter = null, limit } }) => {
      const subject = { merchantId: ctx.merchantId, invoiceId, lineId };
      const page = { limit, startingAfter, endingBefore: null };
      const { line, events, hasMore } = await listEventsOfLine(ctx.deps, { ...subject, ...page });
      return { description: line.description, events: events.map(toLineEvent), hasMore };
    }),
});
