import { describe, expect, test } from "vitest";
import { approvalStateOf, bankConfirmation } from "./approval.ts";
import { type ChargeState, chargeStates } from "./charge-states.ts";

const now = new Date("2026-11-21T12:00:00Z");
const at = (seconds: number) => new Date(now.getTime() + seconds * 1_000).toISOString();
const waiting = (state: ChargeState, seconds = 60) => ({
  state,
  approvedAt: null,
  nextAction: { type: "payer_approval", expires_at: at(seconds) },
});

describe("approval state of a payment above step_up_above (docs/spec/payments.md, Step-up)", () => {
  test("waits until its 15 minutes are over, to the millisecond", () => {
    expect(approvalStateOf(waiting("requires_action", 0.001), now)).toBe("waiting");
    expect(approvalStateOf(waiting("requires_action", 0), now)).toBe("expired");
  });

  test.each([
    ["declined", "declined"],
    ["expired", "expired"],
    ["voided", "withdrawn"],
  ] as const)("a %s charge without an approval is %s, before and after the deadline", (state, approvalState) => {
    expect(approvalStateOf(waiting(state, 60), now)).toBe(approvalState);
    expect(approvalStateOf(waiting(state, -60), now)).toBe(approvalState);
  });

  test("an approval is kept, regardless of the payment's outcome", () => {
    for (const state of chargeStates) {
      expect(approvalStateOf({ ...waiting(state), approvedAt: now }, now)).toBe("approved");
    }
  });

  test("a 3-D Secure payment and a payment without step-up need no approval", () => {
    const redirect = { type: "redirect", expires_at: at(60) };
    expect(approvalStateOf({ state: "requires_action", approvedAt: null, nextAction: redirect }, now)).toBeNull();
    expect(approvalStateOf({ state: "declined", approvedAt: null, nextAction: null }, now)).toBeNull();
  });
});

describe("authentication state of a payment with 3-D Secure", () => {
  const redirected = (state: ChargeState, seconds: number) => ({
    ...waiting(state),
    nextAction: { type: "redirect", expires_at: at(seconds) },
  });

  test("is `waiting` until the charge's 15 minutes are over, to the millisecond, and then `lapsed`", () => {
    expect(bankConfirmation(redirected("requires_action", 0.001), now)).toBe("waiting");
    expect(bankConfirmation(redirected("requires_action", 0), now)).toBe("lapsed");
  });

  test("is null in any other state and while our own approval is open", () => {
    for (const state of chargeStates.filter((each) => each !== "requires_action")) {
      expect(bankConfirmation(redirected(state, 60), now)).toBeNull();
    }
    expect(bankConfirmation(waiting("requires_action"), now)).toBeNull();
  });
});
