import { z } from "zod";
import { findChargePayer } from "../../charges/approvals/payer-charge.ts";
import { getPayerCharge } from "../../charges/payers/get-payer-charge.ts";
import { chargeReceiptPdf, mandateReceiptPdf, type ReceiptReader } from "../../charges/payers/receipts/receipt-pdf.ts";
import {
  type ChargeReceipt,
  chargeReceiptSchema,
  type MandateReceipt,
  mandateReceiptSchema,
  toChargeReceipt,
  toMandateReceipt,
} from "../../charges/payers/receipts/receipts.wire.ts";
import { defineEndpoint, type EndpointRequest, type RawReply } from "../../contract/endpoint.ts";
import type { Deps } from "../../deps/deps.ts";
import { findMandateOwner } from "../../mandates/find-mandate-owner.ts";
import { getPayerMandate } from "../../mandates/find-mandates.ts";
import type { PdfDocument } from "../../platform/pdf/pdf-document.ts";
import { renderPdf } from "../../platform/pdf/render-pdf.ts";
import { downloadHeaders, replyToPayer, signInResponse } from "./payer-download.ts";
import { chargeReceiptExample, mandateReceiptExample } from "./receipt-examples.ts";

const shared = {
  method: "GET",
  tag: "Wallet",
  standards: [],
  auth: { kind: "none" },
  rateLimit: "person",
  errors: "page",
  errorCodes: ["404"],
  request: { params: z.object({ id: z.string().max(64) }) },
} as const;

const pdf = {
  description: "The receipt, in the payer’s language",
  contentType: "application/pdf",
  example: "%PDF-1.7 …",
} as const;

type Call = { deps: Deps; request: EndpointRequest; id: string };
type ToReply<Receipt> = (receipt: Receipt, reader: ReceiptReader) => Promise<RawReply> | RawReply;

const replyWithCharge = ({ deps, request, id }: Call, toReply: ToReply<ChargeReceipt>): Promise<RawReply> => {
  const findOwner = () => findChargePayer(deps, { chargeId: id });
  return replyToPayer({ deps, request }, { action: "charge.read", findOwner }, async ({ account }) => {
    const charge = await getPayerCharge(deps, { payerId: account.id, chargeId: id });
    return toReply(toChargeReceipt(charge, { account, environment: deps.config.environment }), account);
  });
};

const replyWithMandate = ({ deps, request, id }: Call, toReply: ToReply<MandateReceipt>): Promise<RawReply> => {
  const findOwner = () => findMandateOwner(deps, { mandateId: id });
  return replyToPayer({ deps, request }, { action: "mandate.read", findOwner }, async ({ account }) => {
    const mandate = await getPayerMandate(deps, { payerId: account.id, mandateId: id });
    const at = await deps.businessClock.now();
    return toReply(toMandateReceipt(mandate, { account, environment: deps.config.environment, at }), account);
  });
};

const toJsonReply =
  (id: string): ToReply<object> =>
  (receipt) => ({
    status: 200,
    contentType: "application/json",
    headers: downloadHeaders(`${id}.json`),
    body: JSON.stringify(receipt, null, 2),
  });

const toPdfReply =
  <Receipt>(id: string, toDocument: (receipt: Receipt, reader: ReceiptReader) => PdfDocument): ToReply<Receipt> =>
  async (receipt, reader) => ({
    status: 200,
    contentType: "application/pdf",
    headers: downloadHeaders(`${id}.pdf`),
    body: await renderPdf(toDocument(receipt, reader)),
  });

export const chargeReceiptJsonEndpoint = defineEndpoint({
  ...shared,
  path: "/wallet/activity/{id}/receipt.json",
  operationId: "downloadChargeReceipt",
  summary: "The payer’s receipt of a charge, as JSON",
  responses: {
    200: { description: "The receipt", schema: chargeReceiptSchema, example: chargeReceiptExample },
    ...signInResponse,
  },
  handle: ({ deps, request }, { params: { id } }) => replyWithCharge({ deps, request, id }, toJsonReply(id)),
});

export const mandateReceiptJsonEndpoint = defineEndpoint({
  ...shared,
  path: "/wallet/mandates/{id}/receipt.json",
  operationId: "downloadMandateReceipt",
  summary: "The payer’s receipt of a mandate, as JSON",
  responses: {
    200: { description: "The receipt", schema: mandateReceiptSchema, example: mandateReceiptExample },
    ...signInResponse,
  },
  handle: ({ deps, request }, { params: { id } }) => replyWithMandate({ deps, request, id }, toJsonReply(id)),
});

export const chargeReceiptPdfEndpoint = defineEndpoint({
  ...shared,
  path: "/wallet/activity/{id}/receipt.pdf",
  operationId: "downloadChargeReceiptPdf",
  summary: "The payer’s receipt of a charge, as PDF",
  responses: { 200: pdf, ...signInResponse },
  handle: ({ deps, request }, { params: { id } }) =>
    replyWithCharge({ deps, request, id }, toPdfReply(id, chargeReceiptPdf)),
});

export const mandateReceiptPdfEndpoint = defineEndpoint({
  ...shared,
  path: "/wallet/mandates/{id}/receipt.pdf",
  operationId: "downloadMandateReceiptPdf",
  summary: "The payer’s receipt of a mandate, as PDF",
  responses: { 200: pdf, ...signInResponse },
  handle: ({ deps, request }, { params: { id } }) =>
    replyWithMandate({ deps, request, id }, toPdfReply(id, mandateReceiptPdf)),
});
