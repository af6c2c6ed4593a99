import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { approached } from "./approaching.ts";

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
