import { z } from "zod";
import { isTimeZone } from "../../kernel/time/time-zone.ts";
import { usageWindows } from "../rules/usage-windows.ts";
import type { UsageEvent } from "./list-usage-events.ts";
import type { MeterSums, Usage } from "./read-usage.ts";

const count = z.int().min(0);
const money = { currency: z.string(), amount: z.int().describe("In the currency's minor unit") };
const counted = z.object({ count });

const sumsSchema = z.object({
  from: z.string(),
  to: z.string(),
  meters: z.object({
    successful_charges: z.object({ count, amounts: z.array(z.object({ ...money, count })) }),
    active_mandates: z.object({
      count: count.describe("Number of different mandates that were charged in the period"),
    }),
    verifications: counted,
    tokens_issued: counted,
    introspections: counted,
    step_ups: counted,
    webhooks_delivered: counted,
  }),
  own_meters: z.object({
    data: z.array(
      z.object({
        meter: z.string(),
        count: count.describe("Number of events"),
        total_quantity: z.string().describe("Sum as decimal digits, because it may exceed the range of JSON numbers"),
      }),
    ),
    has_more: z
      .boolean()
      .describe(
        "True if the list is incomplete: it has at most 1,000 meters, or 20 in a window. Request the others by name",
      ),
  }),
});

export const usageSchema = sumsSchema.extend({
  time_zone: z.string(),
  windows: z.array(sumsSchema).optional().describe("In chronological order; present only if `window` was requested"),
});

export const usageEventsSchema = z.object({
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
        mandate_id: z.string().nullable().describe("Null if the verdict doesn’t name a mandate"),
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
        meter: z.enum(["tokens_issued", "introspections", "step_ups", "webhooks_delivered"]),
        time: z.string(),
        client_id: z.string().nullable().describe("The client that made the call; null for a webhook"),
        subject: z.string().nullable().describe("The charge of a step-up, or the delivery of a webhook"),
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
  has_more: z.boolean(),
});

const instant = z.iso.datetime({ offset: true, error: "must be an RFC 3339 date and time" }).optional();
const zoneForm = "must be an IANA time zone, for example Europe/Berlin";

/** Half-open: includes `from`, excludes `to`. The default is the current calendar month so far. */
export const usagePeriodSchema = z.object({
  from: instant,
  to: instant,
  time_zone: z
    .string(zoneForm)
    .max(64, zoneForm)
    .refine(isTimeZone, zoneForm)
    .optional()
    .describe("Time zone of the default period and of windows. Default: UTC"),
});

const windowForm = `must be one of ${usageWindows.join(", ")}`;
export const usageWindowSchema = z
  .enum(usageWindows, windowForm)
  .optional()
  .describe("Divides the period into hours, days or months of the time zone. `hour` is allowed for at most 31 days");

const toSumsObject = (sums: MeterSums): z.infer<typeof sumsSchema> => ({
  from: sums.period.from.toISOString(),
  to: sums.period.to.toISOString(),
  meters: {
    successful_charges: {
      count: sums.charges.reduce((total, one) => total + one.count, 0),
      amounts: sums.charges.map((one) => ({
        currency: one.currency,
        count: one.count,
        amount: Number(one.amountMinor),
      })),
    },
    active_mandates: { count: sums.activeMandates },
    verifications: { count: sums.verifications },
    tokens_issued: { count: sums.calls.tokens_issued },
    introspections: { count: sums.calls.introspections },
    step_ups: { count: sums.calls.step_ups },
    webhooks_delivered: { count: sums.calls.webhooks_delivered },
  },
  own_meters: {
    data: sums.ownMeters.map(({ quantity, ...one }) => ({ ...one, total_quantity: String(quantity) })),
    has_more: sums.hasMoreMeters,
  },
});

export const toUsageObject = (usage: Usage): z.infer<typeof usageSchema> => ({
  ...toSumsObject(usage),
  time_zone: usage.timeZone,
  ...(usage.windows === null ? {} : { windows: usage.windows.map(toSumsObject) }),
});

type UsageEventObject = z.infer<typeof usageEventsSchema>["data"][number];

/** An event as returned to the merchant. */
export const toUsageEventObject = (event: UsageEvent): UsageEventObject => {
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
    case "call":
      return { id, meter: event.meter, time, client_id: event.of.clientId, subject: event.of.subject };
    case "own": {
      const { source, eventId, subject, quantity, receivedMs } = event.of;
      const receivedAt = new Date(receivedMs).toISOString();
      return { id, meter: event.meter, time, source, event_id: eventId, subject, quantity, received_at: receivedAt };
    }
  }
};
