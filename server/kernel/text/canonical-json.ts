import type { Json } from "./json.ts";

/**
 * JSON Canonicalization Scheme (RFC 8785): members sorted by UTF-16 code units, no white space, numbers and strings as
 * ECMAScript writes them.
 * @throws TypeError for a value that I-JSON doesn't have: a number that isn't finite, or an unpaired surrogate.
 */
export const canonicalJson = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonicalJson(item)).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value as { readonly [name: string]: Json })
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, member]) => `${canonicalJson(name)}:${canonicalJson(member)}`);
    return `{${members.join(",")}}`;
  }
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError("a number is not finite");
  if (typeof value === "string" && !value.isWellFormed()) throw new TypeError("a text has an unpaired surrogate");
  return JSON.stringify(value);
};
