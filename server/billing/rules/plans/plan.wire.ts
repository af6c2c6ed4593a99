import { z } from "zod";
import { isCurrency } from "../../../kernel/money/money.ts";
import { exactRecord } from "./exact-record.wire.ts";
import { chargesMeter, isPriceableMeter } from "./meters.ts";
import { daysSchema, planAmountSchema } from "./plan-values.wire.ts";
import { priceSchema } from "./price.wire.ts";

export const planIdSchema = z.string().regex(/^[a-z][a-z0-9_-]{0,62}$/, {
  error: "must be a lower-case letter, then at most 62 of a-z, 0-9, _ and -",
});

const meter = z.string().refine(isPriceableMeter, {
  error: "isn’t a known meter: use a built-in meter, or own:NAME for a merchant’s own meter",
});

/** Replaces zod's message for an unknown key. */
const recordErrors = (what: string) => ({
  protoMessage: what,
  error: (issue: z.core.$ZodRawIssue) => (issue.code === "invalid_key" ? what : undefined),
});

const pricesSchema = exactRecord(
  meter,
  priceSchema,
  recordErrors("isn’t a known meter: use a built-in meter, or own:NAME for a merchant’s own meter"),
).check(({ value: prices, issues }) => {
  for (const [name, { model }] of Object.entries(prices)) {
    if (name === chargesMeter || !model.endsWith("basis_points")) continue;
    const message = `is only for ${chargesMeter}: events of other meters have no amount`;
    issues.push({ code: "custom", continue: true, input: prices, path: [name, "model"], message });
  }
});

const currencyTermsSchema = z
  .strictObject({
    flat: planAmountSchema.optional().describe("Fee for a full period"),
    minimum: planAmountSchema
      .optional()
      .describe("Minimum for flat fee and usage together; a true-up adds the difference"),
    maximum: planAmountSchema
      .optional()
      .describe("Maximum for flat fee and usage together; a discount removes the difference"),
    prices: pricesSchema.optional(),
  })
  .check(({ value, issues }) => {
    if (value.maximum === undefined || (value.minimum ?? 0) <= value.maximum) return;
    issues.push({
      code: "custom",
      continue: true,
      input: value,
      path: ["maximum"],
      message: "must be at least minimum",
    });
  });

const currency = z.string().refine(isCurrency);

/**
 * The definition of a plan version: the plan's entry in the file, without `retired` and `migrate`. Store it as `json`,
 * because `jsonb` loses the order of currencies and prices. This order is the order of an invoice's lines.
 */
export const planDefinitionSchema = z.strictObject({
  name: z.string().min(1).max(100),
  effective_from: z.iso.date({ error: "must be a date such as 2027-01-01" }),
  interval: z.enum(["month", "quarter", "year"]),
  trial_days: daysSchema.optional(),
  public: z.boolean().optional().describe("False hides the plan from the public list and from estimates"),
  currencies: exactRecord(
    currency,
    currencyTermsSchema,
    recordErrors("isn’t a known currency: use an ISO 4217 code in upper case, such as EUR"),
  ).refine((all) => Object.keys(all).length > 0, { error: "must have at least one currency" }),
});

/** A plan in the file: the definition of its version, and the settings of the whole plan. */
export const planEntrySchema = planDefinitionSchema.extend({
  retired: z.boolean().optional().describe("Stops new subscriptions"),
  migrate: z.literal("next_period").optional().describe("Moves existing subscriptions to the newest version"),
});

export type PlanDefinition = z.infer<typeof planDefinitionSchema>;
