import { z } from "zod";
import { acceptedDays, isMeterName, isName, isServiceMeter, maxQuantity } from "../rules/usage-event.ts";

const maxEvents = 1_000;
export const maxBatchBytes = 1024 * 1024;

const nameForm = "must be 1 to 200 characters without control characters";
const name = z.string(nameForm).refine(isName, nameForm).meta({ minLength: 1, maxLength: 200 });

const meterForm = "must start with a-z, followed by at most 62 characters of a-z, 0-9 and _";
export const meterSchema = z
  .string(meterForm)
  .refine(isMeterName, meterForm)
  .meta({ pattern: "^[a-z][a-z0-9_]{0,62}$" });

const quantityForm = `must be an integer from 1 to ${maxQuantity}`;

/** Events of a batch are parsed one by one, so that a malformed event doesn't cause the refusal of other events. */
export const usageEventSchema = z.strictObject(
  {
    id: name.describe("Unique within its source. An event that is sent again is counted only once"),
    source: name.describe("The part of your system that reports the event"),
    meter: meterSchema
      .refine((meter) => !isServiceMeter(meter), "is the name of a built-in meter")
      .describe("Name of your own meter"),
    subject: name.optional().describe("Your own id of the customer or object that the event is about"),
    quantity: z.int(quantityForm).min(1, quantityForm).max(maxQuantity, quantityForm),
    time: z.iso
      .datetime({ offset: true, error: "must be an RFC 3339 date and time" })
      .describe(`When the event happened: at most ${acceptedDays} days ago`),
  },
  "must be an object",
);

const { $schema: _, ...documented } = z.toJSONSchema(usageEventSchema);
const batchForm = `must be a list of 1 to ${maxEvents} events`;

export const usageBatchSchema = z.strictObject({
  events: z
    .array(z.unknown().meta(documented), batchForm)
    .min(1, batchForm)
    .max(maxEvents, batchForm)
    .describe("The request body may be at most 1 MiB"),
});

const count = z.int().min(0);

export const usageResultsSchema = z.object({
  accepted: count,
  duplicates: count,
  conflicts: count,
  refused: count,
  results: z
    .array(
      z.object({
        status: z.enum(["accepted", "duplicate", "conflict", "refused"]),
        errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
      }),
    )
    .describe("One for each event, in the same order"),
});
