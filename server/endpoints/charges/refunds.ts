import { z } from "zod";
import { refundListSchema, refundRequestSchema, refundSchema } from "../../charges/charge/charge.wire.ts";
import { chargeExample } from "../../charges/events/charge-example.ts";
import { getRefund, listRefunds } from "../../charges/refunds/list-refunds.ts";
import { refundCharge } from "../../charges/refunds/refund-charge.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import { pageQuerySchema, toPage } from "../../contract/pagination.ts";
import { idempotencyHeader } from "./examples.ts";
import { readIdempotencyKey, replyToRefund } from "./idempotency.ts";
import { clientActor, merchantOf } from "./merchant-of.ts";

const refundExample = {
  id: "rfd_8Lr3nY0wC5oS9uX4zA7qM2eG",
  charge_id: chargeExample.id,
  amount: 250,
  status: "succeeded",
  reason: "requested_by_customer",
  metadata: { ticket: "4711" },
  created_at: "2026-11-22T08:00:00.000Z",
} as const;
const shared = { tag: "Merchant", errors: "problem" } as const;
const path = "/merchant_test/charges/{charge_id}/refunds";
const writeAuth = { kind: "access_token", resource: "merchant_test", scope: "refunds.write" } as const;
/** Refunds can be read with the scope for reading charges, and with the scope for making refunds. */
const readAuth = {
  kind: "access_token",
  resource: "merchant_test",
  scope: "charges.read",
  orScope: "refunds.write",
} as const;
const params = z.object({ charge_id: z.string() });

export const createRefundEndpoint = defineEndpoint({
  ...shared,
  path,
  auth: writeAuth,
  method: "POST",
  operationId: "createRefund",
  summary: "Refund a charge in full or in part",
  standards: ["RFC 9457", "RFC 8785"],
  errorCodes: [
    "invalid_request",
    "charge_not_found",
    "charge_not_refundable",
    "exceeds_captured",
    "idempotency_key_in_use",
    "idempotency_key_reused",
    "processor_unavailable",
  ],
  request: {
    content: "json",
    mayBeAbsent: true,
    params,
    body: refundRequestSchema,
    headers: idempotencyHeader,
    example: { amount: 250, reason: "requested_by_customer", metadata: { ticket: "4711" } },
  },
  responses: {
    201: {
      description:
        "The refund succeeded, failed or is pending. If it is pending, read it again or wait for the webhook",
      schema: refundSchema,
      example: refundExample,
    },
  },
  async handle({ deps, caller, info, request }, { body, params: { charge_id: chargeId } }) {
    const idempotencyKey = readIdempotencyKey(request);
    const act = { merchantId: merchantOf(caller), actor: clientActor(caller), requestId: info.requestId, chargeId };
    return replyToRefund(await refundCharge(deps, { ...act, idempotencyKey, request: body }));
  },
});

export const listRefundsEndpoint = defineEndpoint({
  ...shared,
  path,
  auth: readAuth,
  method: "GET",
  operationId: "listRefunds",
  summary: "List the refunds of a charge",
  standards: ["RFC 9457"],
  errorCodes: ["invalid_request", "charge_not_found"],
  request: { params, query: pageQuerySchema },
  responses: {
    200: {
      description:
        "Newest first. has_more says whether more items follow. In a request with ending_before, it says whether more items come before this page",
      schema: refundListSchema,
      example: { data: [refundExample], has_more: false },
    },
  },
  async handle({ deps, caller }, { params: { charge_id: chargeId }, query }) {
    const body = await listRefunds(deps, { merchantId: merchantOf(caller), chargeId, ...toPage(query) });
    return { status: 200, headers: noStore, body };
  },
});

const readContract = {
  ...shared,
  auth: readAuth,
  method: "GET",
  standards: ["RFC 9457"],
  errorCodes: ["refund_not_found"],
  responses: { 200: { description: "The refund", schema: refundSchema, example: refundExample } },
} as const;

export const getRefundEndpoint = defineEndpoint({
  ...readContract,
  path: "/merchant_test/refunds/{refund_id}",
  operationId: "getRefund",
  summary: "Read one refund",
  request: { params: z.object({ refund_id: z.string() }) },
  async handle({ deps, caller }, { params: { refund_id: refundId } }) {
    const body = await getRefund(deps, { merchantId: merchantOf(caller), chargeId: null, refundId });
    return { status: 200, headers: noStore, body };
  },
});

export const getRefundOfChargeEndpoint = defineEndpoint({
  ...readContract,
  path: `${path}/{refund_id}`,
  operationId: "getRefundOfCharge",
  summary: "Read one refund of a charge",
  request: { params: params.extend({ refund_id: z.string() }) },
  async handle({ deps, caller }, { params: { charge_id: chargeId, refund_id: refundId } }) {
    const body = await getRefund(deps, { merchantId: merchantOf(caller), chargeId, refundId });
    return { status: 200, headers: noStore, body };
  },
});
