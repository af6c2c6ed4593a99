import { z } from "zod";
import { disputeListSchema, disputeSchema } from "../../charges/charge/charge.wire.ts";
import { getMerchantDispute, listMerchantDisputes } from "../../charges/disputes/list-disputes.ts";
import { chargeExample } from "../../charges/events/charge-example.ts";
import { disputeStatuses } from "../../charges/rules/dispute.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import { createdQuerySchema, pageQuerySchema, toCreatedRange, toPage } from "../../contract/pagination.ts";
import { merchantOf } from "./merchant-of.ts";

const disputeExample = {
  id: "dsp_2Tk6pQ8wZ4mC9vX1bN5rJ7yG",
  charge_id: chargeExample.id,
  amount: 1250,
  currency: "EUR",
  reason: "fraudulent",
  status: "lost",
  created_at: "2026-11-23T07:30:00.000Z",
  closed_at: "2026-12-14T16:00:00.000Z",
} as const;

const shared = {
  method: "GET",
  tag: "Merchant",
  standards: ["RFC 9457"],
  auth: { kind: "access_token", resource: "merchant_test", scope: "charges.read" },
  errors: "problem",
} as const;

export const listDisputesEndpoint = defineEndpoint({
  ...shared,
  path: "/merchant_test/disputes",
  operationId: "listDisputes",
  summary: "List the disputes of the merchant's charges",
  errorCodes: ["invalid_request"],
  request: {
    query: createdQuerySchema.extend({
      ...pageQuerySchema.shape,
      status: z.enum(disputeStatuses).optional(),
      charge_id: z.string().min(1).max(64).optional(),
    }),
  },
  responses: {
    200: {
      description:
        "Newest first. has_more says whether more items follow. In a request with ending_before, it says whether more items come before this page",
      schema: disputeListSchema,
      example: { data: [disputeExample], has_more: false },
    },
  },
  async handle({ deps, caller }, { query }) {
    const filters = { status: query.status ?? null, chargeId: query.charge_id ?? null, ...toCreatedRange(query) };
    const input = { merchantId: merchantOf(caller), ...filters, ...toPage(query) };
    return { status: 200, headers: noStore, body: await listMerchantDisputes(deps, input) };
  },
});

export const getDisputeEndpoint = defineEndpoint({
  ...shared,
  path: "/merchant_test/disputes/{dispute_id}",
  operationId: "getDispute",
  summary: "Read one dispute",
  errorCodes: ["dispute_not_found"],
  request: { params: z.object({ dispute_id: z.string() }) },
  responses: { 200: { description: "The dispute", schema: disputeSchema, example: disputeExample } },
  async handle({ deps, caller }, { params: { dispute_id: disputeId } }) {
    const body = await getMerchantDispute(deps, { merchantId: merchantOf(caller), disputeId });
    return { status: 200, headers: noStore, body };
  },
});
