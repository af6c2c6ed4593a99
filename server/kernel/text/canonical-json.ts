import canonicalize from "canonicalize";
import type { Json } from "./json.ts";

/**
 * JSON Canonicalization Scheme (RFC 8785).
 * @throws TypeError for a value that I-JSON doesn't have: a number that isn't finite, or an unpaired surrogate.
 */
export const canonicalJson = (value: Json): string => {
  try {
    return canonicalize(value) ?? "null";
  } catch (error) {
    throw new TypeError("the value has no canonical JSON", { cause: error });
  }
};
