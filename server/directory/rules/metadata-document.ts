import type { Json, JsonObject } from "../../kernel/text/json.ts";

/** The well-known names of metadata, and the member that must identify the publisher (RFC 8414 §3.3, RFC 9728 §3.3). */
const identifiers = { "oauth-authorization-server": "issuer", "oauth-protected-resource": "resource" } as const;

type Subject = { member: (typeof identifiers)[keyof typeof identifiers]; value: string };

/** The issuer or resource that a document at this URL must name; null if it isn't the URL of a metadata document. */
const subjectOf = (uri: string): Subject | null => {
  const { origin, pathname, search } = new URL(uri);
  const [, name, rest = ""] = /^\/\.well-known\/([a-z-]+)(\/.*)?$/.exec(pathname) ?? [];
  if (name !== "oauth-authorization-server" && name !== "oauth-protected-resource") return null;
  const member = identifiers[name];
  // Only a resource may have a query (RFC 9728 §1.2).
  return member === "issuer" && search !== "" ? null : { member, value: `${origin}${rest}${search}` };
};

export const isMetadataAddress = (uri: string): boolean => URL.canParse(uri) && subjectOf(uri) !== null;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** @returns the metadata, and the URL of the keys that the metadata names; or a text that says what is wrong. */
export const readMetadata = (
  uri: string,
  value: unknown,
): { document: JsonObject; jwksUri: string | null } | { problem: string } => {
  const subject = subjectOf(uri);
  if (!subject || !isObject(value)) return { problem: "isn’t a JSON object" };
  if (!isNestedAtMost(value, maxLevels)) return tooDeep;
  const stated = value[subject.member];
  // The well-known URL omits a trailing slash of the identifier, so the document may have the slash or not.
  if (stated !== subject.value && stated !== `${subject.value}/`) {
    return { problem: `doesn’t have ${subject.value} as its ${subject.member}` };
  }
  const jwksUri = value["jwks_uri"] ?? null;
  if (jwksUri !== null && !isShortAddress(jwksUri)) return { problem: "has a jwks_uri that isn’t a URL" };
  return { document: normalized(value), jwksUri };
};

/** If the keys can't be fetched, the owner and readers of the entry see this URL. */
const isShortAddress = (value: Json): value is string => typeof value === "string" && /^[!-~]{1,2000}$/.test(value);

const maxKeys = 100;
const secretMembers = ["d", "k", "p", "q", "dp", "dq", "qi", "oth"];

/** A JWK Set with public keys only (RFC 7517 §5); or a text that says what is wrong. */
export const readKeySet = (value: unknown): { jwks: JsonObject } | { problem: string } => {
  const keys = isObject(value) ? value["keys"] : null;
  if (!isObject(value) || !Array.isArray(keys)) return { problem: "isn’t a JWK Set" };
  if (!isNestedAtMost(value, maxLevels)) return tooDeep;
  if (keys.length > maxKeys) return { problem: `has more than ${maxKeys} keys` };
  const isPublic = (key: Json) => isObject(key) && !secretMembers.some((member) => Object.hasOwn(key, member));
  return keys.every(isPublic) ? { jwks: normalized(value) } : { problem: "has a key that isn’t public" };
};

/** Deeper values can exhaust the stack where they are compared or stored. */
const maxLevels = 20;
const tooDeep = { problem: `is nested deeper than ${maxLevels} levels` };

const isNestedAtMost = (value: Json, levels: number): boolean =>
  typeof value !== "object" ||
  value === null ||
  (levels > 0 && Object.values(value).every((member: Json) => isNestedAtMost(member, levels - 1)));

/** The value as it will be read back from storage. Otherwise, a number that JSON can't express would always differ. */
const normalized = (value: JsonObject): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;
