import { describe, expect, test } from "vitest";
import { type DaySum, toTrend } from "./payment-trend.ts";

const sum = (day: string, over: Partial<DaySum> = {}): DaySum => ({
  day,
  state: "succeeded",
  currency: "EUR",
  count: 1,
  captured: 1_000n,
  refunded: 0n,
  declineCode: null,
  ...over,
});
const period = { first: "2026-03-01", days: 3 };

describe("the trend of a merchant's payments (docs/spec/portal.md, Merchant dashboard)", () => {
  test("each day is compared with the corresponding day of the previous period, and refunds are subtracted", () => {
    const { currencies } = toTrend(
      [sum("2026-02-26"), sum("2026-03-01", { refunded: 300n }), sum("2026-03-03", { captured: 50n })],
      period,
    );
    expect(currencies).toEqual([
      {
        currency: "EUR",
        net: 750n,
        previousNet: 1_000n,
        days: [
          { day: "2026-03-01", net: 700n, previous: 1_000n },
          { day: "2026-03-02", net: 0n, previous: 0n },
          { day: "2026-03-03", net: 50n, previous: 0n },
        ],
      },
    ]);
  });

  test("currencies are separate", () => {
    const { currencies } = toTrend([sum("2026-03-01"), sum("2026-03-01", { currency: "JPY" })], period);
    expect(currencies.map(({ currency, net }) => [currency, net])).toEqual([
      ["EUR", 1_000n],
      ["JPY", 1_000n],
    ]);
  });

  test("the success rate counts only charges that were paid or declined", () => {
    const declined = { state: "declined", captured: 0n, declineCode: "insufficient_funds" } as const;
    const trend = toTrend(
      [
        sum("2026-03-01", { count: 3 }),
        sum("2026-03-02", { ...declined, count: 1 }),
        sum("2026-03-02", { state: "unknown", captured: 0n, count: 9 }),
        sum("2026-02-27", { ...declined, count: 2 }),
      ],
      period,
    );
    expect([trend.successRate, trend.previousSuccessRate]).toEqual([0.75, 0]);
    expect(trend.declines).toEqual([{ code: "insufficient_funds", count: 1 }]);
  });

  test("without charges there is no rate and no currency", () => {
    expect(toTrend([], period)).toEqual({ currencies: [], successRate: null, previousSuccessRate: null, declines: [] });
  });
});
