import { describe, expect, test } from "vitest";
import { parseExact } from "../exact/exact.ts";
import { onlyParts } from "../invoice/invoice-input.fixture.ts";
import type { InvoiceInput } from "../invoice/types.ts";
import { forecastInvoice } from "./forecast-invoice.ts";
import { monthsUntil, type SpendItem, spendByMonth } from "./spend-by-month.ts";

const day = (date: string) => new Date(`${date}T00:00:00Z`);

const input = (members: Partial<InvoiceInput> = {}): InvoiceInput => ({
  currency: "EUR",
  tax: { category: "O", rate: 0n, behaviour: "exclusive" },
  parts: [
    {
      plan: { id: "pro", version: 1 },
      terms: {
        flat: 1000n,
        minimum: 0n,
        maximum: null,
        prices: new Map([
          ["own:sms", { model: "per_unit", unit: parseExact("2"), freeUnits: 0n }],
          ["successful_charges", { model: "basis_points", rate: parseExact("100"), min: null, max: null }],
        ]),
      },
      period: { from: day("2026-11-01"), to: day("2026-12-01") },
      days: { used: 30, of: 30 },
      usage: new Map([
        ["own:sms", { quantity: 10n, amounts: [] }],
        [
          "successful_charges",
          {
            quantity: 30n,
            amounts: Array.from({ length: 30 }, (_, index) => ({ amountMinor: 10_000n + BigInt(index), count: 1n })),
          },
        ],
      ]),
    },
  ],
  ...onlyParts,
  ...members,
});

describe("forecast (docs/spec/billing.md, Spend)", () => {
  test("usage continues at the same rate per day, and the flat fee is unchanged", () => {
    const forecast = forecastInvoice(input(), day("2026-11-11"));
    expect(forecast?.lines.map(({ quantity, amount }) => [quantity, amount])).toEqual([
      [1n, 1000n],
      [30n, 60n],
      [90n, 9013n],
    ]);
  });

  test("the number of charges grows at the same rate, even if each distinct amount grows by less than one charge", () => {
    const forecast = forecastInvoice(input(), day("2026-11-21"));
    expect(forecast?.lines.at(-1)?.quantity).toBe(45n);
  });

  test("there is no forecast in the first 24 hours, or for a period without a billed part", () => {
    expect(forecastInvoice(input(), new Date("2026-11-01T23:59:59Z"))).toBeNull();
    expect(forecastInvoice(input({ parts: [] }), day("2026-11-11"))).toBeNull();
  });

  test("there is no forecast if its amounts would be too large for JSON (docs/spec/billing.md, Amounts)", () => {
    const [part] = input().parts;
    const terms = part && { ...part.terms, flat: BigInt(Number.MAX_SAFE_INTEGER) - 5_000n };
    const large = input({ parts: part && terms ? [{ ...part, terms }] : [] });
    expect(forecastInvoice(large, day("2026-11-30"))).not.toBeNull();
    expect(forecastInvoice(large, day("2026-11-11"))).toBeNull();
  });

  test("at the end of the period, the forecast equals the invoice", () => {
    expect(forecastInvoice(input(), day("2026-12-01"))?.total).toBe(1000n + 20n + 3004n);
  });
});

describe("spend by month (docs/spec/billing.md, Spend)", () => {
  const item = (members: Partial<SpendItem>): SpendItem => ({
    currency: "EUR",
    periodFrom: day("2026-11-01"),
    kind: "usage",
    meter: "own:sms",
    amount: 1n,
    ...members,
  });
  const range = { months: ["2026-10", "2026-11"], timeZone: "UTC" };

  test("months are counted backwards across years", () => {
    expect(monthsUntil(day("2027-01-31"), { count: 3, timeZone: "UTC" })).toEqual(["2026-11", "2026-12", "2027-01"]);
    const before = { count: 1, timeZone: "America/New_York" };
    expect(monthsUntil(day("2027-01-01"), before)).toEqual(["2026-12"]);
  });

  test("each period counts in the month in which it starts in the time zone, and each currency is separate", () => {
    const items = [
      item({ amount: 5n }),
      item({ amount: 7n, kind: "refund" }),
      item({ periodFrom: new Date("2026-10-31T23:00:00Z"), amount: 11n }),
      item({ periodFrom: day("2026-09-01"), amount: 99n }),
      item({ currency: "USD", kind: "flat", meter: null, amount: 3n }),
    ];
    expect(spendByMonth(items, range)).toEqual([
      {
        currency: "EUR",
        total: 23n,
        series: ["sms"],
        months: [
          { month: "2026-10", amounts: [11n] },
          { month: "2026-11", amounts: [12n] },
        ],
      },
      {
        currency: "USD",
        total: 3n,
        series: ["Flat fee"],
        months: [
          { month: "2026-10", amounts: [0n] },
          { month: "2026-11", amounts: [3n] },
        ],
      },
    ]);
    const berlin = spendByMonth(items, { ...range, timeZone: "Europe/Berlin" });
    expect(berlin[0]?.months.map(({ amounts }) => amounts)).toEqual([[0n], [23n]]);
  });

  test("if there are more than five meters, the cheapest ones are combined", () => {
    const items = Array.from({ length: 7 }, (_, index) => item({ meter: `own:m${index}`, amount: BigInt(index + 1) }));
    const [spend] = spendByMonth(items, range);
    expect(spend?.series).toEqual(["m6", "m5", "m4", "m3", "Other"]);
    expect(spend?.months.at(-1)?.amounts).toEqual([7n, 6n, 5n, 4n, 6n]);
  });
});
