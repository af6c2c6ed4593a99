import { z } from "zod";
import { parseExact } from "../exact/exact.ts";
import type { InvoiceInput } from "../invoice/types.ts";
import { rateSchema } from "./plan-values.wire.ts";

export const taxRegionSchema = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, {
  error: "must be 1 to 64 letters, digits, _ and -",
});

/** Codes of UNCL5305 that EN 16931 allows, and whether their rate is zero (BR-S-5, BR-Z-5, BR-E-5 and so on). */
const rateOfCategory = {
  S: "positive",
  Z: "zero",
  E: "zero",
  AE: "zero",
  K: "zero",
  G: "zero",
  O: "zero",
  L: "any",
  M: "any",
} as const;

const taxCategories = Object.keys(rateOfCategory) as (keyof typeof rateOfCategory)[];

/** A tax rate in the file. `rate` is in percent. */
export const taxRateDefinitionSchema = z
  .strictObject({
    category: z.enum(taxCategories),
    rate: rateSchema,
    behaviour: z.enum(["exclusive", "inclusive"]),
  })
  .check(({ value, issues }) => {
    const rule = rateOfCategory[value.category];
    const refuse = (message: string) =>
      issues.push({ code: "custom", continue: true, input: value, path: ["rate"], message });
    if (Number(value.rate) > 100) refuse("must be at most 100");
    if (rule === "zero" && Number(value.rate) !== 0) refuse(`must be "0" for category ${value.category}`);
    if (rule === "positive" && Number(value.rate) === 0)
      refuse(`must be greater than 0 for category ${value.category}`);
  });

export type TaxRateDefinition = z.infer<typeof taxRateDefinitionSchema>;

export const toTaxTerms = ({ category, rate, behaviour }: TaxRateDefinition): InvoiceInput["tax"] => ({
  category,
  rate: parseExact(rate),
  behaviour,
});

/**
 * The rate of an invoice that is out of scope of tax: for merchants without tax details, and for estimates without a
 * tax region.
 */
export const outOfScope: InvoiceInput["tax"] = { category: "O", rate: 0n, behaviour: "exclusive" };
