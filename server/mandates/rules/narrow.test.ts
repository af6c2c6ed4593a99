import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isDomainError } from "../../kernel/errors.ts";
import { type Narrowing, narrow } from "./narrow.ts";

const details = {
  max_amount_per_payment: 500,
  max_total_amount: 2_000,
  step_up_above: 400,
  valid_from: "2026-11-21T00:00:00Z",
  valid_until: "2027-11-21T00:00:00Z",
  periodic_limits: [{ period: "month" as const, alignment: "calendar" as const, max_amount: 1_000 }],
  purpose: "Groceries",
};
const pointerOf = (narrowing: Narrowing): string | undefined => {
  try {
    narrow(details, narrowing);
    return undefined;
  } catch (error) {
    return isDomainError(error) ? error.errors[0]?.pointer : "not a domain error";
  }
};

describe("narrowing (docs/spec/payments.md, Narrowing and replacing a mandate)", () => {
  test("lowers caps, ends earlier and keeps the rest", () => {
    const narrowed = narrow(details, {
      max_total_amount: 900,
      step_up_above: 100,
      valid_until: "2027-01-01T00:00:00Z",
      periodic_limits: [{ period: "month", alignment: "calendar", max_amount: 300 }],
    });
    expect(narrowed).toEqual({
      ...details,
      max_total_amount: 900,
      step_up_above: 100,
      valid_until: "2027-01-01T00:00:00Z",
      periodic_limits: [{ period: "month", alignment: "calendar", max_amount: 300 }],
    });
  });

  test("a new cap can't exceed the largest allowed number", () => {
    expect(pointerOf({ max_payments: 100_000_000_000 })).toBe("/max_payments");
    expect(pointerOf({ max_payments: 99_999_999_999 })).toBeUndefined();
  });

  test("adding a cap or a limit is allowed, because it also narrows the mandate", () => {
    const week = { period: "week" as const, alignment: "consent" as const, max_payments: 2 };
    expect(narrow(details, { max_payments: 4, periodic_limits: [week] })).toEqual({
      ...details,
      max_payments: 4,
      periodic_limits: [...details.periodic_limits, week],
    });
  });

  test.each<[string, Narrowing]>([
    ["/max_amount_per_payment", { max_amount_per_payment: 501 }],
    ["/max_total_amount", { max_total_amount: 0 }],
    ["/max_total_amount", { max_total_amount: 1.5 }],
    ["/step_up_above", { step_up_above: 401 }],
    ["/step_up_above", { step_up_above: 0 }],
    ["/valid_until", { valid_until: "2027-11-21T00:00:01Z" }],
    ["/valid_until", { valid_until: "2026-11-21T00:00:00Z" }],
    ["/valid_until", { valid_until: "soon" }],
    [
      "/periodic_limits/0/max_amount",
      { periodic_limits: [{ period: "month", alignment: "calendar", max_amount: 1_001 }] },
    ],
    ["/periodic_limits/0", { periodic_limits: [{ period: "day", alignment: "calendar" }] }],
  ])("names %s as the field that would widen the mandate", (pointer, narrowing) =>
    expect(pointerOf(narrowing)).toBe(pointer),
  );

  test("never raises a cap, for any request", () => {
    fc.assert(
      fc.property(fc.option(fc.integer({ min: -5, max: 3_000 }), { nil: undefined }), (requested) => {
        try {
          expect(narrow(details, { max_total_amount: requested }).max_total_amount).toBeLessThanOrEqual(2_000);
        } catch (error) {
          expect(isDomainError(error)).toBe(true);
        }
      }),
    );
  });
});
