import { describe, expect, test } from "vitest";
import { hasBegun, isUnexpired } from "./numeric-date.ts";

const now = 1_795_219_200;
const malformed = [
  undefined,
  String(now + 60),
  "soon",
  null,
  true,
  [now + 60],
  {},
  Number.NaN,
  Number.POSITIVE_INFINITY,
];

describe("exp, nbf and iat of a JWT (RFC 7519 §2, §4.1.4, §4.1.5)", () => {
  test.each([
    ["ahead", now + 1, true],
    ["half a second ahead", now + 0.5, true],
    ["now", now, false],
    ["past", now - 3600, false],
  ])("checks an exp: %s", (_name, exp, expected) => {
    expect(isUnexpired(exp, now)).toBe(expected);
  });

  test.each([
    ["past", now - 3600, true],
    ["now", now, true],
    ["half a second ahead", now + 0.5, false],
    ["an hour ahead", now + 3600, false],
  ])("checks an nbf: %s", (_name, nbf, expected) => {
    expect(hasBegun(nbf, now)).toBe(expected);
  });

  test.each(malformed)("refuses %j: it isn't a NumericDate", (value) => {
    expect([isUnexpired(value, now), hasBegun(value, now)]).toEqual([false, false]);
  });
});
