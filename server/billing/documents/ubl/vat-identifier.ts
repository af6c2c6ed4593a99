import { isCountry } from "../../../kernel/text/countries.ts";

/** Prefixes that aren't country codes: Greece and Northern Ireland. */
const otherPrefixes = ["EL", "XI"];

/**
 * A VAT number as a VAT identifier (BT-31, BT-48). A VAT identifier starts with a country code (BR-CO-09), but some
 * countries outside the EU have numbers without this code.
 * @returns null for such a number
 */
export const vatIdentifier = (vatNumber: string | null): string | null => {
  const prefix = vatNumber?.slice(0, 2) ?? "";
  return isCountry(prefix) || otherPrefixes.includes(prefix) ? vatNumber : null;
};
