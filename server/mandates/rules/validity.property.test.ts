import fc from "fast-check";
import { expect, test } from "vitest";
import { isTimeZone } from "../../kernel/time/time-zone.ts";
import { parseInstant, resolveWindow, windowProblem } from "./validity.ts";

const two = (number: number) => String(number).padStart(2, "0");
const field = (max: number) => fc.integer({ min: 0, max });

test("an RFC 3339 date-time is the instant of its fields, or null if that day or time doesn't exist (§5.6)", () => {
  const fields = fc.record({
    year: fc.integer({ min: 1970, max: 2400 }),
    month: field(13),
    day: field(32),
    hour: field(24),
    minute: field(60),
    second: field(60),
    millisecond: fc.option(field(999)),
    offset: fc.option(fc.tuple(fc.constantFrom("+", "-"), field(24), field(60))),
  });
  fc.assert(
    fc.property(fields, ({ year, month, day, hour, minute, second, millisecond, offset }) => {
      const zone = offset ? `${offset[0]}${two(offset[1])}:${two(offset[2])}` : "Z";
      const fraction = millisecond === null ? "" : `.${String(millisecond).padStart(3, "0")}`;
      const text = `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}${fraction}${zone}`;
      const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
      const days = [0, 31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month] ?? 0;
      const exists = day >= 1 && day <= days && hour < 24 && minute < 60 && second < 60;
      const hasZone = !offset || (offset[1] < 24 && offset[2] < 60);
      const shift = offset ? (offset[0] === "+" ? 1 : -1) * (offset[1] * 60 + offset[2]) * 60_000 : 0;
      const local = Date.UTC(year, month - 1, day, hour, minute, second, millisecond ?? 0);
      expect(parseInstant(text)?.getTime() ?? null).toBe(exists && hasZone ? local - shift : null);
    }),
    { numRuns: 1000 },
  );
});

test("reads the format of Date.toISOString, and returns null for random text", () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
      fc.string(),
      (date, text) => {
        expect(parseInstant(date.toISOString())).toEqual(date);
        expect(parseInstant(text)).toBeNull();
        expect(isTimeZone(text) && text.includes(":")).toBe(false);
      },
    ),
  );
});

test("an accepted window is never empty, and at most a calendar year long", () => {
  const now = new Date("2026-11-21T10:00:00Z");
  const instant = fc.option(fc.date({ min: new Date("2026-01-01"), max: new Date("2029-01-01"), noInvalidDate: true }));
  fc.assert(
    fc.property(instant, instant, fc.constantFrom("UTC", "Europe/Berlin", "Pacific/Chatham"), (from, until, zone) => {
      if (windowProblem({ from, until }, zone, now) !== null) return;
      const { validFrom, validUntil } = resolveWindow({ from, until }, zone, now);
      expect(validFrom < validUntil).toBe(true);
      expect(validFrom >= now).toBe(true);
      // A leap day, and an hour at a change of clocks.
      expect(validUntil.getTime() - validFrom.getTime()).toBeLessThanOrEqual((366 * 24 + 1) * 3_600_000);
    }),
    { numRuns: 300 },
  );
});
