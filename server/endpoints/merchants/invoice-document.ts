import { z } from "zod";
import { exportInvoiceCsv } from "../../billing/documents/csv/export-invoice-csv.ts";
import { getIssuedInvoice } from "../../billing/documents/get-issued-invoice.ts";
import { drawInvoicePdf } from "../../billing/documents/pdf/draw-invoice-pdf.ts";
import { toUbl } from "../../billing/documents/ubl/to-ubl.ts";
import { findUblProblem } from "../../billing/documents/ubl/ubl-problem.ts";
import { getInvoice } from "../../billing/invoices/read/get-invoice.ts";
import { toByteStream } from "../../contract/byte-stream.ts";
import { defineEndpoint, type RawReply } from "../../contract/endpoint.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { downloadHeaders, signInResponse } from "../wallet/payer-download.ts";
import { replyToMember } from "./member-download.ts";

const formats = ["pdf", "csv", "ubl"] as const;
type Format = (typeof formats)[number];

const files: Readonly<Record<Format, { extension: string; contentType: string }>> = {
  pdf: { extension: "pdf", contentType: "application/pdf" },
  csv: { extension: "csv", contentType: "text/csv; charset=utf-8; header=present" },
  ubl: { extension: "xml", contentType: "application/xml" },
};

type Wanted = { merchantId: string; invoiceId: string };

/** @throws DomainError not_found for a document that EN 16931 can't express, and those of `getIssuedInvoice`. */
const readUblFile = async (deps: Deps, wanted: Wanted): Promise<string> => {
  const { issued } = await getIssuedInvoice(deps, wanted);
  const message = findUblProblem(issued);
  if (message !== null) throw new DomainError("not_found", { code: "not_found", message });
  return toUbl(issued);
};

const bodyOf = async (deps: Deps, wanted: Wanted, format: Format): Promise<NonNullable<RawReply["body"]>> => {
  if (format === "pdf") return drawInvoicePdf(deps, wanted);
  return format === "ubl" ? readUblFile(deps, wanted) : toByteStream(await exportInvoiceCsv(deps, wanted));
};

export const invoiceDocumentEndpoint = defineEndpoint({
  method: "GET",
  path: "/merchant/billing/invoices/{invoiceId}/documents/{format}",
  operationId: "downloadInvoice",
  summary: "An invoice or credit note as a file, for the members of its merchant",
  tag: "Merchants",
  standards: ["RFC 4180"],
  auth: { kind: "none" },
  rateLimit: "person",
  errors: "page",
  errorCodes: ["400", "404", "409", "503"],
  request: {
    params: z.object({
      invoiceId: z.string().max(64),
      format: z.enum(formats).describe("The printed document, the events behind its lines, or UBL 2.1"),
    }),
    query: z.object({
      merchant: z
        .string()
        .regex(/^\w{1,64}$/)
        .describe("The merchant’s ID"),
    }),
    otherParameters: "refused",
  },
  responses: {
    200: {
      description: "The same documents as those of GET /billing/invoices/{invoice_id}",
      contentType: "application/pdf",
      schema: z.string(),
      example: "%PDF-1.7 …",
      alternatives: {
        "text/csv": { example: "line_id,kind,meter,event_id,time,quantity,exact\r\n" },
        "application/xml": { example: '<?xml version="1.0" encoding="UTF-8"?>' },
      },
    },
    ...signInResponse,
  },
  handle({ deps, request }, { query: { merchant: merchantId }, params: { invoiceId, format } }) {
    return replyToMember({ deps, request }, { action: "billing.read", merchantId }, async () => {
      const { row } = await getInvoice(deps, { merchantId, invoiceId });
      const { extension, contentType } = files[format];
      return {
        status: 200,
        contentType,
        headers: downloadHeaders(`${row.number ?? row.id}.${extension}`),
        body: await bodyOf(deps, { merchantId, invoiceId }, format),
      };
    });
  },
});
