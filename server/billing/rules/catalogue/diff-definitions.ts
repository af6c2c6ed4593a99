import type { Json, JsonObject } from "../../../kernel/text/json.ts";

/** One changed value of a definition. `from` or `to` is absent if the value was added or removed. */
export type DefinitionChange = {
  /** for example `currencies.EUR.prices.tokens_issued.tiers[0].unit` */
  path: string;
  from?: Json;
  to?: Json;
};

/**
 * Compares two definitions value by value, in the order of the second one; removed values follow. A different order of
 * keys isn't a change.
 */
export const diffDefinitions = (before: JsonObject, after: JsonObject): DefinitionChange[] => {
  const old = new Map(leavesOf(before, ""));
  const fresh = new Map(leavesOf(after, ""));
  const changed = [...fresh].flatMap(([path, to]): DefinitionChange[] => {
    const from = old.get(path);
    if (from === undefined) return [{ path, to }];
    return isSame(from, to) ? [] : [{ path, from, to }];
  });
  const removed = [...old].filter(([path]) => !fresh.has(path)).map(([path, from]) => ({ path, from }));
  return [...changed, ...removed];
};

/**
 * Empty objects and lists count as values, so that adding a currency without prices is a change. An empty definition
 * has no values.
 */
const leavesOf = (value: Json, path: string): [string, Json][] => {
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item: Json, index) => leavesOf(item, `${path}[${index}]`));
  }
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0)
    return path === "" ? [] : [[path, value]];
  return Object.entries(value as JsonObject).flatMap(([name, item]) =>
    leavesOf(item, path === "" ? nameOf(name) : `${path}.${nameOf(name)}`),
  );
};

const nameOf = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name));

/** Compares two values that have no members. */
const isSame = (left: Json, right: Json): boolean => JSON.stringify(left) === JSON.stringify(right);
