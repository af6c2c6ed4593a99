import { z } from "zod";
import { exportInvoiceCsv } from "../../billing/documents/csv/export-invoice-csv.ts";
import { getIssuedInvoice } from "../../billing/documents/get-issued-invoice.ts";
import { drawInvoicePdf } from "../../billing/documents/pdf/draw-invoice-pdf.ts";
import { toUbl } from "../../billing/documents/ubl/to-ubl.ts";
import { findUblProblem } from "../../billing/documents/ubl/ubl-problem.ts";
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
import { toByteStream } from "../../contract/byte-stream.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import { pageQuerySchema, toPage } from "../../contract/pagination.ts";
import type { Deps } from "../../deps/deps.ts";
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
      from: instantQuery.describe("Issued at or after this time. For a draft, the end of its period counts"),
      to: instantQuery.describe("Issued before this time"),
      ...pageQuerySchema.shape,
    }),
  },
  responses: {
    200: {
      description:
        "Newest first, without lines. has_more says whether more items follow. In a request with ending_before, it says whether more items come before this page",
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
const pdfType = "application/pdf";
const csvType = "text/csv";
const ublType = "application/xml";
const types = [jsonType, pdfType, csvType, ublType] as const;

const notAcceptableRefusal = (message: string): DomainError =>
  new DomainError("invalid", { code: "not_acceptable", message, headers: { vary: "Accept" } });

const csvExample = [
  "line_id,kind,meter,event_id,time,quantity,exact",
  "il_5sYd2hKpLm3vZq1WcXb5nRt9,flat,,,2026-10-01T00:00:00.000Z,1,4900",
  "",
].join("\r\n");

type Wanted = { merchantId: string; invoiceId: string };

/** @throws DomainError invoice_not_final; reconciliation_pending; not_acceptable for a document that EN 16931 can't express. */
const readUbl = async (deps: Deps, wanted: Wanted): Promise<string> => {
  const { issued } = await getIssuedInvoice(deps, wanted);
  const problem = findUblProblem(issued);
  if (problem !== null) throw notAcceptableRefusal(problem);
  return toUbl(issued);
};

const bodyOf = async (deps: Deps, wanted: Wanted, type: (typeof types)[number]) => {
  switch (type) {
    case jsonType:
      return toInvoiceObject((await getInvoice(deps, wanted)).document);
    case pdfType:
      return drawInvoicePdf(deps, wanted);
    case csvType:
      return toByteStream(await exportInvoiceCsv(deps, wanted));
    case ublType:
      return readUbl(deps, wanted);
  }
};

export const getInvoiceEndpoint = defineEndpoint({
  ...contract,
  path: "/billing/invoices/{invoice_id}",
  operationId: "getInvoice",
  summary: "Read one invoice or credit note as JSON, PDF, CSV or UBL, depending on Accept",
  errorCodes: ["not_found", "not_acceptable", "invoice_not_final", "reconciliation_pending", "temporarily_unavailable"],
  request: { params: z.object({ invoice_id: z.string() }) },
  responses: {
    200: {
      description:
        "The invoice with its lines. A draft has no PDF and no UBL. The CSV has one row for each event behind a line; the rows of a line sum to its amount",
      schema: invoiceSchema,
      example: invoiceExample,
      alternatives: {
        [pdfType]: { example: "%PDF-1.7 …" },
        [csvType]: { example: csvExample },
        [ublType]: { example: '<?xml version="1.0" encoding="UTF-8"?>' },
      },
      headers: { "cache-control": "no-store", vary: "Accept" },
    },
  },
  async handle({ deps, caller, request }, { params: { invoice_id: invoiceId } }) {
    const type = negotiate(request.headers.get("accept"), types);
    if (type === null) throw notAcceptableRefusal(`The invoice is available as ${types.join(", ")}.`);
    const headers = { ...noStore, vary: "Accept" };
    const body = await bodyOf(deps, { merchantId: merchantOf(caller), invoiceId }, type);
    return { status: 200, headers, body, contentType: type };
  },
});

const eventSchema = z.object({
  id: z.string(),
  meter: z.string(),
  time: z.string(),
  quantity: z.int(),
  amount: z.int().nullable().describe("Amount of a charge or refund, in the currency's minor unit"),
  currency: z.string().nullable(),
  subject: z
    .string()
    .nullable()
    .describe("The mandate, the charge or the delivery; for your own meters, the subject that you sent"),
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
        "Oldest first. The line’s `events` is the number of events on all pages together. If a line has no `events`, the list is empty",
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
