import { expect, test } from "vitest";
import { burningRules } from "./burn.ts";
import { type Counted, tally } from "./uptime.ts";

const minute = 60_000;
const hour = 60 * minute;
const now = 100 * hour;

/** `down` as spans of minutes before now; all other time was up. */
const burning = (down: [from: number, to: number][], { objective = 9990, since = 100 * 60 } = {}) => {
  const downs = down.map(
    ([from, to]): Counted => ({
      from: now - from * minute,
      to: now - to * minute,
      counts: "down",
    }),
  );
  const borders = [now - since * minute, ...downs.flatMap(({ from, to }) => [from, to]), now];
  const ups = borders.flatMap((from, index): Counted[] =>
    index % 2 === 0 ? [{ from, to: borders[index + 1] ?? from, counts: "up" }] : [],
  );
  const counted = [...ups, ...downs];
  return burningRules({ tallyOf: (window) => tally(counted, window), objective }, now);
};
const rulesOf = (...input: Parameters<typeof burning>) => burning(...input).map(({ rule }) => rule);

test("sends a page at a burn rate of 14.4 over 1 hour and over 5 minutes", () => {
  expect(burning([[1, 0]])).toEqual([{ rule: "page_fast", burnRate: expect.closeTo(60_000 / 3_600, 9) }]);
});

test("sends no page at a burn rate below 14.4 over the hour", () => {
  expect(rulesOf([[1, 0.2]])).toEqual([]);
});

test("ends the fast page 5 minutes after the end of an outage", () => {
  expect(rulesOf([[15, 6]])).toEqual(["page_slow", "ticket"]);
});

test("sends a page at a burn rate of 6 over 6 hours and over 30 minutes, even if the last hour has a burn rate below 14.4", () => {
  expect(
    rulesOf([
      [120, 118],
      [20, 19.75],
    ]),
  ).toEqual(["page_slow"]);
});

test("opens a ticket at a burn rate of 1 over 3 days and over 6 hours", () => {
  expect(
    rulesOf([
      [4000, 3996],
      [300, 299],
    ]),
  ).toEqual(["ticket"]);
});

test("sends no page for one failed run, with any objective", () => {
  expect(rulesOf([[0.5, 0]], { objective: 9995 })).toEqual([]);
  expect(rulesOf([[1, 0]], { objective: 9995 })).toEqual(["page_fast"]);
});

test("sends no page for fewer than ten runs", () => {
  expect(rulesOf([[2, 0]], { since: 4.9 })).toEqual([]);
  expect(rulesOf([[2, 0]], { since: 5 })).toEqual(["page_fast", "page_slow", "ticket"]);
});

test("sends nothing without measurements", () => {
  expect(burningRules({ tallyOf: () => tally([], { from: 0, to: now }), objective: 9990 }, now)).toEqual([]);
});
