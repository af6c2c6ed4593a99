import { describe, expect, test } from "vitest";
import { type ChargeState, predecessors } from "./charge-states.ts";
import { type DisputeStatus, disputeSteps, stateUnderDisputes } from "./dispute.ts";

describe("disputes (docs/spec/payments.md, Disputes)", () => {
  test.each<[DisputeStatus | null, DisputeStatus, DisputeStatus[]]>([
    [null, "open", ["open"]],
    [null, "won", ["open", "won"]],
    [null, "lost", ["open", "lost"]],
    ["open", "open", []],
    ["open", "won", ["won"]],
    ["open", "lost", ["lost"]],
    ["won", "open", []],
    ["lost", "open", []],
    ["lost", "won", ["won"]],
    ["won", "lost", ["lost"]],
    ["won", "won", []],
  ])("known as %s and reported as %s: records %j", (known, reported, steps) => {
    expect(disputeSteps(known, reported)).toEqual(steps);
  });

  const charge = (
    state: ChargeState,
    change: { captureMethod?: string; amountCaptured?: bigint; amountRefunded?: bigint } = {},
  ) => ({
    state,
    captureMethod: "automatic",
    amount: 100n,
    amountCaptured: 100n,
    amountRefunded: 0n,
    ...change,
  });
  const manual = { captureMethod: "manual" };
  test.each<[string, ReturnType<typeof charge>, DisputeStatus[], ChargeState]>([
    ["opened", charge("succeeded"), ["open"], "disputed"],
    ["opened after a part went back", charge("partially_refunded", { amountRefunded: 1n }), ["open"], "disputed"],
    ["opened after all went back", charge("refunded", { amountRefunded: 100n }), ["open"], "refunded"],
    ["lost: its money is gone", charge("disputed"), ["lost"], "disputed"],
    ["won", charge("disputed"), ["won"], "succeeded"],
    ["won, captured whole", charge("disputed", manual), ["won"], "captured"],
    ["won, captured in part", charge("disputed", { ...manual, amountCaptured: 60n }), ["won"], "partially_captured"],
    ["won, with a part given back", charge("disputed", { amountRefunded: 30n }), ["won"], "partially_refunded"],
    ["won, all given back meanwhile", charge("disputed", { amountRefunded: 100n }), ["won"], "refunded"],
    ["one won, another still open", charge("disputed"), ["won", "open"], "disputed"],
    ["one won, another lost", charge("disputed"), ["won", "lost"], "disputed"],
  ])("%s", (_name, before, disputes, after) => {
    expect(stateUnderDisputes(before, disputes)).toBe(after);
  });

  test("no settlement ends the disputed state of a charge, even a late one", () => {
    for (const state of ["succeeded", "captured", "partially_captured"] as const) {
      expect(predecessors(state)).not.toContain("disputed");
    }
  });
});
