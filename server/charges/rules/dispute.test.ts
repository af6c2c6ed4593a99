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
  ])("a dispute that is stored as %s and reported as %s records the steps %j", (known, reported, steps) => {
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
    ["a dispute opens", charge("succeeded"), ["open"], "disputed"],
    [
      "a dispute opens after a partial refund",
      charge("partially_refunded", { amountRefunded: 1n }),
      ["open"],
      "disputed",
    ],
    ["a dispute opens after a full refund", charge("refunded", { amountRefunded: 100n }), ["open"], "refunded"],
    ["a dispute is lost", charge("disputed"), ["lost"], "disputed"],
    ["a dispute is won", charge("disputed"), ["won"], "succeeded"],
    ["a dispute is won after a full capture", charge("disputed", manual), ["won"], "captured"],
    [
      "a dispute is won after a partial capture",
      charge("disputed", { ...manual, amountCaptured: 60n }),
      ["won"],
      "partially_captured",
    ],
    [
      "a dispute is won after a partial refund",
      charge("disputed", { amountRefunded: 30n }),
      ["won"],
      "partially_refunded",
    ],
    ["a dispute is won after a full refund", charge("disputed", { amountRefunded: 100n }), ["won"], "refunded"],
    ["one dispute is won, another is open", charge("disputed"), ["won", "open"], "disputed"],
    ["one dispute is won, another is lost", charge("disputed"), ["won", "lost"], "disputed"],
  ])("%s", (_name, before, disputes, after) => {
    expect(stateUnderDisputes(before, disputes)).toBe(after);
  });

  test("no settlement, not even a late one, ends the disputed state of a charge", () => {
    for (const state of ["succeeded", "captured", "partially_captured"] as const) {
      expect(predecessors(state)).not.toContain("disputed");
    }
  });
});
