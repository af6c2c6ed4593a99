import { describe, expect, test } from "vitest";
import type { ChargeState } from "./charge-states.ts";
import { type ChargeEvent, planSettlement, type SettlerKind } from "./settlement.ts";

const at = new Date("2026-11-21T12:00:00Z");
const chargeIn = (state: ChargeState, fields: Partial<ReturnType<typeof fresh>> = {}) => ({
  ...fresh(),
  state,
  ...fields,
});
const fresh = () => ({
  state: "reserved" as ChargeState,
  captureMethod: "manual",
  amount: 1_000n,
  amountCaptured: 0n,
  processorRef: null as string | null,
  decline: null,
  nextAction: null,
  pendingAct: null as { kind: "capture" | "void" | "expire"; amount: number; key: string } | null,
  submittedAt: at as Date | null,
  leaseUntil: at as Date | null,
  nextLookupAt: at as Date | null,
  expiresAt: null as Date | null,
  lookups: 3,
  notFoundAt: null as Date | null,
});
const plan = (charge: ReturnType<typeof fresh>, event: ChargeEvent, by: SettlerKind = "charge") =>
  planSettlement(charge, { event, by }, { at, now: at });

describe("what an event does to a charge, its budget and its answers", () => {
  test("a payment uses the whole amount and is final", () => {
    expect(plan(chargeIn("submitted"), { kind: "succeeded", processorRef: "p" })).toMatchObject({
      next: { state: "succeeded", amountCaptured: 1_000n, processorRef: "p", leaseUntil: null, nextLookupAt: null },
      effect: "use",
      isFinal: true,
      wasNeverSent: false,
      events: ["charge.succeeded"],
    });
  });

  test.each([
    [1_000n, "captured"],
    [400n, "partially_captured"],
  ] as const)("a capture of %s makes the charge %s and releases the rest", (amountMinor, state) => {
    expect(plan(chargeIn("authorized"), { kind: "captured", amountMinor }, "merchant")).toMatchObject({
      next: { state, amountCaptured: amountMinor },
      effect: "use",
      answersActs: true,
    });
  });

  test("for a transition that isn't allowed, the plan is null", () => {
    expect(plan(chargeIn("declined"), { kind: "succeeded", processorRef: "p" }, "processor")).toBeNull();
    expect(plan(chargeIn("authorized"), { kind: "authorized", processorRef: "p" }, "processor")).toBeNull();
  });

  test("a charge that was never sent leaves its key free", () => {
    expect(plan(chargeIn("submitted"), { kind: "not_sent" })).toMatchObject({
      next: { state: "declined", decline: { code: "not_submitted", retryable: true } },
      effect: "release",
      wasNeverSent: true,
      unlessTakenOver: true,
    });
    const reserved = chargeIn("reserved", { submittedAt: null });
    expect(plan(reserved, { kind: "voided" }, "reconciler")).toMatchObject({
      wasNeverSent: true,
      mustBeUnsubmitted: true,
    });
  });

  test("an operator settles only the displayed state; other actors settle every state from which the transition is allowed", () => {
    expect(plan(chargeIn("unknown"), { kind: "not_submitted" }, "operator")?.from).toEqual(["unknown"]);
    expect(plan(chargeIn("unknown"), { kind: "not_submitted" }, "reconciler")?.from).toEqual([
      "submitted",
      "requires_action",
      "processing",
      "unknown",
    ]);
  });

  test("an unknown charge also counts as reconciled if a job, the processor or an operator settles it", () => {
    const paid = { kind: "succeeded", processorRef: "p" } as const;
    for (const by of ["reconciler", "processor", "operator"] as const) {
      expect(plan(chargeIn("unknown"), paid, by)?.events).toEqual(["charge.succeeded", "charge.reconciled"]);
    }
    expect(plan(chargeIn("submitted"), paid, "processor")?.events).toEqual(["charge.succeeded"]);
    expect(plan(chargeIn("submitted"), { kind: "unknown" }, "reconciler")?.events).toEqual(["charge.unknown"]);
  });

  test("after an authorization, a void that was requested in the meantime continues, but a requested capture doesn't", () => {
    const pendingAct = { kind: "void", amount: 1_000, key: "k" } as const;
    const event = { kind: "authorized", processorRef: "p" } as const;
    expect(plan(chargeIn("requires_action", { pendingAct }), event, "processor")?.next).toMatchObject({
      state: "authorized",
      pendingAct,
      nextLookupAt: at,
      expiresAt: new Date("2026-11-28T12:00:00Z"),
    });
    expect(plan(chargeIn("submitted"), event)?.next).toMatchObject({ pendingAct: null, nextLookupAt: null });
  });

  test("the payer has 15 minutes to act at the bank", () => {
    const event = { kind: "requires_action", processorRef: "p", actionUrl: "https://bank.example" } as const;
    expect(plan(chargeIn("submitted"), event)).toMatchObject({
      next: {
        state: "requires_action",
        nextAction: { type: "redirect", url: "https://bank.example", expires_at: "2026-11-21T12:15:00.000Z" },
      },
      effect: "keep",
      isFinal: false,
    });
  });
});
