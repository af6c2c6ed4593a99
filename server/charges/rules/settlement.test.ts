import { describe, expect, test } from "vitest";
import {
  afterNotFound,
  type ChargeState,
  canBecome,
  chargeStates,
  effectOnHold,
  isNotSubmitted,
  lookupDelaySeconds,
} from "./settlement.ts";

/** Written out by hand from docs/spec/payments.md, Charge states; everything else must be refused. */
const allowed: Readonly<Record<ChargeState, string>> = {
  reserved: "requires_action submitted voided",
  submitted: "processing requires_action authorized succeeded declined unknown",
  requires_action: "submitted authorized succeeded declined expired voided",
  processing: "requires_action authorized succeeded declined unknown",
  unknown: "processing requires_action authorized succeeded declined",
  authorized: "captured partially_captured voided expired",
  succeeded: "partially_refunded refunded disputed",
  captured: "partially_refunded refunded disputed",
  partially_captured: "partially_refunded refunded disputed",
  partially_refunded: "refunded disputed",
  refunded: "",
  declined: "",
  voided: "",
  expired: "",
  // Silent in the specification: a dispute that is won leaves the charge as it would stand without it, a lost one disputed.
  disputed: "succeeded captured partially_captured partially_refunded refunded",
};

describe("charge states (docs/spec/payments.md, Charge states)", () => {
  test.each(chargeStates.flatMap((from) => chargeStates.map((to) => [from, to] as const)))("%s to %s", (from, to) => {
    expect(canBecome(from, to)).toBe(allowed[from].split(" ").includes(to));
  });

  test("captured is used, declined, voided and expired release, what is open keeps its hold", () => {
    const effects = Object.fromEntries(chargeStates.map((state) => [state, effectOnHold(state)]));
    expect(effects).toMatchObject({
      succeeded: "use",
      captured: "use",
      partially_captured: "use",
      declined: "release",
      voided: "release",
      expired: "release",
      unknown: "keep",
      processing: "keep",
      requires_action: "keep",
      authorized: "keep",
      submitted: "keep",
      reserved: "keep",
    });
  });
});

describe("look-ups (docs/spec/payments.md, Reconciliation)", () => {
  test("first after 5 s, then 10, 20, 40 s … to hourly", () => {
    expect([0, 1, 2, 3, 9, 10, 50].map(lookupDelaySeconds)).toEqual([5, 10, 20, 40, 2560, 3600, 3600]);
  });

  test("'not found' counts once nothing can arrive any more, and settles at the second, 60 s later", () => {
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
