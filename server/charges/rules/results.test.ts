import { describe, expect, test } from "vitest";
import { type ChargeState, chargeStates, type PendingAct } from "./charge-states.ts";
import { actResult, chargeResult } from "./results.ts";

const chargeIn = (state: ChargeState, pendingAct: PendingAct | null = null) => ({ state, decline: null, pendingAct });
const outcomesOf = (outcomeIn: (state: ChargeState) => string) =>
  Object.fromEntries(Object.entries(Object.groupBy(chargeStates, outcomeIn)).map(([key, states]) => [key, states]));

describe("results of charges and acts (docs/spec/payments.md, Charge responses)", () => {
  test("the outcome is `pending` while the charge has no result, and `not_charged` if the charge ended and no money moved", () => {
    const outcomes = outcomesOf((state) => chargeResult(chargeIn(state)).outcome);
    expect(outcomes["pending"]).toEqual(["reserved", "submitted", "requires_action", "processing", "unknown"]);
    expect(outcomes["not_charged"]).toEqual(["declined", "voided", "expired"]);
  });

  test("the result of a voided charge says that a new charge may be made", () => {
    expect(chargeResult(chargeIn("voided"))).toMatchObject({ decline: { code: "voided", retryable: true } });
  });

  test("an act is pending while it is in progress, in any state of the charge", () => {
    for (const state of chargeStates) {
      const act = { kind: "capture", amount: 1, key: "k" } as const;
      expect(actResult(chargeIn(state, act), "capture").outcome).toBe("pending");
    }
  });

  test("an act counts as done in the state that it leads to and in later states, and as refused in any other state", () => {
    const outcomes = outcomesOf((state) => actResult(chargeIn(state), "capture").outcome);
    expect(outcomes["done"]).toEqual(["captured", "partially_captured", "partially_refunded", "refunded", "disputed"]);
    expect(actResult(chargeIn("voided"), "void").outcome).toBe("done");
    expect(actResult(chargeIn("expired"), "void")).toMatchObject({
      outcome: "refused",
      decline: { code: "processor_refused", decline_code: "charge_expired", retryable: false },
    });
  });
});
