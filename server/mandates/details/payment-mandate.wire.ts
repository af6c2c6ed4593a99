import { z } from "zod";
import { isMerchantCategory } from "../../kernel/money/mcc.ts";
import { currencyProblem, isCurrency, maxAmountMinor } from "../../kernel/money/money.ts";
import { isPlain } from "../../kernel/text/text.ts";
import { isTimeZone } from "../../kernel/time/time-zone.ts";
import { limitKey } from "../rules/terms.ts";
import { parseInstant } from "../rules/validity.ts";

export const paymentMandateType = "payment_mandate_v1";

const upTo = Number(maxAmountMinor);

/** The problem text of each schema: the same text for every invalid value. */
const problems = z.registry<{ problem: string }>();
const field = <S extends z.ZodType>(schema: S, problem: string): S => {
  problems.add(schema, { problem });
  return schema;
};

/** An amount in minor units, or a number of payments. */
const wholeNumber = field(z.int().min(1).max(upTo), `must be an integer from 1 to ${upTo}`);

const distinct = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

// The published schema doesn't contain refinements. If JSON Schema can express a refinement, it is repeated as
// metadata.
const unique = { uniqueItems: true } as const;
const needsOneOf = (...names: string[]) => ({ anyOf: names.map((name) => ({ required: [name] })) });

const instant = z
  .string()
  .max(40)
  .refine((text) => parseInstant(text) !== null)
  .meta({ format: "date-time" });

/** A mandate may end a year after its beginning, and RFC 3339 §5.6 allows only years of four digits. */
const beginning = instant.refine((text) => {
  const year = parseInstant(text)?.getUTCFullYear() ?? 0;
  return year >= 0 && year < 9998;
});

const periodicLimitSchema = field(
  z
    .strictObject({
      period: field(z.enum(["day", "week", "month", "quarter", "year"]), "must be day, week, month, quarter or year"),
      alignment: field(z.enum(["calendar", "consent"]), "must be calendar or consent"),
      max_amount: wholeNumber.optional(),
      max_payments: wholeNumber.optional(),
    })
    .refine((limit) => limit.max_amount !== undefined || limit.max_payments !== undefined)
    .meta(needsOneOf("max_amount", "max_payments")),
  "must have max_amount or max_payments",
);

const payeeSchema = field(
  z.union([
    z.strictObject({ id: z.string().min(1).max(64) }),
    z.strictObject({ category: z.string().refine(isMerchantCategory).meta({ pattern: "^\\d{4}$" }) }),
  ]),
  "must be a registered id or a known category",
);

const fields = {
  type: z.literal(paymentMandateType),
  identifier: field(
    z
      .string()
      .min(1)
      .max(64)
      .describe(
        "Id of the mandate to change, only with grant_management_action replace. The server assigns the id of a new mandate",
      ),
    "must be a mandate's identifier",
  ).optional(),
  actions: field(
    z
      .array(z.enum(["verify", "charge"]))
      .min(1)
      .max(2)
      .refine(distinct)
      .meta(unique),
    "must be a list of verify, charge or both",
  ),
  locations: field(z.array(z.url().max(500)).max(5), "must be a list of at most 5 URLs").optional(),
  currency: field(z.string().refine(isCurrency).meta({ pattern: "^[A-Z]{3}$" }), currencyProblem),
  max_amount_per_payment: wholeNumber.optional(),
  max_total_amount: wholeNumber.optional(),
  max_payments: wholeNumber.optional(),
  periodic_limits: field(
    z
      .array(periodicLimitSchema)
      .max(5)
      .refine((limits) => distinct(limits.map(limitKey))),
    "must be a list of at most 5 limits, one per period and alignment",
  ).optional(),
  time_zone: field(z.string().max(64).refine(isTimeZone), "must be an IANA time zone").optional(),
  payees: field(
    z
      .array(payeeSchema)
      .max(100)
      .refine((payees) => distinct(payees.map((payee) => JSON.stringify(payee))))
      .meta(unique),
    "must be a list of at most 100 payees without duplicates",
  ).optional(),
  valid_from: field(beginning, "must be an RFC 3339 date-time with an offset, before the year 9998").optional(),
  valid_until: field(instant, "must be an RFC 3339 date-time with an offset").optional(),
  payer_presence: field(
    z
      .array(z.enum(["in_session", "off_session"]))
      .max(2)
      .refine(distinct)
      .meta(unique),
    "must be a list of in_session, off_session or both",
  ).optional(),
  step_up_above: wholeNumber.optional(),
  refund_policy: field(z.enum(["consume", "restore"]), "must be consume or restore").optional(),
  purpose: field(
    z
      .string()
      .refine((text) => [...text].length <= 140 && isPlain(text))
      .meta({ maxLength: 140 }),
    "must be plain text of at most 140 characters, without control characters",
  ).optional(),
};

const hasAmountCap = (details: {
  max_amount_per_payment?: number | undefined;
  max_total_amount?: number | undefined;
  periodic_limits?: readonly { max_amount?: number | undefined }[] | undefined;
}): boolean =>
  details.max_amount_per_payment !== undefined ||
  details.max_total_amount !== undefined ||
  (details.periodic_limits ?? []).some((limit) => limit.max_amount !== undefined);

/**
 * RAR type `payment_mandate_v1` (docs/spec/payments.md, Mandate fields). Unknown fields are refused, so even a new
 * optional field requires `_v2`.
 */
export const paymentMandateSchema = field(
  z
    .strictObject(fields)
    .refine(hasAmountCap)
    .meta({
      anyOf: [
        { required: ["max_amount_per_payment"] },
        { required: ["max_total_amount"] },
        {
          required: ["periodic_limits"],
          properties: { periodic_limits: { contains: { required: ["max_amount"] } } },
        },
      ],
    }),
  "needs at least one amount limit",
);

const problemsWithin = (schema: z.core.$ZodType, at: string): [at: string, problem: string][] => {
  if (schema instanceof z.ZodOptional) return problemsWithin(schema.unwrap(), at);
  const own = problems.get(schema);
  const inner =
    schema instanceof z.ZodArray
      ? problemsWithin(schema.element, `${at}[]`)
      : schema instanceof z.ZodObject
        ? Object.entries<z.core.$ZodType>(schema.shape).flatMap(([name, value]) =>
            problemsWithin(value, at === "" ? name : `${at}.${name}`),
          )
        : [];
  return own ? [...inner, [at, own.problem]] : inner;
};

/** Problem texts by place, such as `periodic_limits[].max_amount`; `""` is the whole object. */
export const fieldProblems: ReadonlyMap<string, string> = new Map(problemsWithin(paymentMandateSchema, ""));

/** The fields that may be narrower in a token than in its mandate; all others are as granted. */
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

/** The details as granted: narrowed by the payer, with the fields that the server adds at consent. */
export type GrantedMandateDetails = PaymentMandateDetails & {
  identifier: string;
  payment_instrument?: { id: string; type: string; label: string };
};
