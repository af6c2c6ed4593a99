import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { parseExactly } from "./json.ts";

const amount = z.object({ amount: z.int() });

describe("a number is an integer only if it is written as one (docs/spec/payments.md, errors)", () => {
  test.each([
    "4999.9999999999999999",
    "1.0",
    "1e3",
    "1E+2",
    "10e-1",
    "1.5",
    "-0.0",
    "9007199254740993",
    "1e400",
    "123456789012345678901234567890",
  ])("%s isn't accepted as an integer", (text) => {
    expect(amount.safeParse(parseExactly(`{"amount":${text}}`)).success).toBe(false);
    expect(z.array(z.int()).safeParse(parseExactly(`[1,${text}]`)).success).toBe(false);
  });

  test.each(["0", "-1", "1", "99999999999", "9007199254740991"])("%s is accepted as an integer", (text) => {
    expect(parseExactly(`{"at":1.5,"amount":${text}}`)).toEqual({ at: 1.5, amount: Number(text) });
  });

  test("parses the output of JSON.stringify like JSON.parse, even with a member named __proto__", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseExactly(text)).toEqual(JSON.parse(text));
      }),
    );
    expect(Object.keys(parseExactly('{"__proto__":{"a":0.5}}') as object)).toEqual(["__proto__"]);
    expect(() => parseExactly("[1.5,]")).toThrow(SyntaxError);
  });
});
