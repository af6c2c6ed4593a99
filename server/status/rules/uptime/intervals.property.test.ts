import fc from "fast-check";
import { expect, test } from "vitest";
import type { ComponentChange, ComponentState } from "../board.ts";
import { arbitraryChanges, stateAt } from "../status-arbitraries.fixture.ts";
import { clipSegments, mergeTracks, tracksOf } from "./intervals.ts";

const window = { from: 0, to: 60 };
const arbitrary = { changes: arbitraryChanges(70), probedUntil: fc.option(fc.integer({ min: 0, max: 70 })) };

const timelineOf = (changes: readonly ComponentChange[], probedUntil: number | null, span = window) =>
  mergeTracks(tracksOf(changes, { probedUntil, window: span }), span);

/** The reference model: the rule for a single instant. */
const expectedAt = (
  changes: readonly ComponentChange[],
  probedUntil: number | null,
  instant: number,
): ComponentState => {
  const last = new Map<string, ComponentChange>();
  for (const change of changes)
    if (change.at.getTime() <= instant) last.set(`${change.source}${change.subject}`, change);
  const said = (source: string) => [...last.values()].filter((one) => one.source === source).map(({ state }) => state);
  const order = ["major_outage", "partial_outage", "degraded"] as const;
  const operators = said("operator");
  const incident = order.find((state) => operators.includes(state));
  if (incident) return incident;
  if (operators.includes("maintenance")) return "maintenance";
  const isProbed = probedUntil !== null && instant < probedUntil;
  const probed = isProbed ? said("probe") : [];
  const others = isProbed ? [...probed, ...said("cascade")] : [];
  return order.find((state) => others.includes(state)) ?? (probed.includes("operational") ? "operational" : "unknown");
};

test("at every instant the timeline follows the rule", () => {
  fc.assert(
    fc.property(arbitrary.changes, arbitrary.probedUntil, (changes, probedUntil) => {
      const timeline = timelineOf(changes, probedUntil);
      for (let instant = window.from; instant < window.to; instant++)
        expect(stateAt(timeline, instant)).toBe(expectedAt(changes, probedUntil, instant));
    }),
  );
});

test("a timeline covers its window without gaps or overlaps, and adjacent states differ", () => {
  fc.assert(
    fc.property(arbitrary.changes, arbitrary.probedUntil, (changes, probedUntil) => {
      const timeline = timelineOf(changes, probedUntil);
      expect(timeline[0]?.from).toBe(window.from);
      expect(timeline.at(-1)?.to).toBe(window.to);
      for (const [index, segment] of timeline.entries()) {
        expect(segment.from).toBeLessThan(segment.to);
        const next = timeline[index + 1];
        if (next) expect([next.from, next.state === segment.state]).toEqual([segment.to, false]);
      }
    }),
  );
});

test("the timeline of a narrow window equals the clipped timeline of a wide window", () => {
  const inside = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 })).map(([one, other]) => ({
    from: Math.min(one, other),
    to: Math.max(one, other),
  }));
  fc.assert(
    fc.property(arbitrary.changes, arbitrary.probedUntil, inside, (changes, probedUntil, span) => {
      expect(timelineOf(changes, probedUntil, span)).toEqual(clipSegments(timelineOf(changes, probedUntil), span));
    }),
  );
});
