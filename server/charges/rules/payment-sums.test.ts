import { expect, test } from "vitest";
import { chargeStates } from "./charge-states.ts";
import { type Sum, summarize } from "./payment-sums.ts";

const sum = (state: Sum["state"], changes: Partial<Sum> = {}): Sum => ({
  state,
  currency: "EUR",
  count: 1,
  captured: 0n,
  refunded: 0n,
  ...changes,
});

test("counts the charges of a state as paid, declined or open, or not at all", () => {
  const counts = chargeStates.map((state) => {
    const { paid, declined, open } = summarize([sum(state)]);
    return [state, paid, declined, open];
  });
  expect(Object.fromEntries(counts.map(([state, ...rest]) => [state, rest.join("")]))).toEqual({
    reserved: "001",
    requires_action: "001",
    submitted: "001",
    processing: "001",
    unknown: "001",
    authorized: "001",
    succeeded: "100",
    captured: "100",
    partially_captured: "100",
    partially_refunded: "100",
    refunded: "100",
    disputed: "100",
    declined: "010",
    voided: "000",
    expired: "000",
  });
});

test("adds up each currency separately, in minor units", () => {
  expect(
    summarize([
      sum("succeeded", { captured: 1_050n }),
      sum("refunded", { captured: 400n, refunded: 400n }),
      sum("succeeded", { currency: "JPY", captured: 700n }),
    ]).volumes,
  ).toEqual([
    { currency: "EUR", captured: 1_450n, refunded: 400n },
    { currency: "JPY", captured: 700n, refunded: 0n },
  ]);
});
