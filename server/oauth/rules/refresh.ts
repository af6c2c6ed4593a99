import { isDeepStrictEqual } from "node:util";
import { OAuthError } from "../../kernel/errors.ts";
import type { JsonObject } from "../../kernel/json.ts";

/**
 * Which of the granted details a refresh keeps: all, or those that the request names by `identifier`.
 * A changed value would be another mandate; lower limits are the payer's to set, in the wallet.
 * @throws OAuthError invalid_authorization_details (RFC 9396 §6.1).
 */
export const narrowedDetails = (granted: readonly JsonObject[], asked: string | undefined): readonly JsonObject[] => {
  if (asked === undefined) return granted;
  let wanted: unknown;
  try {
    wanted = JSON.parse(asked);
  } catch {
    wanted = null;
  }
  if (!Array.isArray(wanted))
    throw new OAuthError("invalid_authorization_details", "authorization_details is not an array");
  const kept = wanted.map((item: unknown) => {
    const match = granted.find((details) => isSubset(item, details));
    if (!match) throw new OAuthError("invalid_authorization_details", "authorization_details is wider than granted");
    return match;
  });
  // One mandate named twice is one mandate: a token is live only while each that it names is.
  return [...new Set(kept)];
};

/** Every member that was sent is equal to the granted one, in whatever order its own members are, and `identifier` is among them. */
const isSubset = (item: unknown, details: JsonObject): boolean => {
  if (typeof item !== "object" || item === null || !Object.hasOwn(item, "identifier")) return false;
  return Object.entries(item).every(
    ([name, value]) => Object.hasOwn(details, name) && isDeepStrictEqual(value, details[name]),
  );
};
