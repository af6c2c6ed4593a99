import { currencies } from "#server/kernel/money/money.ts";
import { countries } from "#server/kernel/text/countries.ts";

type Option = readonly [code: string, name: string];

/** The choices of the forms with business details. */
export type DetailOptions = {
  countries: readonly Option[];
  currencies: readonly Option[];
  timeZones: readonly string[];
};

/** The names are in English, like the pages. */
const named = (type: "region" | "currency", codes: readonly string[]): Option[] => {
  const names = new Intl.DisplayNames("en", { type });
  return codes
    .map((code): Option => [code, names.of(code) ?? code])
    .toSorted(([, left], [, right]) => left.localeCompare(right, "en"));
};

const countryOptions = named("region", countries);
const currencyOptions = named("currency", currencies).toSorted(([left], [right]) => left.localeCompare(right, "en"));
const zones = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])].toSorted();

/**
 * Call it on the server only, because a browser may have other names for time zones. @param current the chosen zone,
 * whose name may be outdated.
 */
export const detailOptions = (current: string): DetailOptions => ({
  countries: countryOptions,
  currencies: currencyOptions,
  timeZones: zones.includes(current) ? zones : [current, ...zones],
});
