import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "./canonical-json.ts";
import type { Json } from "./json.ts";

const wellFormed = fc.string({ unit: "grapheme" });
const json = fc.jsonValue({ stringUnit: "grapheme" }).map((value) => JSON.parse(JSON.stringify(value)) as Json);

describe("canonical JSON (RFC 8785)", () => {
  test("sorts members by UTF-16 code units and writes numbers and strings as in §3.2.2 and §3.2.3", () => {
    const value = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew",
      "1": "One",
      "\ud83d\ude00": "Emoji",
    };
    expect(canonicalJson(value)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u20ac":"Euro Sign","\ud83d\ude00":"Emoji","\ufb33":"Hebrew"}',
    );
    expect(canonicalJson([333_333_333.333_333_3, 1e30, 4.5, 2e-3, 1e-27, -0, '\u20ac$\u000f\nA\'B"\\"/'])).toBe(
      '[333333333.3333333,1e+30,4.5,0.002,1e-27,0,"\u20ac$\\u000f\\nA\'B\\"\\\\\\"/"]',
    );
  });

  test("can be parsed to the encoded value, and doesn't depend on the order of the members", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(value);
      }),
    );
    fc.assert(
      fc.property(fc.uniqueArray(wellFormed), (names) => {
        const build = (order: readonly string[]) => Object.fromEntries(order.map((name) => [name, name.length]));
        expect(canonicalJson(build(names))).toBe(canonicalJson(build(names.toReversed())));
      }),
    );
  });

  test("refuses values that I-JSON doesn't have", () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, "\ud800", { "\udc00": 1 }]) {
      expect(() => canonicalJson(value)).toThrow(TypeError);
    }
  });
});
