/** A value that JSON carries unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** How JSON writes an integer (RFC 8259 §6), without a fraction and an exponent. */
const integerText = /^-?\d+$/;

/** Where there is none of these, no number needs a second look. It may stand in a string, which costs only that look. */
const fractionOrExponent = /\d[.eE]/;

type Reviver = (name: string, value: unknown, context: { source?: string }) => unknown;

const readExactly: Reviver = (_name, value, { source = "" }) =>
  Number.isSafeInteger(value) && !integerText.test(source) ? Number.NaN : value;

/**
 * As JSON.parse, but a number is an integer only where its text is one. A double rounds `4999.9999999999999999` to 5000
 * before a schema can see it, and `1e3` isn't how amounts are written: such a number becomes NaN, which no schema takes.
 * An integer beyond 2^53 is rounded as well; it stays what JSON.parse makes of it, and `z.int()` refuses every one.
 * @throws SyntaxError; RangeError where it nests deeper than the stack.
 */
export const parseExactly = (text: string): unknown =>
  fractionOrExponent.test(text) ? JSON.parse(text, readExactly as Parameters<typeof JSON.parse>[1]) : JSON.parse(text);
