import { z } from "zod";
import { exactSchema, freeUnitsSchema, planAmountSchema, rateSchema, unitsSchema } from "./plan-values.wire.ts";

const upTo = unitsSchema.optional().describe("Inclusive; absent in the last tier");
const freeUnits = freeUnitsSchema.optional();
const flatAtZero = z.boolean().optional().describe("Whether zero usage costs the flat amount of the first tier");

type Bounded = { up_to?: number | undefined };

/** Refuses unordered tiers, and a last tier with an upper bound. */
const checkTiers = ({ value: tiers, issues }: z.core.ParsePayload<readonly Bounded[]>): void => {
  const refuse = (index: number, message: string) =>
    issues.push({ code: "custom", continue: true, input: tiers, path: [index, "up_to"], message });
  let previous = 0;
  for (const [index, { up_to: bound }] of tiers.entries()) {
    const isLast = index === tiers.length - 1;
    if (isLast && bound !== undefined) refuse(index, "must be absent: the last tier has no upper bound");
    if (!isLast && bound === undefined) refuse(index, "is required in every tier except the last");
    if (!isLast && bound !== undefined && bound <= previous) refuse(index, `must be greater than ${previous}`);
    previous = bound ?? previous;
  }
};

const tiersOf = <T extends z.ZodType<Bounded>>(tier: T) => z.array(tier).min(1).max(50).check(checkTiers);

const unitTiers = tiersOf(
  z.strictObject({
    up_to: upTo,
    unit: exactSchema,
    flat: planAmountSchema.optional().describe("Charged once for each tier that the usage reaches"),
  }),
);
const packageTiers = tiersOf(z.strictObject({ up_to: upTo, size: unitsSchema, amount: planAmountSchema }));
const rateTiers = tiersOf(
  z.strictObject({
    up_to: upTo.describe("Inclusive; cumulative amount in minor units"),
    rate: rateSchema.describe("Basis points"),
    flat: planAmountSchema.optional().describe("Charged once for each tier that the usage reaches"),
  }),
);

export const priceSchema = z.discriminatedUnion("model", [
  z.strictObject({ model: z.literal("per_unit"), unit: exactSchema, free_units: freeUnits }),
  z.strictObject({
    model: z.enum(["graduated", "volume"]),
    flat_at_zero: flatAtZero,
    tiers: unitTiers,
    free_units: freeUnits,
  }),
  z.strictObject({
    model: z.literal("package"),
    size: unitsSchema,
    amount: planAmountSchema,
    free_units: freeUnits,
  }),
  z.strictObject({ model: z.literal("graduated_package"), tiers: packageTiers, free_units: freeUnits }),
  z
    .strictObject({
      model: z.literal("basis_points"),
      rate: rateSchema.describe("Basis points"),
      min: exactSchema.optional().describe("Per charge"),
      max: exactSchema.optional().describe("Per charge"),
    })
    .check(({ value: { min, max }, issues, value }) => {
      if (min === undefined || max === undefined || Number(min) <= Number(max)) return;
      issues.push({ code: "custom", continue: true, input: value, path: ["min"], message: "must be at most max" });
    }),
  z.strictObject({ model: z.literal("graduated_basis_points"), flat_at_zero: flatAtZero, tiers: rateTiers }),
]);

export type PriceDefinition = z.infer<typeof priceSchema>;
