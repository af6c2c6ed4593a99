/**
 * The places at which a spreadsheet runs a text as a formula (OWASP, CSV Injection): the start of the text, and after
 * characters that some spreadsheets use as separators. For example, Excel in German splits lines at semicolons, and
 * Japanese editions accept full-width signs.
 */
const formulaStarts = /(^|[;\t\r\n])(?=[ \u3000]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])|^(?=[\t\r])/g;

/** Matches numbers, also negative ones. Also matches "-", which means "no actor" in the audit log. */
const isNoFormula = /^-?\d+(?:\.\d+)?$|^-$/;

const toCell = (text: string): string => {
  const safe = isNoFormula.test(text) ? text : text.replaceAll(formulaStarts, "$1'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/**
 * One line of a CSV file (RFC 4180). An apostrophe is put before each part that a spreadsheet would run as a formula.
 */
export const toCsvLine = (cells: readonly string[]): string => `${cells.map(toCell).join(",")}\r\n`;
