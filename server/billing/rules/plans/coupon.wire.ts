import { z } from "zod";
import { currencyProblem, isCurrency } from "../../../kernel/money/money.ts";
import { type Exact, parseExact } from "../exact/exact.ts";
import { isPriceableMeter } from "./meters.ts";
import { planIdSchema } from "./plan.wire.ts";
import { monthsSchema, planAmountSchema, rateSchema } from "./plan-values.wire.ts";
import type { Meter } from "./terms.ts";

export const couponCodeSchema = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, {
  error: "must be 1 to 64 letters, digits, _ and -",
});

const meter = z.string().refine(isPriceableMeter, { error: "isn’t a known meter" });

/** A coupon in the file. It has either `percent`, or `amount` and `currency`. */
export const couponDefinitionSchema = z
  .strictObject({
    percent: rateSchema.optional(),
    amount: planAmountSchema.optional(),
    currency: z.string().refine(isCurrency, { error: currencyProblem }).optional(),
    plans: z.array(planIdSchema).min(1).max(100).optional().describe("Default: all plans"),
    meters: z.array(meter).min(1).max(100).optional().describe("Limits the coupon to these meters"),
    duration_months: monthsSchema.optional().describe("Default: no limit"),
  })
  .check(({ value, issues }) => {
    const refuse = (field: string, message: string) =>
      issues.push({ code: "custom", continue: true, input: value, path: [field], message });
    const { percent, amount, currency } = value;
    if ((percent === undefined) === (amount === undefined)) refuse("percent", "set either percent or amount, not both");
    if ((amount === undefined) !== (currency === undefined)) {
      refuse("currency", "is required with amount, and must be absent without amount");
    }
    if (amount === 0) refuse("amount", "must be at least 1");
    if (percent !== undefined && !(Number(percent) > 0 && Number(percent) <= 100)) {
      refuse("percent", "must be greater than 0 and at most 100");
    }
  });

export type CouponDefinition = z.infer<typeof couponDefinitionSchema>;

/** `plans`, `meters` and `durationMonths` are null if they don't limit the coupon. */
export type CouponTerms = {
  code: string;
  percent: Exact | null;
  amount: { currency: string; amountMinor: bigint } | null;
  plans: readonly string[] | null;
  meters: readonly Meter[] | null;
  durationMonths: number | null;
};

export const toCouponTerms = (code: string, definition: CouponDefinition): CouponTerms => {
  const { percent, amount, currency, plans, meters, duration_months: durationMonths } = definition;
  return {
    code,
    percent: percent === undefined ? null : parseExact(percent),
    amount: amount === undefined || currency === undefined ? null : { currency, amountMinor: BigInt(amount) },
    plans: plans ?? null,
    meters: meters ?? null,
    durationMonths: durationMonths ?? null,
  };
};
