import { z } from "zod";
import { isCurrency, maxAmountMinor } from "../kernel/money.ts";
import { isMerchantCategory } from "./rules/mcc.ts";
import { limitKey } from "./rules/terms.ts";
import { isTimeZone, parseInstant } from "./rules/validity.ts";

export const paymentMandateType = "payment_mandate_v1";

const upTo = Number(maxAmountMinor);
const bounds = `must be an integer from 1 to ${upTo}`;
/** Minor units; also what counts of payments are bounded by. */
const wholeNumber = z.int(bounds).min(1, bounds).max(upTo, bounds);

const distinct = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

// What a refinement checks and JSON Schema can say stands beside it, for the schema that is published.
const unique = { uniqueItems: true } as const;
const needsOneOf = (...names: string[]) => ({ anyOf: names.map((name) => ({ required: [name] })) });

const instant = z
  .string()
  .max(40)
  .refine((text) => parseInstant(text) !== null, "must be an RFC 3339 date-time with an offset")
  .meta({ format: "date-time" });

/** The mandate that begins here ends a year later, and RFC 3339 §5.6 writes years of four digits. */
const beginning = instant.refine((text) => {
  const year = parseInstant(text)?.getUTCFullYear() ?? 0;
  return year >= 0 && year < 9998;
}, "must be before the year 9998");

/** Nothing that could make the consent page read differently from what it says: controls and invisible format
 * characters, but for the joiner that emoji need. */
const plainText = /^(?:[^\p{Cc}\p{Cf}\u2028\u2029]|\u200d)*$/u;

const periodicLimitSchema = z
  .strictObject({
    period: z.enum(["day", "week", "month", "quarter", "year"]),
    alignment: z.enum(["calendar", "consent"]),
    max_amount: wholeNumber.optional(),
    max_payments: wholeNumber.optional(),
  })
  .refine(
    (limit) => limit.max_amount !== undefined || limit.max_payments !== undefined,
    "needs max_amount or max_payments",
  )
  .meta(needsOneOf("max_amount", "max_payments"));

const payeeSchema = z.union([
  z.strictObject({ id: z.string().min(1).max(64) }),
  z.strictObject({
    category: z
      .string()
      .refine(isMerchantCategory, "must be a known merchant category code")
      .meta({ pattern: "^\\d{4}$" }),
  }),
]);

const fields = {
  type: z.literal(paymentMandateType),
  identifier: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe("of the mandate to change, with grant_management_action replace; the server gives it otherwise"),
  actions: z
    .array(z.enum(["verify", "charge"]))
    .min(1)
    .max(2)
    .refine(distinct, "must not repeat")
    .meta(unique),
  locations: z.array(z.url().max(500)).max(5).optional(),
  currency: z.string().refine(isCurrency, "must be a known ISO 4217 currency").meta({ pattern: "^[A-Z]{3}$" }),
  max_amount_per_payment: wholeNumber.optional(),
  max_total_amount: wholeNumber.optional(),
  max_payments: wholeNumber.optional(),
  periodic_limits: z
    .array(periodicLimitSchema)
    .max(5)
    .refine((limits) => distinct(limits.map(limitKey)), "must hold one limit per period and alignment")
    .optional(),
  time_zone: z.string().max(64).refine(isTimeZone, "must be an IANA time zone").optional(),
  payees: z
    .array(payeeSchema)
    .max(100)
    .refine((payees) => distinct(payees.map((payee) => JSON.stringify(payee))), "must not repeat")
    .meta(unique)
    .optional(),
  valid_from: beginning.optional(),
  valid_until: instant.optional(),
  payer_presence: z
    .array(z.enum(["in_session", "off_session"]))
    .max(2)
    .refine(distinct, "must not repeat")
    .meta(unique)
    .optional(),
  step_up_above: wholeNumber.optional(),
  refund_policy: z.enum(["consume", "restore"]).optional(),
  purpose: z
    .string()
    .refine((text) => [...text].length <= 140, "must be at most 140 characters")
    .refine((text) => plainText.test(text), "must be plain text without control characters")
    .meta({ maxLength: 140 })
    .optional(),
};

const hasAmountCap = (details: {
  max_amount_per_payment?: number | undefined;
  max_total_amount?: number | undefined;
  periodic_limits?: readonly { max_amount?: number | undefined }[] | undefined;
}): boolean =>
  details.max_amount_per_payment !== undefined ||
  details.max_total_amount !== undefined ||
  (details.periodic_limits ?? []).some((limit) => limit.max_amount !== undefined);

/** RAR type `payment_mandate_v1` (2-payments): unknown fields are refused, a new optional field means `_v2`. */
export const paymentMandateSchema = z
  .strictObject(fields)
  .refine(hasAmountCap, "needs at least one amount cap")
  .meta({
    anyOf: [
      { required: ["max_amount_per_payment"] },
      { required: ["max_total_amount"] },
      {
        required: ["periodic_limits"],
        properties: { periodic_limits: { contains: { required: ["max_amount"] } } },
      },
    ],
  });

/** What a token may hold less of than its mandate; everything else is as granted. */
export const tokenNarrowingSchema = z
  .strictObject(fields)
  .pick({
    actions: true,
    locations: true,
    max_amount_per_payment: true,
    max_total_amount: true,
    max_payments: true,
    periodic_limits: true,
    payees: true,
    valid_from: true,
    valid_until: true,
    payer_presence: true,
    step_up_above: true,
  })
  .partial();

export type PaymentMandateDetails = z.infer<typeof paymentMandateSchema>;

/** As granted: narrowed by the payer, with what the server adds at consent. */
export type GrantedMandateDetails = PaymentMandateDetails & {
  identifier: string;
  payment_instrument?: { id: string; type: string; label: string };
};
