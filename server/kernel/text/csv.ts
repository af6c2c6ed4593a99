/** A spreadsheet runs a cell that begins with one of these characters as a formula (OWASP, CSV Injection). */
const startsFormula = /^[=+\-@\t\r]/;

/** Matches our numbers, which may begin with a minus, and a single minus, which means "no actor" in the audit log. */
const isNoFormula = /^-?\d+(?:\.\d+)?$|^-$/;

const toCell = (text: string): string => {
  const safe = startsFormula.test(text) && !isNoFormula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/**
 * One line of a CSV file (RFC 4180). A text that a spreadsheet would run as a formula is prefixed with an apostrophe.
 */
export const toCsvLine = (cells: readonly string[]): string => `${cells.map(toCell).join(",")}\r\n`;
