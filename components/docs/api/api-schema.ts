import { formatCount } from "../../format/text.ts";
/** The parts of a JSON Schema that this page reads (draft 2020-12, as in OpenAPI 3.1). */
export type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  format?: string;
  description?: string;
  default?: unknown;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
};

export type Field = {
  name: string;
  /** in words: `string`, `list of integer`, `ES256 or PS256` */
  type: string;
  isRequired: boolean;
  /** bounds and default, in words */
  limits: string | null;
  /** regular expression that the value matches */
  pattern: string | null;
  description: string | null;
  /** the fields of an object, or of the items of a list */
  fields: readonly Field[];
};

export type Resolve = (reference: string) => Schema;

/** The members of an object's schema. Other schemas have none. */
export const fieldsOf = (schema: Schema, resolve: Resolve): Field[] => {
  const { properties = {}, required = [] } = follow(schema, resolve);
  return Object.entries(properties).map(([name, member]) =>
    toField(name, member, { isRequired: required.includes(name), resolve }),
  );
};

export const toField = (
  name: string,
  schema: Schema,
  { isRequired, resolve }: { isRequired: boolean; resolve: Resolve },
): Field => {
  const own = follow(schema, resolve);
  return {
    name,
    type: typeOf(own, resolve),
    isRequired,
    limits: limitsOf(own),
    // For a format, zod also adds a regular expression, which adds no information.
    pattern: own.format === undefined ? (own.pattern ?? null) : null,
    description: schema.description ?? own.description ?? null,
    fields: namedOnce(partsOf(own, resolve).flatMap((part) => fieldsOf(part, resolve))),
  };
};

/** The schema, and the schemas of its items and alternatives at any depth. */
const partsOf = (schema: Schema, resolve: Resolve): Schema[] => {
  const own = follow(schema, resolve);
  const inner = [...(own.items ? [own.items] : []), ...(own.anyOf ?? []), ...(own.oneOf ?? [])];
  return [own, ...inner.flatMap((part) => partsOf(part, resolve))];
};

/** Alternatives often share fields, such as `id`, so only the first field of each name is kept. */
const namedOnce = (fields: readonly Field[]): Field[] =>
  fields.filter(({ name }, index) => fields.findIndex((field) => field.name === name) === index);

const follow = (schema: Schema, resolve: Resolve): Schema => (schema.$ref ? resolve(schema.$ref) : schema);

const typeOf = (schema: Schema, resolve: Resolve): string => {
  const own = follow(schema, resolve);
  if (own.const !== undefined) return spell(own.const);
  if (own.enum) return own.enum.map(spell).join(" or ");
  // If the schema has a type, alternatives only narrow that type, for example by the members that they require.
  const parts = own.type === undefined ? (own.anyOf ?? own.oneOf) : undefined;
  if (parts) return [...new Set(parts.map((part) => typeOf(part, resolve)))].join(" or ");
  const types = own.type === undefined ? ["anything"] : [own.type].flat();
  return types
    .map((type) => (type === "array" && own.items ? `list of ${typeOf(own.items, resolve)}` : type))
    .join(" or ");
};

const spell = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** @param unit singular, for example `item`; null for a bare number */
const range = (least: number | undefined, most: number | undefined, unit: string | null): string[] => {
  const counted = (bound: number) =>
    unit === null ? formatCount(bound) : `${formatCount(bound)} ${unit}${bound === 1 ? "" : "s"}`;
  if (least !== undefined && most !== undefined) return [`${formatCount(least)} to ${counted(most)}`];
  if (least !== undefined) return [`at least ${counted(least)}`];
  return most === undefined ? [] : [`at most ${counted(most)}`];
};

/** zod limits every integer to the range that a double represents exactly. These limits say nothing about the field. */
const ownBound = (bound: number | undefined): number | undefined =>
  bound === Number.MIN_SAFE_INTEGER || bound === Number.MAX_SAFE_INTEGER ? undefined : bound;

const formats: Readonly<Record<string, string>> = { "date-time": "RFC 3339 date and time", uri: "URI" };

const limitsOf = (schema: Schema): string | null => {
  const limits = [
    ...(schema.format ? [formats[schema.format] ?? schema.format] : []),
    ...range(ownBound(schema.minimum), ownBound(schema.maximum), null),
    ...range(schema.minLength, schema.maxLength, "character"),
    ...range(schema.minItems, schema.maxItems, "item"),
    ...(schema.default === undefined ? [] : [`default ${spell(schema.default)}`]),
  ];
  return limits.length === 0 ? null : limits.join(", ");
};
