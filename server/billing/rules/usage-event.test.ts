import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unicode } from "../../kernel/text/text.fixture.ts";
import { bodyHash, isMeterName, isName, isServiceMeter, timeProblem } from "./usage-event.ts";

const now = new Date("2026-11-21T12:00:00.000Z");
const from = (milliseconds: number) => new Date(now.getTime() + milliseconds);
const day = 24 * 3_600_000;

describe("the time of a usage event (docs/spec/billing.md, Usage events)", () => {
  test.each([
    ["now", 0, null],
    ["exactly 35 days ago", -35 * day, null],
    ["a millisecond more than 35 days ago", -35 * day - 1, "must be at most 35 days ago"],
    ["exactly 5 minutes in the future", 5 * 60_000, null],
    ["a millisecond more than 5 minutes in the future", 5 * 60_000 + 1, "must be at most 5 minutes in the future"],
  ])("%s", (_name, offset, problem) => {
    expect(timeProblem(from(offset), now)).toBe(problem);
  });
});

describe("names of events, sources and subjects (CloudEvents 1.0, Type System)", () => {
  test.each(["a", " ", "Zoë", "顧客-42", "👩‍👩‍👧", "a".repeat(200), "😀".repeat(200), "'; --", "\u202e"])(
    "accepts %j",
    (text) => {
      expect(isName(text)).toBe(true);
    },
  );
  test.each(["", "a\0", "a\n", "\u007f", "\u0085", "\ud800", "\ufdd0", "\uffff", "a".repeat(201), "😀".repeat(201)])(
    "refuses %j",
    (text) => {
      expect(isName(text)).toBe(false);
    },
  );

  test("are 1 to 200 code points of Unicode text", () => {
    fc.assert(
      fc.property(fc.string({ unit: unicode, maxLength: 210 }), (text) => {
        const points = [...text].map((character) => character.codePointAt(0) ?? 0);
        const isLeftOut = (point: number) =>
          point < 0x20 ||
          (point > 0x7e && point < 0xa0) ||
          (point & 0xfffe) === 0xfffe ||
          (point >= 0xfdd0 && point <= 0xfdef);
        const isOne = points.length > 0 && points.length <= 200 && !points.some(isLeftOut);
        expect(isName(text)).toBe(isOne && text.isWellFormed());
      }),
    );
  });
});

test("a meter name is lower case and isn't the name of a built-in meter", () => {
  for (const name of ["searches", "gb_stored", "a1", "a".repeat(63)]) expect(isMeterName(name)).toBe(true);
  for (const name of ["", "Searches", "1a", "_a", "a-b", "a b", "ä", "a".repeat(64), "a\n"]) {
    expect(isMeterName(name)).toBe(false);
  }
  expect(["successful_charges", "active_mandates", "searches"].map(isServiceMeter)).toEqual([true, true, false]);
});

test("hashes are equal if and only if meter, subject, quantity and time are equal", () => {
  const body = fc.record({
    meter: fc.constantFrom("a", "b", "a1"),
    subject: fc.constantFrom(null, "", "a", '","', "null"),
    quantity: fc.constantFrom(1, 11),
    time: fc.constantFrom(now, from(1)),
  });
  fc.assert(
    fc.property(body, body, (one, other) => {
      expect(bodyHash(one) === bodyHash(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
    }),
    { numRuns: 300 },
  );
});
