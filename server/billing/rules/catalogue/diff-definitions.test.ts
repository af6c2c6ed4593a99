import { describe, expect, test } from "vitest";
import { diffDefinitions } from "./diff-definitions.ts";

describe("the differences between two definitions (docs/spec/billing.md, Catalogue)", () => {
  test("lists changed, added and removed values by their paths", () => {
    const before = { name: "Pro", trial_days: 14, prices: { "own:sms": { tiers: [{ unit: "1" }, { unit: "2" }] } } };
    const after = { name: "Pro", prices: { "own:sms": { tiers: [{ unit: "1", flat: 5 }] }, step_ups: {} } };
    expect(diffDefinitions(before, after)).toEqual([
      { path: 'prices."own:sms".tiers[0].flat', to: 5 },
      { path: "prices.step_ups", to: {} },
      { path: "trial_days", from: 14 },
      { path: 'prices."own:sms".tiers[1].unit', from: "2" },
    ]);
  });

  test("distinguishes text from numbers, and empty values from non-empty ones", () => {
    expect(diffDefinitions({ a: "1", b: {}, c: [] }, { a: 1, b: { d: 1 }, c: [] })).toEqual([
      { path: "a", from: "1", to: 1 },
      { path: "b.d", to: 1 },
      { path: "b", from: {} },
    ]);
  });

  test("ignores the order of keys", () => {
    expect(diffDefinitions({ a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 })).toEqual([]);
  });
});
