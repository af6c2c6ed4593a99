import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BillingInterval } from "../../../kernel/billing/interval-months.ts";
import { dayIn } from "../../../kernel/time/calendar.ts";
import { addSeconds } from "../../../kernel/time/clock.ts";
import { nthBillingPeriod } from "../periods/billing-period.ts";
import { billedPart, dividePeriod, firstInstantOf, type Span, spanAfter } from "./divide-period.ts";

const zones = ["UTC", "Europe/Berlin", "America/Sao_Paulo", "Pacific/Apia", "Australia/Lord_Howe", "America/St_Johns"];
const intervals: BillingInterval[] = ["month", "quarter", "year"];
const day = 24 * 3_600;
const first = (anchorDate: string, interval: BillingInterval, timeZone: string): Span => {
  const whole = nthBillingPeriod({ anchorDate, interval, timeZone }, 0);
  return { ...whole, whole, number: 0 };
};

/** Applies each change `after` seconds after the previous one, and closes the periods that end in between. */
const runChanges = (
  start: { anchorDate: string; interval: BillingInterval; timeZone: string },
  changes: readonly { after: number; interval: BillingInterval }[],
): Span[] => {
  let schedule = start;
  let open = first(start.anchorDate, start.interval, start.timeZone);
  const spans: Span[] = [];
  let at = open.from;
  for (const { after, interval } of changes) {
    at = addSeconds(at, after);
    for (let next = spanAfter(schedule, open, null); next && open.to <= at; next = spanAfter(schedule, open, null)) {
      spans.push(open);
      open = next;
    }
    const { cutAt, anchorDate, rest } = dividePeriod(schedule, open, { at, interval, cancelAt: null });
    if (cutAt) spans.push({ ...open, to: cutAt });
    schedule = { ...schedule, anchorDate, interval };
    open = rest;
  }
  return [...spans, open];
};

describe("a change of plan divides the period (docs/spec/billing.md, Plan changes)", () => {
  test("for any sequence of changes in any time zone, the parts are whole days without gaps or overlaps", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.constantFrom(...intervals),
        fc.integer({ min: 0, max: 800 }),
        fc.array(
          fc.record({ after: fc.integer({ min: 0, max: 200 * day }), interval: fc.constantFrom(...intervals) }),
          { maxLength: 8 },
        ),
        (timeZone, interval, offset, changes) => {
          const anchorDate = dayIn("UTC", addSeconds(new Date("2026-01-01T12:00:00Z"), offset * day));
          const spans = runChanges({ anchorDate, interval, timeZone }, changes);
          for (const [index, span] of spans.entries()) {
            expect(span.from < span.to).toBe(true);
            expect(span.whole.from <= span.from && span.to <= span.whole.to).toBe(true);
            expect(span.from).toEqual(firstInstantOf(dayIn(timeZone, span.from), timeZone));
            const next = spans[index + 1];
            if (next) expect(next.from).toEqual(span.to);
          }
        },
      ),
    );
  });

  test("the days of the parts of one period sum to the days of the period", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.array(fc.integer({ min: 0, max: 6 * day }), { maxLength: 4 }),
        (timeZone, waits) => {
          const changes = waits.map((after) => ({ after, interval: "month" as const }));
          const spans = runChanges({ anchorDate: "2026-10-15", interval: "month", timeZone }, changes);
          const inFirst = spans.filter(({ number }) => number === 0);
          const days = inFirst.map((span) => billedPart(span, { timeZone, trialEndsAt: null })?.days);
          const isComplete = inFirst.at(-1)?.to.getTime() === inFirst[0]?.whole.to.getTime();
          if (isComplete) expect(days.reduce((sum, one) => sum + (one?.used ?? 0), 0)).toBe(days[0]?.of);
        },
      ),
    );
  });

  const berlin = { anchorDate: "2026-10-01", interval: "month" as const, timeZone: "Europe/Berlin" };
  const october = first("2026-10-01", "month", "Europe/Berlin");

  test("the day of the change belongs to the new plan, even if clocks go back on that day", () => {
    const at = new Date("2026-10-25T22:30:00Z");
    const { cutAt, rest } = dividePeriod(berlin, october, { at, interval: "month", cancelAt: null });
    expect(cutAt).toEqual(new Date("2026-10-24T22:00:00Z"));
    expect(rest).toMatchObject({ from: cutAt, to: new Date("2026-10-31T23:00:00Z"), number: 0 });
    expect(billedPart(rest, { timeZone: "Europe/Berlin", trialEndsAt: null })?.days).toEqual({ used: 7, of: 31 });
  });

  test("a change on the first day replaces the plan from the start", () => {
    const at = new Date("2026-10-01T20:00:00Z");
    const { cutAt, rest } = dividePeriod(berlin, october, { at, interval: "month", cancelAt: null });
    expect(cutAt).toBeNull();
    expect(rest).toEqual(october);
  });

  test("a plan with another interval starts new periods on the day of the change", () => {
    const at = new Date("2026-10-10T12:00:00Z");
    const division = dividePeriod(berlin, october, { at, interval: "year", cancelAt: null });
    expect(division.anchorDate).toBe("2026-10-10");
    const to = new Date("2027-10-09T22:00:00Z");
    expect(division.rest).toMatchObject({ from: new Date("2026-10-09T22:00:00Z"), to, number: 0 });
  });
});

describe("the parts that are billed (docs/spec/billing.md, Subscriptions)", () => {
  test("trial days are free, and the rest is prorated", () => {
    const span = first("2026-11-01", "month", "UTC");
    const trial = (until: string) => ({ timeZone: "UTC", trialEndsAt: new Date(until) });
    expect(billedPart(span, trial("2026-11-15T00:00:00Z"))).toEqual({
      period: { from: new Date("2026-11-15T00:00:00Z"), to: span.to },
      days: { used: 16, of: 30 },
    });
    expect(billedPart(span, trial("2026-12-01T00:00:00Z"))).toBeNull();
  });

  test("the last part ends with the subscription, and the last day of the subscription isn't billed", () => {
    const schedule = { anchorDate: "2026-11-01", interval: "month" as const, timeZone: "UTC" };
    const span = first("2026-11-01", "month", "UTC");
    const cancelAt = new Date("2026-12-10T12:00:00Z");
    const last = spanAfter(schedule, span, cancelAt);
    expect(last).toMatchObject({ to: cancelAt });
    expect(last && billedPart(last, { timeZone: "UTC", trialEndsAt: null })?.days).toEqual({ used: 9, of: 31 });
    expect(last && spanAfter(schedule, last, cancelAt)).toBeNull();
  });
});
