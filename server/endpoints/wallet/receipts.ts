import { z } from "zod";
import { findChargePayer } from "../../charges/approvals/payer-charge.ts";
import { getPayerCharge } from "../../charges/payers/get-payer-charge.ts";
import { chargeReceiptPdf, mandateReceiptPdf } from "../../charges/payers/receipts/receipt-pdf.ts";
import {
  chargeReceiptSchema,
  mandateReceiptSchema,
  toChargeReceipt,
  toMandateReceipt,
} from "../../charges/payers/receipts/receipts.wire.ts";
import { defineEndpoint, type EndpointRequest, type RawReply } from "../../contract/endpoint.ts";
import type { Deps } from "../../deps/deps.ts";
import { findMandateOwner } from "../../mandates/find-mandate-owner.ts";
import { getPayerMandate } from "../../mandates/find-mandates.ts";
import { renderPdf } from "../../platform/pdf/render-pdf.ts";
import { downloadHeaders, isReply, payerOrSignIn } from "./payer-download.ts";
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

const toSignIn = { 303: { description: "Redirects a visitor to the sign-in form" } } as const;
const pdf = {
  description: "The receipt, in the payer’s language",
  contentType: "application/pdf",
  example: "%PDF-1.7 …",
} as const;

type Load<Receipt> = (deps: Deps, request: EndpointRequest, id: string) => Promise<RawReply | Loaded<Receipt>>;
type Loaded<Receipt> = { receipt: Receipt; reader: { locale: string; timeZone: string } };

const loadCharge = async (deps: Deps, request: EndpointRequest, id: string) => {
  const access = { action: "charge.read", findOwner: () => findChargePayer(deps, { chargeId: id }) } as const;
  const session = await payerOrSignIn(deps, request, access);
  if (isReply(session)) return session;
  const { account } = session;
  const charge = await getPayerCharge(deps, { payerId: account.id, chargeId: id });
  return { receipt: toChargeReceipt(charge, { account, environment: deps.config.environment }), reader: account };
};

const loadMandate = async (deps: Deps, request: EndpointRequest, id: string) => {
  const access = { action: "mandate.read", findOwner: () => findMandateOwner(deps, { mandateId: id }) } as const;
  const session = await payerOrSignIn(deps, request, access);
  if (isReply(session)) return session;
  const { account } = session;
  const mandate = await getPayerMandate(deps, { payerId: account.id, mandateId: id });
  const at = await deps.businessClock.now();
  return {
    receipt: toMandateReceipt(mandate, { account, environment: deps.config.environment, at }),
    reader: account,
  };
};

const jsonReply = async <Receipt extends object>(
  load: Load<Receipt>,
  { deps, request, id }: { deps: Deps; request: EndpointRequest; id: string },
): Promise<RawReply> => {
  const loaded = await load(deps, request, id);
  if ("status" in loaded) return loaded;
  const body = JSON.stringify(loaded.receipt, null, 2);
  return { status: 200, contentType: "application/json", headers: downloadHeaders(`${id}.json`), body };
};

export const chargeReceiptJsonEndpoint = defineEndpoint({
  ...shared,
  path: "/wallet/activity/{id}/receipt.json",
  operationId: "downloadChargeReceipt",
  summary: "The payer’s receipt of a charge, as JSON",
  responses: {
    200: { description: "The receipt", schema: chargeReceiptSchema, example: chargeReceiptExample },
    ...toSignIn,
  },
  handle: ({ deps, request }, { params: { id } }) => jsonReply(loadCharge, { deps, request, id }),
});

export const mandateReceiptJsonEndpoint = defineEndpoint({
  ...shared,
  path: "/wallet/mandates/{id}/receipt.json",
  operationId: "downloadMandateReceipt",
  summary: "The payer’s receipt of a mandate, as JSON",
  responses: {
    200: { description: "The receipt", schema: mandateReceiptSchema, example: mandateReceiptExample },
    ...toSignIn,
  },
  handle: ({ deps, request }, { params: { id } }) => jsonReply(loadMandate, { deps, request, id }),
});

export const chargeReceiptPdfEndpoint = defineEndpoint({
  ...shared,
  path: "/wallet/activity/{id}/receipt.pdf",
  operationId: "downloadChargeReceiptPdf",
  summary: "The payer’s receipt of a charge, as PDF",
  responses: { 200: pdf, ...toSignIn },
  async handle({ deps, request }, { params: { id } }): Promise<RawReply> {
    const loaded = await loadCharge(deps, request, id);
    if ("status" in loaded) return loaded;
    const body = await renderPdf(chargeReceiptPdf(loaded.receipt, loaded.reader));
    return { status: 200, contentType: "application/pdf", headers: downloadHeaders(`${id}.pdf`), body };
  },
});

export const mandateReceiptPdfEndpoint = defineEndpoint({
  ...shared,
  path: "/wallet/mandates/{id}/receipt.pdf",
  operationId: "downloadMandateReceiptPdf",
  summary: "The payer’s receipt of a mandate, as PDF",
  responses: { 200: pdf, ...toSignIn },
  async handle({ deps, request }, { params: { id } }): Promise<RawReply> {
    const loaded = await loadMandate(deps, request, id);
    if ("status" in loaded) return loaded;
    const body = await renderPdf(mandateReceiptPdf(loaded.receipt, loaded.reader));
    return { status: 200, contentType: "application/pdf", headers: downloadHeaders(`${id}.pdf`), body };
  },
});
