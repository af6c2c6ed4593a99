import { describe, expect, test } from "vitest";
import { type ChargeState, canBecome, chargeStates, effectOnHold } from "./charge-states.ts";

/** Copied by hand from docs/spec/payments.md, Charge states. Every other transition must be refused. */
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
  // These transitions aren't in the specification. After a won dispute, the charge has the state that it would have
  // without the dispute. After a lost dispute, it remains disputed.
  disputed: "succeeded captured partially_captured partially_refunded refunded",
};

describe("charge states (docs/spec/payments.md, Charge states)", () => {
  test.each(chargeStates.flatMap((from) => chargeStates.map((to) => [from, to] as const)))("%s to %s", (from, to) => {
    expect(canBecome(from, to)).toBe(allowed[from].split(" ").includes(to));
  });

  test("paid charges use the hold; declined, voided and expired charges release it; open charges keep it", () => {
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
