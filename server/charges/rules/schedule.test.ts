import { describe, expect, test } from "vitest";
import { afterNotFound, isNotSubmitted, lookupDelaySeconds } from "./schedule.ts";

describe("look-ups (docs/spec/payments.md, Reconciliation)", () => {
  test("are made after 5 s, then after 10, 20, 40 s and so on, but never more than an hour apart", () => {
    expect([0, 1, 2, 3, 9, 10, 50].map(lookupDelaySeconds)).toEqual([5, 10, 20, 40, 2560, 3600, 3600]);
  });

  test("settle a charge after two answers 'not found', 60 s apart; an answer counts only after the request can no longer arrive", () => {
    const submittedAt = new Date("2026-11-21T10:00:00Z");
    const later = (seconds: number) => new Date(submittedAt.getTime() + seconds * 1000);
    expect(afterNotFound({ submittedAt, notFoundAt: null, lookups: 0 }, later(13))).toEqual({
      notFoundAt: null,
      nextLookupAt: later(16),
    });
    const first = afterNotFound({ submittedAt, notFoundAt: null, lookups: 1 }, later(16));
    expect(first).toEqual({ notFoundAt: later(16), nextLookupAt: later(76) });
    expect(isNotSubmitted({ submittedAt, notFoundAt: null }, later(500))).toBe(false);
    expect(isNotSubmitted({ submittedAt, notFoundAt: later(16) }, later(75))).toBe(false);
    expect(isNotSubmitted({ submittedAt, notFoundAt: later(16) }, later(76))).toBe(true);
    expect(isNotSubmitted({ submittedAt, notFoundAt: later(10) }, later(100))).toBe(false);
  });
});
