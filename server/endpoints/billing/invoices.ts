import { z } from "zod";
import {
  invoiceSchema,
  invoiceSummarySchema,
  toInvoiceObject,
  toInvoiceSummary,
} from "../../billing/invoices/invoice.wire.ts";
import { invoiceExample } from "../../billing/invoices/invoice-example.ts";
import { getInvoice } from "../../billing/invoices/read/get-invoice.ts";
import { listInvoices } from "../../billing/invoices/read/list-invoices.ts";
import { listEventsOfLine } from "../../billing/invoices/read/list-line-events.ts";
import { toSummaryDocument } from "../../billing/invoices/to-document.ts";
import { negotiate } from "../../contract/accept.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import { pageQuerySchema, toPage } from "../../contract/pagination.ts";
import { DomainError } from "../../kernel/errors.ts";
import { merchantOf } from "../charges/merchant-of.ts";
import { currencyQuery, instantQuery, toRange } from "./billing-query.ts";

const contract = {
  method: "GET",
  tag: "Billing",
  standards: ["RFC 9457"],
  auth: { kind: "access_token", resource: "billing", scope: "billing.read" },
  errors: "problem",
} as const;

const { lines: _, ...summaryExample } = invoiceExample;

export const listInvoicesEndpoint = defineEndpoint({
  ...contract,
  path: "/billing/invoices",
  operationId: "listInvoices",
  summary: "List the merchant's invoices and credit notes",
  errorCodes: ["invalid_request"],
  request: {
    query: z.object({
      status: z.enum(["draft", "open", "paid", "void", "uncollectible"]).optional(),
      currency: currencyQuery,
      from: instantQuery.describe("Issued at or after this time; a draft counts by the end of its period"),
      to: instantQuery.describe("Issued before this time"),
      ...pageQuerySchema.shape,
    }),
  },
  responses: {
    200: {
      description:
        "Newest first, without lines. has_more says whether more items follow. In a request with ending_before, it says whether more items precede",
      schema: z.object({ data: z.array(invoiceSummarySchema), has_more: z.boolean() }),
      example: { data: [summaryExample], has_more: false },
    },
  },
  async handle({ deps, caller }, { query }) {
    const { from, to } = toRange(query);
    const { status = null, currency = null } = query;
    const filter = { merchantId: merchantOf(caller), status, currency, issuedFrom: from, issuedTo: to };
    const { invoices, hasMore } = await listInvoices(deps, { ...filter, ...toPage(query) });
    const data = invoices.map((row) => toInvoiceSummary(toSummaryDocument(row)));
    return { status: 200, headers: noStore, body: { data, has_more: hasMore } };
  },
});

const jsonType = "application/json";

export const getInvoiceEndpoint = defineEndpoint({
  ...contract,
  path: "/billing/invoices/{invoice_id}",
  operationId: "getInvoice",
  summary: "Read one invoice or credit note",
  errorCodes: ["not_found", "not_acceptable"],
  request: { params: z.object({ invoice_id: z.string() }) },
  responses: {
    200: {
      description: "The invoice with its lines",
      schema: invoiceSchema,
      example: invoiceExample,
      headers: { "cache-control": "no-store", vary: "Accept" },
    },
  },
  async handle({ deps, caller, request }, { params: { invoice_id: invoiceId } }) {
    if (negotiate(request.headers.get("accept"), [jsonType]) === null) {
      throw new DomainError("invalid", {
        code: "not_acceptable",
        message: `The invoice is available as ${jsonType}.`,
        headers: { vary: "Accept" },
      });
    }
    const { document } = await getInvoice(deps, { merchantId: merchantOf(caller), invoiceId });
    return { status: 200, headers: { ...noStore, vary: "Accept" }, body: toInvoiceObject(document) };
  },
});

const eventSchema = z.object({
  id: z.string(),
  meter: z.string(),
  time: z.string(),
  quantity: z.int(),
  amount: z.int().nullable().describe("Of a charge or refund, in the currency's minor unit"),
  currency: z.string().nullable(),
  subject: z
    .string()
    .nullable()
    .describe("The mandate, the charge or the delivery; of your own meters, the subject that you sent"),
});

export const listInvoiceLineEventsEndpoint = defineEndpoint({
  ...contract,
  path: "/billing/invoices/{invoice_id}/lines/{line_id}/events",
  operationId: "listInvoiceLineEvents",
  summary: "List the events behind a line of an invoice",
  errorCodes: ["invalid_request", "not_found"],
  request: {
    params: z.object({ invoice_id: z.string(), line_id: z.string() }),
    query: z.object({ limit: pageQuerySchema.shape.limit, starting_after: pageQuerySchema.shape.starting_after }),
  },
  responses: {
    200: {
      description:
        "Oldest first. All pages together are the events that `events` of the line counts; a line without events has none",
      schema: z.object({ data: z.array(eventSchema), has_more: z.boolean() }),
      example: {
        data: [
          {
            id: "uev_8KpLm3vZq1WcXb5nRt9sYd2hmhtptk0w0",
            meter: "own:sms_sent",
            time: "2027-01-20T09:30:00.000Z",
            quantity: 3,
            amount: null,
            currency: null,
            subject: "customer-42",
          },
        ],
        has_more: false,
      },
    },
  },
  async handle({ deps, caller }, { query, params: { invoice_id: invoiceId, line_id: lineId } }) {
    const input = { merchantId: merchantOf(caller), invoiceId, lineId, ...toPage(query) };
    const { line, events, hasMore } = await listEventsOfLine(deps, input);
    const data = events.map(({ id, time, quantity, amount, currency, subject }) => ({
      id,
      meter: line.meter ?? "",
      time: time.toISOString(),
      quantity: Number(quantity),
      amount: amount === null ? null : Number(amount),
      currency,
      subject,
    }));
    return { status: 200, headers: noStore, body: { data, has_more: hasMore } };
  },
});
