import { z } from "zod";
import { currencyProblem, isCurrency, maxAmountMinor } from "../../kernel/money/money.ts";

const amountLimitSchema = z.object({
  currency: z.string().describe("ISO 4217"),
  amount: z.int().describe("In the currency's minor unit"),
});

export type AmountLimit = z.infer<typeof amountLimitSchema>;

/** Limits that a caller should know before it sends a request. Null: the participant has none, or they aren't known. */
export const limitsSchema = z.object({
  max_charge_amounts: z
    .array(amountLimitSchema)
    .describe("The greatest amount of one charge in each currency, as the participant states it"),
  authorization_details: z
    .object({
      max_items: z.int().describe("Items in one request"),
      max_amount: z.int().describe("The greatest amount of each field, in the minor unit of any currency"),
    })
    .nullable()
    .describe("What an authorization server accepts in `authorization_details`"),
  request_uri_lifetime_seconds: z
    .int()
    .nullable()
    .describe("How long an authorization server keeps a pushed request (RFC 9126)"),
  client_rate_limit: z
    .object({ requests: z.int(), seconds: z.int() })
    .nullable()
    .describe("Pushed requests and token requests of one client at an authorization server"),
});

export type Limits = z.infer<typeof limitsSchema>;

/** The limits of every participant except the authorization server itself. */
export const statedLimits = (maxChargeAmounts: readonly AmountLimit[]): Limits => ({
  max_charge_amounts: maxChargeAmounts.map(({ currency, amount }) => ({ currency, amount })),
  authorization_details: null,
  request_uri_lifetime_seconds: null,
  client_rate_limit: null,
});

const maxCurrencies = 20;
const upTo = Number(maxAmountMinor);

export const maxChargeAmountsEdit = z
  .array(
    z.strictObject({
      currency: z.string().refine(isCurrency, currencyProblem),
      amount: z
        .int(`must be an integer from 1 to ${upTo}`)
        .min(1, `must be an integer from 1 to ${upTo}`)
        .max(upTo, `must be an integer from 1 to ${upTo}`),
    }),
  )
  .max(maxCurrencies, `must have at most ${maxCurrencies} currencies`)
  .refine((limits) => new Set(limits.map(({ currency }) => currency)).size === limits.length, {
    message: "must have each currency once",
  });

/** Sorted by currency. */
export const sortLimits = (limits: readonly AmountLimit[]): AmountLimit[] =>
  limits.toSorted((left, right) => (left.currency < right.currency ? -1 : 1));
