import { z } from "zod";

/** Values in plan files. Each error message follows the name of its field. */

/** Ten times the maximum amount of a charge; sums of such amounts fit in 64 bits. */
const maxPlanAmount = 999_999_999_999;
const maxUnits = 999_999_999_999;

const whole = (min: number, max: number) =>
  z
    .int({ error: "must be a whole number" })
    .min(min, { error: `must be at least ${min}` })
    .max(max, { error: `must be at most ${max}` });

export const planAmountSchema = whole(0, maxPlanAmount).describe("In the currency's minor unit");
export const unitsSchema = whole(1, maxUnits);
export const freeUnitsSchema = whole(0, maxUnits);
export const daysSchema = whole(0, 366);
export const monthsSchema = whole(1, 120);

const notText = 'must be a decimal in quotes, such as "0.8"';

/** A decimal string, because a YAML or JSON number would become a binary fraction. */
export const exactSchema = z
  .string({ error: notText })
  .regex(/^(0|[1-9]\d{0,11})(\.\d{1,12})?$/, { error: notText })
  .describe("Decimal in minor units, at most 12 fraction digits");

const notRate = 'must be a decimal in quotes with at most 6 fraction digits, such as "29" or "2.5"';
export const rateSchema = z
  .string({ error: notRate })
  .regex(/^(0|[1-9]\d{0,5})(\.\d{1,6})?$/, { error: notRate })
  .describe("Decimal, at most 6 fraction digits");
