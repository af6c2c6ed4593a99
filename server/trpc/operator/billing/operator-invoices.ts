import { z } from "zod";
import { decideTaxStatus } from "../../../billing/invoices/decide-tax-status.ts";
import { getInvoiceForOperator } from "../../../billing/invoices/read/get-invoice-for-operator.ts";
import { listLineEventsForOperator } from "../../../billing/invoices/read/list-line-events-for-operator.ts";
import { listTaxDecisions } from "../../../billing/invoices/read/list-tax-decisions.ts";
import { searchInvoices } from "../../../billing/invoices/read/search-invoices.ts";
import { createCreditNote } from "../../../billing/invoices/transitions/create-credit-note.ts";
import { markUncollectible } from "../../../billing/invoices/transitions/mark-uncollectible.ts";
import { previewCreditNote } from "../../../billing/invoices/transitions/preview-credit-note.ts";
import { voidInvoice } from "../../../billing/invoices/transitions/void-invoice.ts";
import { currencyProblem, isCurrency } from "../../../kernel/money/money.ts";
import { accountProcedure, operatorProcedure, pageFields, readsReplica, router } from "../../init.ts";
import { toLineEvent } from "../../merchant/billing/billing-views.ts";
import { instant, operatorOf, reason } from "../operator-fields.ts";
import { toCreditPreview, toFoundInvoice, toInvoiceForOperator, toTaxCase } from "./operator-invoice-views.ts";

const byInvoice = z.object({ invoiceId: z.string().max(64) });
const amountMinor = z.int().transform((amount) => BigInt(amount));
/** Amounts of single lines, or the whole remaining amount of the invoice. */
const credited = byInvoice.extend({
  lines: z.union([z.literal("all"), z.array(z.object({ lineId: z.string().max(64), amountMinor })).max(1_000)]),
});
/** Created once by the form, so that a repeated request creates one credit note. */
const key = z.string().regex(/^[!-~]{8,100}$/);

/** Invoices and credit notes of all merchants (docs/spec/billing.md, Operator pages). */
export const operatorInvoicesRouter = router({
  list: accountProcedure("billing_invoice.list")
    .use(readsReplica)
    .input(
      z.object({
        search: z.string().trim().min(1).max(100).optional(),
        type: z.enum(["invoice", "credit_note"]).optional(),
        status: z.enum(["draft", "open", "paid", "void", "uncollectible"]).optional(),
        currency: z.string().refine(isCurrency, currencyProblem).optional(),
        from: instant.optional(),
        to: instant.optional(),
        ...pageFields(50),
      }),
    )
    .query(async ({ ctx, input }) => {
      const { search = null, type = null, status = null, currency = null, from = null, to = null, limit } = input;
      const filters = { search, type, status, currency, from, to };
      const startingAfter = input.startingAfter ?? null;
      const { invoices, ...found } = await searchInvoices(ctx.deps, { ...filters, startingAfter, limit });
      return { invoices: invoices.map(toFoundInvoice), ...found };
    }),

  get: operatorProcedure("billing_invoice.read")
    .input(byInvoice)
    .query(async ({ ctx, input }) => toInvoiceForOperator(await getInvoiceForOperator(ctx.deps, input))),

  /** The events behind a line, oldest first. */
  lineEvents: operatorProcedure("billing_invoice.read")
    .use(readsReplica)
    .input(byInvoice.extend({ lineId: z.string().max(64), ...pageFields(50) }))
    .query(async ({ ctx, input: { startingAfter = null, ...input } }) => {
      const page = { startingAfter, endingBefore: null };
      const { line, events, hasMore } = await listLineEventsForOperator(ctx.deps, { ...input, ...page });
      return { description: line.description, events: events.map(toLineEvent), hasMore };
    }),

  previewCredit: operatorProcedure("billing_invoice.preview_credit")
    .input(credited)
    .query(async ({ ctx, input }) => toCreditPreview(await previewCreditNote(ctx.deps, input))),

  credit: operatorProcedure("billing_invoice.credit")
    .input(credited.extend({ reason, key }))
    .mutation(({ ctx, input }) => createCreditNote(ctx.deps, { ...input, ...operatorOf(ctx) })),

  void: operatorProcedure("billing_invoice.void")
    .input(byInvoice.extend({ reason }))
    .mutation(({ ctx, input }) => voidInvoice(ctx.deps, { ...input, ...operatorOf(ctx) })),

  markUncollectible: operatorProcedure("billing_invoice.write_off")
    .input(byInvoice.extend({ reason }))
    .mutation(({ ctx, input }) => markUncollectible(ctx.deps, { ...input, ...operatorOf(ctx) })),

  /** Drafts that wait for tax details. */
  taxCases: accountProcedure("billing_invoice.list")
    .input(z.object({ merchantId: z.string().max(64).optional(), ...pageFields(50) }))
    .query(async ({ ctx, input }) => {
      const { cases, hasMore } = await listTaxDecisions(ctx.deps, input);
      return { cases: cases.map(toTaxCase), hasMore };
    }),

  decideTax: operatorProcedure("billing_invoice.decide_tax")
    .input(byInvoice.extend({ reason }))
    .mutation(({ ctx, input }) => decideTaxStatus(ctx.deps, { ...input, ...operatorOf(ctx) })),
});
