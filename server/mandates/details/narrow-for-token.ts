import { isDeepStrictEqual } from "node:util";
import type { AuthorizationDetails } from "../../kernel/authorization-details.ts";
import { isDomainError, OAuthError } from "../../kernel/errors.ts";
import { type JsonObject, parseExactly } from "../../kernel/text/json.ts";
import { holdsText, isShallow, namesOnce } from "../../kernel/text/text.ts";
import { narrowGranted } from "../rules/narrow-granted.ts";
import { tokenNarrowingSchema } from "./payment-mandate.wire.ts";

const maxDetailsBytes = 16 * 1024;
const maxItems = 10;

const detailsRefusal = (description: string) => new OAuthError("invalid_authorization_details", description);

/**
 * The part of the granted details that a token gets: all mandates, or those that the request names by `identifier`.
 * Each of them is as granted or narrower (RFC 9396 §6.1). Absent members keep their granted values; `type` is required
 * (§2).
 * @param requested the form's `authorization_details`.
 * @throws OAuthError invalid_authorization_details.
 */
export const narrowForToken = (
  granted: readonly AuthorizationDetails[],
  requested: string | undefined,
): readonly AuthorizationDetails[] => {
  if (requested === undefined) return granted;
  const items = distinct(parseItems(requested));
  const identifiers = new Set(items.map(({ identifier }) => identifier));
  if (identifiers.size < items.length)
    throw detailsRefusal("authorization_details must have a different identifier in each item");
  return items.map((item, index) => {
    if (!Object.hasOwn(item, "type")) throw detailsRefusal(`authorization_details[${index}].type: is missing`);
    const match = granted.find(({ identifier }) => identifier === item["identifier"]);
    if (!match) throw detailsRefusal(`authorization_details[${index}]: identifier is not an active, granted mandate`);
    return narrowItem(match, item, `authorization_details[${index}]`);
  });
};

/** The earliest end of the mandates: from then on, a token that names all of them can't be used. Null: no mandates. */
export const firstEndOf = (details: readonly JsonObject[]): Date | null => {
  const ends = details.flatMap(({ valid_until: until }) => (typeof until === "string" ? [Date.parse(until)] : []));
  return ends.length > 0 ? new Date(Math.min(...ends)) : null;
};

/**
 * The narrower of two versions of one mandate: the version that a token was granted, and the current version.
 * @returns null if neither version includes the other, for example after changes in both directions.
 */
export const narrowerOf = (before: AuthorizationDetails, now: AuthorizationDetails): AuthorizationDetails | null => {
  for (const [wider, narrower] of [
    [before, now],
    [now, before],
  ] as const) {
    try {
      return narrowItem(wider, narrower, "");
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
    }
  }
  return null;
};

/** Whether a token with the details `held` allows everything that the mandate's current details `now` allow. */
export const holdsAll = (held: AuthorizationDetails, now: AuthorizationDetails): boolean => {
  try {
    return isDeepStrictEqual(narrowItem(held, now, ""), now);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return false;
  }
};

/**
 * Removes repeated items. A token is live only while all mandates that it names are active. They are counted, so a
 * token must name each mandate once.
 */
const distinct = (items: readonly JsonObject[]): JsonObject[] =>
  items.filter((item, index) => items.findIndex((other) => isDeepStrictEqual(item, other)) === index);

const parseItems = (text: string): JsonObject[] => {
  if (Buffer.byteLength(text) > maxDetailsBytes) throw detailsRefusal("authorization_details is larger than 16 KiB");
  let items: unknown;
  try {
    items = parseExactly(text);
  } catch (cause) {
    throw new OAuthError("invalid_authorization_details", "authorization_details is not JSON", { cause });
  }
  if (!holdsText(items)) throw detailsRefusal("authorization_details contains text with NUL or an unpaired surrogate");
  if (!namesOnce(text)) throw detailsRefusal("authorization_details has a repeated member");
  if (!isShallow(items)) throw detailsRefusal("authorization_details is nested too deeply");
  if (!Array.isArray(items)) throw detailsRefusal("authorization_details is not an array");
  if (items.length === 0) throw detailsRefusal("authorization_details is empty: omit it, or name a mandate");
  if (items.length > maxItems) throw detailsRefusal("authorization_details must have at most 10 items");
  if (items.some((item) => typeof item !== "object" || item === null || Array.isArray(item))) {
    throw detailsRefusal("authorization_details has an item that is not an object");
  }
  return items as JsonObject[];
};

/** Compares values regardless of the order of their members (RFC 8259 §4). */
const narrowItem = (granted: AuthorizationDetails, requested: JsonObject, where: string): AuthorizationDetails => {
  const changes = Object.entries(requested).filter(
    ([name, value]) => !Object.hasOwn(granted, name) || !isDeepStrictEqual(value, granted[name]),
  );
  if (changes.length === 0) return granted;
  const parsed = tokenNarrowingSchema.safeParse(Object.fromEntries(changes));
  if (!parsed.success) {
    const field = String(parsed.error.issues[0]?.path[0] ?? "");
    throw detailsRefusal(
      field ? `${where}.${field}: is malformed` : `${where}: changes a field that can't be narrowed`,
    );
  }
  try {
    return narrowGranted(granted, parsed.data);
  } catch (error) {
    if (!isDomainError(error)) throw error;
    const field = error.errors[0]?.pointer.replaceAll("/", ".") ?? "";
    throw detailsRefusal(`${where}${field}: exceeds what was granted`);
  }
};
