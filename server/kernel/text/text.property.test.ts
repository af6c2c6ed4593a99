import fc from "fast-check";
import { expect, test } from "vitest";
import { unicode } from "./text.fixture.ts";
import { holdsText, isText, namesOnce } from "./text.ts";

const anyText = fc.oneof(
  fc.string({ unit: unicode }),
  fc.array(fc.nat(0xffff), { maxLength: 6 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom("\0", "a\0", "\ud800", "\udc00\ud800", "😀"),
);

test("a string is text if and only if UTF-8 represents it unchanged and it has no NUL (RFC 3629 §3)", () => {
  fc.assert(
    fc.property(anyText, (value) => {
      const isCarried = Buffer.from(value, "utf8").toString("utf8") === value;
      expect(isText(value)).toBe(isCarried && ![...value].includes("\0"));
    }),
    { numRuns: 300 },
  );
});

test("a JSON value is storable if and only if each name and each string in it is text", () => {
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ depthSize: "small" }, anyText, fc.integer(), fc.constant(null), tie("list"), tie("object")),
    list: fc.array(tie("tree"), { maxLength: 3 }),
    object: fc.dictionary(anyText, tie("tree"), { maxKeys: 3 }),
  }));
  const slow = (value: unknown): boolean => {
    if (typeof value === "string") return isText(value);
    if (Array.isArray(value)) return value.every(slow);
    if (typeof value !== "object" || value === null) return true;
    return Object.entries(value).every(([name, member]) => isText(name) && slow(member));
  };
  fc.assert(
    fc.property(tree, (value) => {
      expect(holdsText(value)).toBe(slow(value));
    }),
  );
});

test("finds a repeated member name, and accepts JSON without one (RFC 7493 §2.3)", () => {
  const name = fc.oneof(fc.string(), fc.constantFrom("__proto__", 'a":', "\\", '\\"', "1"));
  const objects = fc.dictionary(name, fc.oneof(fc.jsonValue(), name), { minKeys: 1, maxKeys: 4 });
  fc.assert(
    fc.property(objects, fc.nat(3), fc.boolean(), (object, place, isSpaced) => {
      const text = JSON.stringify(object, null, isSpaced ? 2 : 0);
      expect(namesOnce(text)).toBe(true);
      const names = Object.keys(object);
      const twice = `{${JSON.stringify(names[place % names.length])} : "x\\": ", ${text.slice(1)}`;
      expect(namesOnce(twice)).toBe(false);
    }),
  );
});
