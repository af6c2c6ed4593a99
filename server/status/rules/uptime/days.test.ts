import fc from "fast-check";
import { expect, test } from "vitest";
import type { ComponentDay, ComponentState } from "../board.ts";
import { daysToFreeze, figuresOf, findBrokenDay, firstPreviousHash, hashOfDay } from "./days.ts";
import { dayMilliseconds as day, dayText } from "./utc-calendar.ts";

const hour = 3600 * 1000;
const first = Date.UTC(2026, 9, 24);

const figures = figuresOf(
  {
    states: [
      { from: first - hour, to: first + 2 * hour, state: "degraded" },
      { from: first + 2 * hour, to: first + 30 * hour, state: "operational" },
    ],
    counted: [{ from: first - hour, to: first + 30 * hour, counts: "up" }],
  },
  { from: first, to: first + day },
);

test("a day's figures are the milliseconds in each state and in each uptime category", () => {
  const none = { partial_outage: 0, major_outage: 0, maintenance: 0, unknown: 0, down: 0, excluded: 0, unmeasured: 0 };
  expect(figures).toEqual({ ...none, degraded: 2 * hour, operational: 22 * hour, up: 24 * hour });
});

const chainOf = (length: number): ComponentDay[] => {
  const days: ComponentDay[] = [];
  for (let index = 0; index < length; index++) {
    const previousHash = days.at(-1)?.hash ?? firstPreviousHash;
    const one = {
      ...({ component: "sandbox", previousHash, day: new Date(first + index * day) } as const),
      figures: { ...figures, up: index },
    };
    days.push({ ...one, hash: hashOfDay(one), frozenAt: new Date() });
  }
  return days;
};

test("hashes canonical JSON: the order of keys doesn't matter", () => {
  const [one] = chainOf(1);
  const turned = Object.fromEntries(Object.entries(figures).reverse()) as typeof figures;
  expect(one && hashOfDay({ ...one, figures: { ...turned, up: 0 } })).toBe(one?.hash);
});

test("accepts a complete chain, and one that begins later", () => {
  expect(findBrokenDay(chainOf(5))).toBeNull();
  expect(findBrokenDay(chainOf(5).slice(2))).toBeNull();
  expect(findBrokenDay([])).toBeNull();
});

test("finds a changed figure, day or link, and a missing day", () => {
  const states: ComponentState[] = ["operational", "degraded", "partial_outage", "major_outage", "maintenance"];
  const change = fc.constantFrom<(one: ComponentDay) => ComponentDay>(
    ...states.map((state) => (one: ComponentDay) => ({
      ...one,
      figures: { ...one.figures, [state]: one.figures[state] + 1 },
    })),
    (one) => ({ ...one, day: new Date(one.day.getTime() + day) }),
    (one) => ({ ...one, component: "wallet_portal" }),
    (one) => ({ ...one, previousHash: hashOfDay(one) }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.nat(5), change, (length, place, changed) => {
      const days = chainOf(length);
      const index = place % length;
      const spoilt = days.map((one, at) => (at === index ? changed(one) : one));
      expect(findBrokenDay(spoilt)).toBe(spoilt[index]);
      // With a new hash, the next day's link is wrong.
      const forged = spoilt.map((one, at) => (at === index ? { ...one, hash: hashOfDay(one) } : one));
      if (index < length - 1) expect(findBrokenDay(forged)).not.toBeNull();
    }),
  );
  const gap = chainOf(4);
  expect(findBrokenDay(gap.toSpliced(1, 1))).toBe(gap[2]);
});

const due = (lastFrozen: number | null, firstKnown: number | null, now: number) =>
  daysToFreeze({ lastFrozen: lastFrozen === null ? null : new Date(lastFrozen), firstKnown }, now).map(({ from }) =>
    dayText(from),
  );

test("a day is frozen an hour after its end, not earlier", () => {
  expect(due(null, first + 5 * hour, first + day + hour - 1)).toEqual([]);
  expect(due(null, first + 5 * hour, first + day + hour)).toEqual(["2026-10-24"]);
});

test("missed days are frozen in order and without gaps, even if daylight saving time ends in between", () => {
  expect(due(first, 0, first + 4 * day)).toEqual(["2026-10-25", "2026-10-26"]);
  expect(due(first, 0, first + 4 * day + hour)).toEqual(["2026-10-25", "2026-10-26", "2026-10-27"]);
});

test("freezes no day of a component without data", () => {
  expect(due(null, null, first)).toEqual([]);
});
