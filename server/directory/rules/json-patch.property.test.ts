import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyPatch } from "#e2e/support/peers/json-patch.ts";
import type { Json } from "../../kernel/text/json.ts";
import { diffJson } from "./json-patch.ts";

const leaf = fc.oneof(fc.constantFrom(null, true, 0, 1), fc.constantFrom("", "a", "/", "~", "~1", "a/b"));
const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom("a", "b", "a/b", "m~n", "", "0", "__proto__"), tie("value"), { maxKeys: 4 }),
  ),
}));

/** Values that were parsed from JSON, so that their objects have ordinary prototypes. */
const value = anyValue.map((made) => JSON.parse(JSON.stringify(made)) as Json);

describe("the difference of two documents (RFC 6902)", () => {
  test("turns the first document into the second when another implementation applies it", () => {
    fc.assert(
      fc.property(value, value, (before, after) => {
        expect(applyPatch(before, diffJson(before, after))).toEqual(after);
      }),
      { numRuns: 500 },
    );
  });

  test("is empty if and only if nothing changed", () => {
    fc.assert(
      fc.property(value, (same) => {
        expect(diffJson(same, structuredClone(same))).toEqual([]);
      }),
    );
  });

  test("names only what changed, with escaped names (RFC 6901 §4)", () => {
    const before = { "a/b": 1, "m~n": [1, 2, 3], same: { deep: [1] } };
    expect(diffJson(before, { "a/b": 2, "m~n": [1, 4, 3], same: { deep: [1] }, new: null })).toEqual([
      { op: "replace", path: "/a~1b", value: 2 },
      { op: "remove", path: "/m~0n/1" },
      { op: "add", path: "/m~0n/1", value: 4 },
      { op: "add", path: "/new", value: null },
    ]);
    expect(diffJson({}, { id: "x" })).toEqual([{ op: "add", path: "/id", value: "x" }]);
  });
});
