import { isDeepStrictEqual } from "node:util";
import type { Json, JsonObject } from "../../kernel/text/json.ts";

export type PatchOperation = { op: "add" | "replace"; path: string; value: Json } | { op: "remove"; path: string };

const escapeToken = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The JSON Patch (RFC 6902) that changes `before` into `after`. It changes single members of objects and single
 * elements of lists. Empty if both are equal.
 */
export const diffJson = (before: Json, after: Json, path = ""): PatchOperation[] => {
  if (isDeepStrictEqual(before, after)) return [];
  if (isObject(before) && isObject(after)) return diffObjects(before, after, path);
  if (Array.isArray(before) && Array.isArray(after)) return diffLists(before, after, path);
  return [{ op: "replace", path, value: after }];
};

const diffObjects = (before: JsonObject, after: JsonObject, path: string): PatchOperation[] => {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return names.flatMap((name): PatchOperation[] => {
    const at = `${path}/${escapeToken(name)}`;
    const [old, value] = [member(before, name), member(after, name)];
    if (value === undefined) return [{ op: "remove", path: at }];
    return old === undefined ? [{ op: "add", path: at, value }] : diffJson(old, value, at);
  });
};

const member = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Equal elements at both ends are kept. The elements between them are removed, last first, and added in order. */
const diffLists = (before: readonly Json[], after: readonly Json[], path: string): PatchOperation[] => {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isDeepStrictEqual(before[start], after[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isDeepStrictEqual(before.at(-1 - end), after.at(-1 - end))) end += 1;
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  return [
    ...removed.map(
      (_, index): PatchOperation => ({ op: "remove", path: `${path}/${start + removed.length - 1 - index}` }),
    ),
    ...added.map((value, index): PatchOperation => ({ op: "add", path: `${path}/${start + index}`, value })),
  ];
};
