import { z } from "zod";
import { pageQuerySchema } from "../../charges/charge.wire.ts";
import { merchantOf } from "../../charges/endpoints/merchant-of.ts";
import { toPage } from "../../charges/endpoints/page.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { listUsageEvents } from "../list-usage-events.ts";
import { readUsage } from "../read-usage.ts";

const count = z.int().min(0);
const money = { currency: z.string(), amount: z.int().describe("In minor units") };

const usageSchema = z.object({
  from: z.string(),
  to: z.string(),
  meters: z.object({
    successful_charges: z.object({ count, amounts: z.array(z.object({ ...money, count })) }),
    active_mandates: z.object({ count }),
  }),
});

const eventsSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      meter: z.literal("successful_charges"),
      at: z.string(),
      mandate_id: z.string(),
      ...money,
    }),
  ),
  has_more: z.boolean(),
});

const instant = z.iso.datetime({ offset: true, error: "must be an instant of RFC 3339" }).optional();

/** Half-open: from `from` on, up to and without `to`; without them the calendar month (UTC) so far. */
const periodSchema = z.object({ from: instant, to: instant });

const toDate = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text));
const toAsked = ({ from, to }: z.infer<typeof periodSchema>) => ({ from: toDate(from), to: toDate(to) });

const contract = {
  method: "GET",
  tag: "Billing",
  standards: ["RFC 9457"],
  auth: { kind: "access_token", resource: "billing", scope: "billing.read" },
  errors: "problem",
  errorCodes: ["invalid_request"],
} as const;
const noStore = { "cache-control": "no-store" };

export const readUsageEndpoint = defineEndpoint({
  ...contract,
  path: "/billing/usage",
  operationId: "readUsage",
  summary: "Count what the merchant used in a period",
  request: { query: periodSchema },
  responses: {
    200: {
      description: "A charge counts once, when its money was taken; what is given back later changes nothing",
      schema: usageSchema,
      example: {
        from: "2026-11-01T00:00:00.000Z",
        to: "2026-11-21T10:15:00.000Z",
        meters: {
          successful_charges: { count: 2, amounts: [{ currency: "EUR", count: 2, amount: 2500 }] },
          active_mandates: { count: 1 },
        },
      },
    },
  },
  async handle({ deps, caller }, { query }) {
    const { period, activeMandates, charges } = await readUsage(deps, {
      merchantId: merchantOf(caller),
      ...toAsked(query),
    });
    const amounts = charges.map(({ currency, count: times, amountMinor }) => ({
      ...{ currency, count: times, amount: Number(amountMinor) },
    }));
    const total = charges.reduce((sum, one) => sum + one.count, 0);
    const meters = { successful_charges: { count: total, amounts }, active_mandates: { count: activeMandates } };
    return {
      status: 200,
      headers: noStore,
      body: { from: period.from.toISOString(), to: period.to.toISOString(), meters },
    };
  },
});

export const listUsageEventsEndpoint = defineEndpoint({
  ...contract,
  path: "/billing/usage/events",
  operationId: "listUsageEvents",
  summary: "List the events behind the merchant's usage",
  request: { query: periodSchema.extend(pageQuerySchema.shape) },
  responses: {
    200: {
      description: "Oldest first; has_more tells whether to ask again with starting_after",
      schema: eventsSchema,
      example: {
        data: [
          {
            ...{ id: "chg_01Jq7WcV5tXb2nRk8sYd3mHz", meter: "successful_charges", at: "2026-11-20T09:00:00.000Z" },
            ...{ mandate_id: "mdt_7Qm4xTzKc9WvBn2rYsHd6gJp", currency: "EUR", amount: 1250 },
          },
        ],
        has_more: false,
      },
    },
  },
  async handle({ deps, caller }, { query }) {
    const { events, hasMore } = await listUsageEvents(deps, {
      ...{ merchantId: merchantOf(caller), ...toPage(query), ...toAsked(query) },
    });
    const data = events.map(({ id, at, mandateId, currency, amount }) => ({
      ...{ id, meter: "successful_charges", at: at.toISOString() },
      ...{ mandate_id: mandateId, currency, amount: Number(amount) },
    }));
    return { status: 200, headers: noStore, body: { data, has_more: hasMore } };
  },
});
