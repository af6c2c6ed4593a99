import { z } from "zod";
import { currencyProblem, isCurrency } from "../../kernel/money/money.ts";
import { invoiceSchema } from "../invoices/invoice.wire.ts";
import { exactRecord } from "../rules/plans/exact-record.wire.ts";
import { isPriceableMeter } from "../rules/plans/meters.ts";

const planForm = "must be the id of a plan: 1 to 100 characters";
const versionForm = "must be a version of the plan: a whole number from 1, or left out for the newest version";
const daysForm = (min: number) => `must be a whole number of days from ${min} to 366`;
const couponForm = "must be the code of a coupon: 1 to 100 characters";
const regionForm = "must be a key of the catalogue’s tax rates: 1 to 100 characters; if left out, there is no tax";

/** A text of 1 to 100 characters. If the text is missing, `fieldErrors` writes the message. */
const textOf = (form: string) =>
  z
    .string({ error: ({ input }) => (input === undefined ? undefined : form) })
    .min(1, form)
    .max(100, form);

/** Accepts numbers of any size, so that a number that is too large is refused with `estimate_too_large`. */
const whole = (min: number) =>
  z
    .number()
    .refine(Number.isInteger, { error: "must be a whole number" })
    .min(min, { error: `must be at least ${min}` })
    .meta({ override: { type: "integer" } });

const days = (min: number) =>
  z
    .int({ error: ({ input }) => (input === undefined ? undefined : daysForm(min)) })
    .min(min, daysForm(min))
    .max(366, daysForm(min));

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
const couponsForm = `must be a list of at most ${maxCoupons} coupon codes`;

export const estimateRequestSchema = z.strictObject({
  plan: textOf(planForm),
  version: z
    .int(versionForm)
    .min(1, versionForm)
    .max(2_147_483_647, versionForm)
    .optional()
    .describe("Default: the newest version in effect"),
  currency: z.string().refine(isCurrency, { error: currencyProblem }),
  days: z
    .strictObject({ used: days(0), of: days(1) })
    .refine(({ used, of }) => used <= of, { error: "must be at most `of`", path: ["used"] })
    .optional()
    .describe("Prorates the flat fee and the minimum. Default: the whole period"),
  coupons: z
    .array(textOf(couponForm), couponsForm)
    .max(maxCoupons, couponsForm)
    .optional()
    .describe("Coupon codes, in the order in which they are applied"),
  tax_region: textOf(regionForm).optional().describe("Default: no tax"),
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
              "Start of the step: a position in the quantity. With basis_points: in the amount of one charge. With graduated_basis_points: in the sum of the amounts",
            ),
            to: position.describe("End of the step, exclusive"),
            units: z
              .int()
              .describe(
                "Number of units in this step. With basis_points: the number of charges. With graduated_basis_points: the amount in this step, in minor units",
              ),
            exact: z.string().describe("Decimal in minor units, at most 12 fraction digits"),
          }),
        ),
      }),
    )
    .describe("How each line’s `exact` is computed: it is the sum of the steps"),
});

export type EstimateObject = z.infer<typeof estimateSchema>;
