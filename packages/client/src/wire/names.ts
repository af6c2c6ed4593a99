// The API uses snake_case, and this package camelCase. Names inside these members are never converted: merchants choose
// those in metadata, and RFC 7517 defines those in keys.
const opaque: ReadonlySet<string> = new Set(["metadata", "jwks", "jwk"]);

const toCamelName = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The part from `#` is a language tag (RFC 7591 §2.2), for example `clientName#de-AT`. */
const toSnakeName = (name: string): string => {
  const [member = "", ...tag] = name.split("#");
  return [member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), ...tag].join("#");
};

const rename = (value: unknown, toName: (name: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((item) => rename(item, toName));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [toName(name), opaque.has(name) ? member : rename(member, toName)]),
  );
};

/** JSON of the API with the names of this package. */
export const toCamel = (value: unknown): unknown => rename(value, toCamelName);

/** JSON of this package with the names of the API. Members that are undefined are left out. */
export const toSnake = (value: unknown): unknown => rename(value, toSnakeName);
