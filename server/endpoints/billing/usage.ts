import { z } from "zod";
import { listUsageEvents, type UsageEvent } from "../../billing/meters/list-usage-events.ts";
import { readUsage } from "../../billing/meters/read-usage.ts";
import { meterSchema } from "../../billing/meters/usage-event.wire.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import { pageQuerySchema, toPage } from "../../contract/pagination.ts";
import { merchantOf } from "../charges/merchant-of.ts";

const count = z.int().min(0);
const money = { currency: z.string(), amount: z.int().describe("In the currency's minor unit") };
const hasMore = z.boolean();

const usageSchema = z.object({
  from: z.string(),
  to: z.string(),
  meters: z.object({
    successful_charges: z.object({ count, amounts: z.array(z.object({ ...money, count })) }),
    active_mandates: z.object({
      count: count.describe("Number of different mandates that were charged in the period"),
    }),
    verifications: z.object({ count }),
  }),
  own_meters: z.object({
    data: z.array(
      z.object({
        meter: z.string(),
        count: count.describe("Events"),
        total_quantity: z.string().describe("Sum as decimal digits, because it may exceed the range of JSON numbers"),
      }),
    ),
    has_more: hasMore.describe("True if you have more than 1,000 meters; request the others by name"),
  }),
});

const eventsSchema = z.object({
  data: z.array(
    z.union([
      z.object({
        id: z.string(),
        meter: z.literal("successful_charges"),
        time: z.string(),
        mandate_id: z.string(),
        ...money,
      }),
      z.object({
        id: z.string().describe("The jti of the receipt"),
        meter: z.literal("verifications"),
        time: z.string(),
        client_id: z.string(),
        mandate_id: z.string().nullable().describe("Null if the verdict named no mandate"),
        log: z
          .object({
            valid: z.boolean(),
            reason: z.string().nullable().describe("The first reason of the verdict"),
            request_id: z.string().describe("x-request-id of the response"),
          })
          .nullable()
          .describe("Null after 30 days of real time"),
      }),
      z.object({
        id: z.string(),
        meter: z.string(),
        time: z.string(),
        source: z.string(),
        event_id: z.string().describe("The id that you sent"),
        subject: z.string().nullable(),
        quantity: z.int(),
        received_at: z.string(),
      }),
    ]),
  ),
  has_more: hasMore,
});

const instant = z.iso.datetime({ offset: true, error: "must be an RFC 3339 date and time" }).optional();

/** Half-open: includes `from`, excludes `to`. The default is the current calendar month (UTC) so far. */
const periodSchema = z.object({ from: instant, to: instant });
const usageQuery = periodSchema.extend({
  meter: meterSchema.optional().describe("Returns only this meter, which must be one of your own"),
});
const eventsQuery = periodSchema.extend({ ...pageQuerySchema.shape, meter: meterSchema.optional() });

const toDate = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text));
const toPeriodFilter = ({ from, to, meter }: z.infer<typeof usageQuery>) => ({
  from: toDate(from),
  to: toDate(to),
  meter: meter ?? null,
});

const contract = {
  method: "GET",
  tag: "Billing",
  standards: ["RFC 9457"],
  auth: { kind: "access_token", resource: "billing", scope: "billing.read" },
  errors: "problem",
  errorCodes: ["invalid_request"],
} as const;

export const readUsageEndpoint = defineEndpoint({
  ...contract,
  path: "/billing/usage",
  operationId: "readUsage",
  summary: "Get the merchant's usage in a period",
  request: { query: usageQuery },
  responses: {
    200: {
      description:
        "A charge counts once, in the period in which its money was captured; later refunds and disputes don’t change the count. Every verdict of verify-mandate counts, valid or not. Events of your own meters count at their own time. Verdicts and your own events are kept for 13 months. The last few seconds before the response may be incomplete",
      schema: usageSchema,
      example: {
        from: "2026-11-01T00:00:00.000Z",
        to: "2026-11-21T10:15:00.000Z",
        meters: {
          successful_charges: { count: 2, amounts: [{ currency: "EUR", count: 2, amount: 2500 }] },
          active_mandates: { count: 1 },
          verifications: { count: 3 },
        },
        own_meters: { data: [{ meter: "searches", count: 2, total_quantity: "15" }], has_more: false },
      },
    },
  },
  async handle({ deps, caller }, { query }) {
    const usage = await readUsage(deps, { merchantId: merchantOf(caller), ...toPeriodFilter(query) });
    const amounts = usage.charges.map(({ currency, count: times, amountMinor }) => ({
      currency,
      count: times,
      amount: Number(amountMinor),
    }));
    const total = usage.charges.reduce((sum, one) => sum + one.count, 0);
    const ownMeters = usage.ownMeters.map(({ quantity, ...one }) => ({ ...one, total_quantity: String(quantity) }));
    return {
      status: 200,
      headers: noStore,
      body: {
        from: usage.period.from.toISOString(),
        to: usage.period.to.toISOString(),
        meters: {
          successful_charges: { count: total, amounts },
          active_mandates: { count: usage.activeMandates },
          verifications: { count: usage.verifications },
        },
        own_meters: { data: ownMeters, has_more: usage.hasMoreMeters },
      },
    };
  },
});

/** An event as returned to the merchant. */
const toEventObject = (event: UsageEvent): z.infer<typeof eventsSchema>["data"][number] => {
  const id = event.id;
  const time = event.time.toISOString();
  switch (event.kind) {
    case "charge": {
      const { mandateId, currency, amount } = event.of;
      return { id, meter: "successful_charges", time, mandate_id: mandateId, currency, amount };
    }
    case "verification": {
      const { mandateId, clientId, log } = event.of;
      const logEntry = log && { valid: log.reason === null, reason: log.reason, request_id: log.requestId };
      return { id, meter: "verifications", time, mandate_id: mandateId, client_id: clientId, log: logEntry };
    }
    case "own": {
      const { source, eventId, subject, quantity, receivedMs } = event.of;
      const receivedAt = new Date(receivedMs).toISOString();
      return { id, meter: event.meter, time, source, event_id: eventId, subject, quantity, received_at: receivedAt };
    }
  }
};

export const listUsageEventsEndpoint = defineEndpoint({
  ...contract,
  path: "/billing/usage/events",
  operationId: "listUsageEvents",
  summary: "List the events that the merchant's usage is computed from",
  request: { query: eventsQuery },
  responses: {
    200: {
      description:
        "Oldest first. has_more says whether more items follow. In a request with ending_before, it says whether more items precede. Events of the last few seconds may appear later, at a position before a cursor that you already have. Only a period that ended at least a minute ago is complete",
      schema: eventsSchema,
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
    return { status: 200, headers: noStore, body: { data: events.map(toEventObject), has_more: isCut } };
  },
});
