import { z } from "zod";
import { currencyProblem, isCurrency } from "../../kernel/money/money.ts";
import { invoiceSchema } from "../invoices/invoice.wire.ts";
import { exactRecord } from "../rules/plans/exact-record.wire.ts";
import { isPriceableMeter } from "../rules/plans/meters.ts";

/** Accepts numbers of any size, so that a number that is too large is refused with `estimate_too_large`. */
const whole = (min: number) =>
  z
    .number()
    .refine(Number.isInteger, { error: "must be a whole number" })
    .min(min, { error: `must be at least ${min}` })
    .meta({ override: { type: "integer" } });

const days = (min: number) => z.int().min(min).max(366);

const unknownMeter = "isn’t a known meter: use a built-in meter, or own:NAME for a merchant’s own meter";

const usageSchema = exactRecord(
  z.string().refine(isPriceableMeter),
  z.union(
    [
      whole(0).describe("Units"),
      z
        .array(z.strictObject({ amount: whole(1).describe("In the currency's minor unit"), count: whole(0) }))
        .describe("For successful_charges: each amount, and the number of charges with this amount"),
    ],
    { error: "must be a whole number of units, or a list of charges with amount and count" },
  ),
  {
    protoMessage: unknownMeter,
    error: (issue) => (issue.code === "invalid_key" ? unknownMeter : undefined),
  },
);

/** Maximum number of coupons per estimate: each one is read from the catalogue. */
const maxCoupons = 10;

export const estimateRequestSchema = z.strictObject({
  plan: z.string().min(1).max(100),
  version: z.int().min(1).max(2_147_483_647).optional().describe("Default: the newest version in effect"),
  currency: z.string().refine(isCurrency, { error: currencyProblem }),
  days: z
    .strictObject({ used: days(0), of: days(1) })
    .refine(({ used, of }) => used <= of, { error: "must be at most `of`", path: ["used"] })
    .optional()
    .describe("Prorates the flat fee and the minimum. Default: the whole period"),
  coupons: z
    .array(z.string().min(1).max(100))
    .max(maxCoupons)
    .optional()
    .describe("Coupon codes, in the order in which they are applied"),
  tax_region: z.string().min(1).max(100).optional().describe("Default: no tax"),
  usage: usageSchema,
});

export type EstimateRequest = z.infer<typeof estimateRequestSchema>;

const position = z.int();

export const estimateSchema = z.object({
  invoice: invoiceSchema,
  explanation: z
    .array(
      z.object({
        line: z.string().describe("Id of the line"),
        steps: z.array(
          z.object({
            from: position.describe(
              "Start of the step: a position in the quantity or, with basis points, in the cumulative amount",
            ),
            to: position.describe("End of the step, exclusive"),
            units: z.int().describe("Number of units in this step; with basis points, the number of charges"),
            exact: z.string().describe("Decimal in minor units, at most 12 fraction digits"),
          }),
        ),
      }),
    )
    .describe("How each line’s `exact` is computed: it is the sum of the steps"),
});

export type EstimateObject = z.infer<typeof estimateSchema>;
