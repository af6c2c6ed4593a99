import { z } from "zod";
import { isCurrency } from "../../kernel/money/money.ts";
import { isCountry } from "../../kernel/text/countries.ts";
import { canBeSeen, isPlain } from "../../kernel/text/text.ts";
import { isTimeZone } from "../../kernel/time/time-zone.ts";
import { readCategory, readWebsite } from "../../merchants/rules/merchant-texts.ts";

/** A name that others read. */
const name = (label: string, max: number) =>
  z
    .string()
    .trim()
    .min(1, { error: `Enter the ${label}.`, abort: true })
    .max(max, `Use at most ${max} characters.`)
    .refine((text) => isPlain(text) && canBeSeen(text), "Use visible characters only.");

/** A typed text that `read` converts. If `read` returns null, the text is refused. */
const typed = (read: (text: string) => string | null, problem: string) =>
  z
    .string()
    .max(1_000)
    .transform((text, context) => {
      const value = read(text);
      if (value !== null) return value;
      context.addIssue({ code: "custom", message: problem });
      return z.NEVER;
    });

const chosen = (isKnown: (value: string) => boolean, problem: string) => z.string().max(64).refine(isKnown, problem);

/** The fields that a person fills in about a merchant. The messages are shown next to the fields. */
export const merchantDetails = z.object({
  legalName: name("legal name", 200),
  displayName: name("display name", 60),
  country: chosen(isCountry, "Choose a country."),
  websiteUri: typed(readWebsite, "Enter the address of a website, for example https://shop.example."),
  mcc: typed(readCategory, "Choose a category from the list, or enter its four-digit code."),
  currency: chosen(isCurrency, "Choose a currency."),
  timeZone: chosen(isTimeZone, "Choose a time zone."),
});
