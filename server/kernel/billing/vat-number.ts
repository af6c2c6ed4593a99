/**
 * The formats of VAT numbers in the EU, with their prefixes (European Commission, VIES, "VAT number structure"). Check
 * digits aren't verified: the algorithms differ between countries, and VIES verifies the number.
 */
const formats: Readonly<Record<string, RegExp>> = {
  AT: /^ATU\d{8}$/,
  BE: /^BE[01]\d{9}$/,
  BG: /^BG\d{9,10}$/,
  CY: /^CY\d{8}[A-Z]$/,
  CZ: /^CZ\d{8,10}$/,
  DE: /^DE\d{9}$/,
  DK: /^DK\d{8}$/,
  EE: /^EE\d{9}$/,
  ES: /^ES(?:[A-Z]\d{7}[A-Z\d]|\d{8}[A-Z])$/,
  FI: /^FI\d{8}$/,
  FR: /^FR[A-HJ-NP-Z\d]{2}\d{9}$/,
  GR: /^EL\d{9}$/,
  HR: /^HR\d{11}$/,
  HU: /^HU\d{8}$/,
  IE: /^IE(?:\d{7}[A-Z]{1,2}|\d[A-Z+*]\d{5}[A-Z])$/,
  IT: /^IT\d{11}$/,
  LT: /^LT(?:\d{9}|\d{12})$/,
  LU: /^LU\d{8}$/,
  LV: /^LV\d{11}$/,
  MT: /^MT\d{8}$/,
  NL: /^NL\d{9}B\d{2}$/,
  PL: /^PL\d{10}$/,
  PT: /^PT\d{9}$/,
  RO: /^RO\d{2,10}$/,
  SE: /^SE\d{12}$/,
  SI: /^SI\d{8}$/,
  SK: /^SK\d{10}$/,
};

/** The format for all other countries. It also matches the numbers of Northern Ireland, which start with XI. */
const otherFormat = /^[A-Z\d][A-Z\d-]{1,19}$/;

const countryNames = new Intl.DisplayNames("en", { type: "region" });

/** Converts to upper case and removes spaces. For EU countries, also removes dots and hyphens. */
export const normalizeVatNumber = (text: string, country: string): string => {
  const upper = text.trim().toUpperCase().replaceAll(/\s/g, "");
  return Object.hasOwn(formats, country) ? upper.replaceAll(/[.-]/g, "") : upper;
};

/** The problem with a normalized number, in whole sentences; null if it has the country's format. */
export const vatNumberProblem = (number: string, country: string): string | null => {
  const format = Object.hasOwn(formats, country) ? formats[country] : otherFormat;
  if (format?.test(number)) return null;
  if (format === otherFormat) return "A VAT number has 2 to 20 letters, digits and hyphens.";
  const name = countryNames.of(country) ?? country;
  return `This isn’t a valid VAT number for ${name}. It must start with ${country === "GR" ? "EL" : country} and have the right number of characters.`;
};

/** Whether VIES can verify this number: it covers the EU and Northern Ireland. */
export const isInVies = (number: string, country: string): boolean =>
  Object.hasOwn(formats, country) || (country === "GB" && number.startsWith("XI"));
