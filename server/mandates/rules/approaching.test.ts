import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { approached, marksBeyond } from "./approaching.ts";

const cap = (cap: bigint, used: bigint, added: bigint) => ({
  constraint: "c",
  period: "total" as const,
  isCount: false,
  cap,
  used,
  added,
  resetsAt: null,
});

describe("a limit is approaching when 80% of it is used", () => {
  test.each([
    [1_000n, 799n, 799n, false],
    [1_000n, 800n, 1n, true],
    [1_000n, 1_000n, 1_000n, true],
    [1_000n, 801n, 1n, false],
    [5n, 4n, 1n, true],
    [3n, 2n, 1n, false],
    [3n, 3n, 1n, true],
  ])("limit %s, used %s, of which the last payment used %s: %s", (whole, used, added, expected) => {
    expect(approached([cap(whole, used, added)])).toHaveLength(expected ? 1 : 0);
  });

  test("a cap is reported exactly once by any sequence of payments that uses it up", () => {
    const payments = fc.array(fc.bigInt({ min: 1n, max: 300n }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(payments, (amounts) => {
        const whole = amounts.reduce((total, amount) => total + amount, 0n);
        let used = 0n;
        let reports = 0;
        for (const added of amounts) {
          used += added;
          reports += approached([cap(whole, used, added)]).length;
        }
        expect(reports).toBe(1);
      }),
    );
  });
});

describe("the marks of the limits (80% of each) after a payment", () => {
  const none = { usedAmount: 0n, heldAmount: 0n, usedCount: 0n, heldCount: 0n };
  const uncapped = { maxTotalAmount: null, maxPayments: null };

  test("are returned if and only if the payment reaches none of them, for any cap and use", () => {
    const amounts = fc.bigInt({ min: 1n, max: 2_000n });
    fc.assert(
      fc.property(amounts, amounts, amounts, amounts, (whole, usedAmount, heldAmount, amount) => {
        const lifetime = { ...none, usedAmount, heldAmount };
        const terms = { ...uncapped, maxTotalAmount: whole };
        const used = usedAmount + heldAmount + amount;
        const reaches = used * 100n >= whole * 80n;
        const marks = marksBeyond({ version: 1, terms, lifetime }, [], amount);
        expect(marks === null).toBe(reaches);
        if (marks) expect(approached([cap(whole, marks.lifetime.amount ?? 0n, 1n)])).toHaveLength(1);
      }),
    );
  });

  test("also exist for the number of payments and for periods", () => {
    const period = { limitKey: "day:calendar", startsAt: new Date(0), endsAt: new Date(1), maxAmount: null };
    const of = (maxPayments: bigint, usedCount: bigint) =>
      marksBeyond(
        { version: 2, terms: uncapped, lifetime: none },
        [{ ...period, maxPayments, counters: { ...none, usedCount } }],
        1n,
      );
    expect(of(5n, 2n)).toEqual({
      version: 2,
      lifetime: { amount: null, count: null },
      periods: [{ limitKey: "day:calendar", amount: null, count: 4n }],
    });
    expect(of(5n, 3n)).toBeNull();
  });
});
