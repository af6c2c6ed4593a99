/** A value that JSON represents exactly. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** A JSON integer (RFC 8259 §6): no fraction and no exponent. */
const integerText = /^-?\d+$/;

/**
 * A text without these characters needs no check of its numbers. If the characters are only in a string, the check is
 * unnecessary but harmless.
 */
const fractionOrExponent = /\d[.eE]/;

type Reviver = (name: string, value: unknown, context: { source?: string }) => unknown;

const readExactly: Reviver = (_name, value, { source = "" }) =>
  Number.isSafeInteger(value) && !integerText.test(source) ? Number.NaN : value;

/**
 * Parses like JSON.parse, but a number is an integer only if it is written as one. A double would round
 * `4999.9999999999999999` to 5000 before a schema can check it, and `1e3` isn't a valid amount. Such numbers become
 * NaN, which no schema accepts. Integers beyond 2^53 are rounded as by JSON.parse, and `z.int()` refuses them.
 * @throws SyntaxError; RangeError if the text is nested deeper than the stack allows.
 */
export const parseExactly = (text: string): unknown =>
  fractionOrExponent.test(text) ? JSON.parse(text, readExactly as Parameters<typeof JSON.parse>[1]) : JSON.parse(text);
