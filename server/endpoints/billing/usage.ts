import type { z } from "zod";
import { listUsageEvents } from "../../billing/meters/list-usage-events.ts";
import { readUsage } from "../../billing/meters/read-usage.ts";
import {
  toUsageEventObject,
  toUsageObject,
  usageEventsSchema,
  usagePeriodSchema,
  usageSchema,
  usageWindowSchema,
} from "../../billing/meters/usage.wire.ts";
import { meterSchema } from "../../billing/meters/usage-event.wire.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import { pageQuerySchema, toPage } from "../../contract/pagination.ts";
import { merchantOf } from "../charges/merchant-of.ts";

const usageQuery = usagePeriodSchema.extend({
  meter: meterSchema.optional().describe("Returns only this meter. It must be one of your own"),
  window: usageWindowSchema,
});
const eventsQuery = usagePeriodSchema.extend({ ...pageQuerySchema.shape, meter: meterSchema.optional() });

const toDate = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text));
const toPeriodFilter = ({ from, to, meter, time_zone: timeZone = "UTC" }: z.infer<typeof eventsQuery>) => ({
  from: toDate(from),
  to: toDate(to),
  meter: meter ?? null,
  timeZone,
});

const contract = {
  method: "GET",
  tag: "Billing",
  standards: ["RFC 9457"],
  auth: { kind: "access_token", resource: "billing", scope: "billing.read" },
  errors: "problem",
  errorCodes: ["invalid_request"],
} as const;

const exampleMeters = {
  successful_charges: { count: 2, amounts: [{ currency: "EUR", count: 2, amount: 2500 }] },
  active_mandates: { count: 1 },
  verifications: { count: 3 },
  tokens_issued: { count: 4 },
  introspections: { count: 7 },
  step_ups: { count: 1 },
  webhooks_delivered: { count: 5 },
};
const exampleSums = {
  from: "2026-11-01T00:00:00.000Z",
  to: "2026-11-21T10:15:00.000Z",
  meters: exampleMeters,
  own_meters: { data: [{ meter: "searches", count: 2, total_quantity: "15" }], has_more: false },
};

export const readUsageEndpoint = defineEndpoint({
  ...contract,
  path: "/billing/usage",
  operationId: "readUsage",
  summary: "Get the merchant's usage in a period",
  request: { query: usageQuery },
  responses: {
    200: {
      description:
        "A charge counts once, in the period in which its money was captured; later refunds and disputes don’t change the count. Every verdict of verify-mandate counts, valid or not. Events of your own meters count at their own time. Events are kept for 13 months. The last few seconds before the response may be incomplete",
      schema: usageSchema,
      example: { ...exampleSums, time_zone: "UTC", windows: [exampleSums] },
    },
  },
  async handle({ deps, caller }, { query }) {
    const usage = await readUsage(deps, {
      merchantId: merchantOf(caller),
      ...toPeriodFilter(query),
      window: query.window ?? null,
    });
    return { status: 200, headers: noStore, body: toUsageObject(usage) };
  },
});

export const listUsageEventsEndpoint = defineEndpoint({
  ...contract,
  path: "/billing/usage/events",
  operationId: "listUsageEvents",
  summary: "List the events that the merchant's usage is computed from",
  request: { query: eventsQuery },
  responses: {
    200: {
      description:
        "Oldest first. has_more says whether more items follow. In a request with ending_before, it says whether more items come before this page. Events of the last few seconds may appear later, at a position before a cursor that you already have. Only a period that ended at least a minute ago is complete",
      schema: usageEventsSchema,
      example: {
        data: [
          {
            id: "chg_01Jq7WcV5tXb2nRk8sYd3mHz",
            meter: "successful_charges",
            time: "2026-11-20T09:00:00.000Z",
            mandate_id: "mdt_7Qm4xTzKc9WvBn2rYsHd6gJp",
            currency: "EUR",
            amount: 1250,
          },
          {
            id: "vrf_3XcLm8vZq1WkKpb5nRt9sYd2mhtphqtz0",
            meter: "verifications",
            time: "2026-11-20T09:15:00.000Z",
            client_id: "cl_live_5sYd2hKpLm3vZq1WcXb5nRt9",
            mandate_id: "mdt_7Qm4xTzKc9WvBn2rYsHd6gJp",
            log: { valid: true, reason: null, request_id: "req_2nRk8sYd3mHz7WcV5tXb01Jq" },
          },
          {
            id: "mev_9WkKpb5nRt9sYd2m3XcLm8vZmhtpixx00",
            meter: "introspections",
            time: "2026-11-20T09:20:00.000Z",
            client_id: "cl_live_5sYd2hKpLm3vZq1WcXb5nRt9",
            subject: null,
          },
          {
            id: "uev_8KpLm3vZq1WcXb5nRt9sYd2hmhtptk0w0",
            meter: "searches",
            time: "2026-11-20T09:30:00.000Z",
            source: "search-api",
            event_id: "req_8f31c",
            subject: "customer-42",
            quantity: 3,
            received_at: "2026-11-20T09:30:02.113Z",
          },
        ],
        has_more: false,
      },
    },
  },
  async handle({ deps, caller }, { query }) {
    const { events, hasMore: isCut } = await listUsageEvents(deps, {
      merchantId: merchantOf(caller),
      ...toPage(query),
      ...toPeriodFilter(query),
    });
    return { status: 200, headers: noStore, body: { data: events.map(toUsageEventObject), has_more: isCut } };
  },
});
