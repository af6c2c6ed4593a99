import { z } from "zod";
import { chargeExample } from "../../charges/events/charge-example.ts";
import { announceCharge } from "../../charges/notices/announce-charge.ts";
import { cancelNotice } from "../../charges/notices/cancel-notice.ts";
import { getMerchantNotice, listMerchantNotices } from "../../charges/notices/list-notices.ts";
import {
  noticeListSchema,
  noticeRequestSchema,
  noticeSchema,
  toAnnouncedObject,
  toNoticeObject,
} from "../../charges/notices/notice.wire.ts";
import { standingCodes } from "../../charges/rules/merchant-standing.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import { createdQuerySchema, pageQuerySchema, toCreatedRange, toPage } from "../../contract/pagination.ts";
import { idempotencyHeader, refusedByMandate } from "./examples.ts";
import { readIdempotencyKey } from "./idempotency.ts";
import { merchantOf } from "./merchant-of.ts";

const noticeExample = {
  id: "ntc_6Vd2hN9sQ4wX7kB1mZ8tL5pJ",
  status: "announced",
  mandate_id: chargeExample.mandate_id,
  merchant_id: chargeExample.merchant_id,
  amount: 1250,
  currency: "EUR",
  reference: "invoice-2026-12",
  due_at: "2026-12-01T08:00:00.000Z",
  created_at: "2026-11-21T10:15:00.000Z",
  charge_id: null,
} as const;

const path = "/merchant_test/charge-notices";
const shared = { tag: "Merchant", standards: ["RFC 9457"], errors: "problem" } as const;
const writeAuth = { kind: "access_token", resource: "merchant_test", scope: "charges.write" } as const;
const readAuth = { ...writeAuth, scope: "charges.read", orScope: "charges.write" } as const;
const params = z.object({ notice_id: z.string() });

export const announceChargeEndpoint = defineEndpoint({
  ...shared,
  path,
  auth: writeAuth,
  method: "POST",
  operationId: "announceCharge",
  summary: "Announce a charge to the payer",
  standards: ["RFC 9457", "RFC 8785"],
  errorCodes: [
    "invalid_request",
    "refused_by_mandate",
    "mandate_not_found",
    ...Object.values(standingCodes),
    "idempotency_key_reused",
    "too_many_announced",
  ],
  request: {
    content: "json",
    body: noticeRequestSchema,
    headers: idempotencyHeader,
    example: {
      mandate_id: noticeExample.mandate_id,
      amount: noticeExample.amount,
      currency: noticeExample.currency,
      due_at: noticeExample.due_at,
      reference: noticeExample.reference,
    },
  },
  responses: {
    201: {
      description: "The payer gets an e-mail with the amount and a link to pause the mandate. Nothing is reserved",
      schema: noticeSchema,
      example: noticeExample,
    },
    403: refusedByMandate,
  },
  async handle({ deps, caller, info, request, admitBudgetAnswer }, { body }) {
    const { notice, isRepeat } = await announceCharge(deps, {
      admitBudgetAnswer,
      merchantId: merchantOf(caller),
      clientId: caller.clientId,
      requestId: info.requestId,
      idempotencyKey: readIdempotencyKey(request),
      request: body,
    });
    const location = `${deps.config.baseUrl}${path}/${notice.id}`;
    const headers = { ...noStore, location, ...(isRepeat ? { "idempotent-replayed": "true" } : {}) };
    return { status: 201, headers, body: toAnnouncedObject(notice) };
  },
});

export const listNoticesEndpoint = defineEndpoint({
  ...shared,
  path,
  auth: readAuth,
  method: "GET",
  operationId: "listChargeNotices",
  summary: "List the merchant's charge notices",
  errorCodes: ["invalid_request"],
  request: {
    query: createdQuerySchema.extend({
      ...pageQuerySchema.shape,
      mandate_id: z.string().min(1).max(64).optional(),
    }),
  },
  responses: {
    200: {
      description:
        "Newest first. has_more says whether more items follow. In a request with ending_before, it says whether more items come before this page",
      schema: noticeListSchema,
      example: { data: [noticeExample], has_more: false },
    },
  },
  async handle({ deps, caller }, { query }) {
    const filters = { mandateId: query.mandate_id ?? null, ...toCreatedRange(query) };
    const body = await listMerchantNotices(deps, { merchantId: merchantOf(caller), ...filters, ...toPage(query) });
    return { status: 200, headers: noStore, body };
  },
});

export const getNoticeEndpoint = defineEndpoint({
  ...shared,
  path: `${path}/{notice_id}`,
  auth: readAuth,
  method: "GET",
  operationId: "getChargeNotice",
  summary: "Read one charge notice",
  errorCodes: ["notice_not_found"],
  request: { params },
  responses: { 200: { description: "The charge notice", schema: noticeSchema, example: noticeExample } },
  async handle({ deps, caller }, { params: { notice_id: noticeId } }) {
    const body = await getMerchantNotice(deps, { merchantId: merchantOf(caller), noticeId });
    return { status: 200, headers: noStore, body };
  },
});

export const cancelNoticeEndpoint = defineEndpoint({
  ...shared,
  path: `${path}/{notice_id}`,
  auth: writeAuth,
  method: "DELETE",
  operationId: "cancelChargeNotice",
  summary: "Cancel a charge notice",
  errorCodes: ["notice_not_found", "notice_charged"],
  request: { params },
  responses: {
    200: {
      description: "The charge notice. A repeated request gets the same response",
      schema: noticeSchema,
      example: { ...noticeExample, status: "canceled" },
    },
  },
  async handle({ deps, caller, info }, { params: { notice_id: noticeId } }) {
    const notice = await cancelNotice(deps, {
      merchantId: merchantOf(caller),
      clientId: caller.clientId,
      requestId: info.requestId,
      noticeId,
    });
    return { status: 200, headers: noStore, body: toNoticeObject(notice, await deps.businessClock.now()) };
  },
});
