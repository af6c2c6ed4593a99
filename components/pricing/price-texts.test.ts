import { describe, expect, test } from "vitest";
import { formatUnitPrice, priceTexts } from "./price-texts.ts";

type Price = Parameters<typeof priceTexts>[0];
const texts = (price: Omit<Price, "meter">, currency = "EUR") =>
  priceTexts({ meter: "tokens_issued", ...price }, currency, "en-GB").map((text) => text.replaceAll("\u00a0", " "));

describe("prices are shown in words (docs/spec/billing.md, Pricing page)", () => {
  test.each([
    ["0.8", "EUR", "€0.008"],
    ["4900", "EUR", "€49.00"],
    ["0.000000000001", "EUR", "€0.00000000000001"],
    ["0.5", "JPY", "JP¥0.5"],
    ["1250.5", "KWD", "KWD 1.2505"],
  ])("%s minor units of %s are %s", (minor, currency, text) => {
    expect(formatUnitPrice(minor, currency, "en-GB").replaceAll("\u00a0", " ")).toBe(text);
  });

  test.each<[string, Omit<Price, "meter">, string[]]>([
    ["per unit", { model: "per_unit", unit: "4" }, ["€0.04 each"]],
    ["free units", { model: "per_unit", unit: "1", free_units: 1_000 }, ["First 1,000 free", "then €0.01 each"]],
    [
      "graduated",
      {
        model: "graduated",
        tiers: [
          { up_to: 10_000, unit: "0" },
          { unit: "0.8", flat: 100 },
        ],
      },
      ["First 10,000 free", "then €0.008 each, plus €1.00 once"],
    ],
    [
      "three tiers",
      { model: "graduated", tiers: [{ up_to: 10, unit: "3" }, { up_to: 30, unit: "2" }, { unit: "1" }] },
      ["First 10: €0.03 each", "next 20: €0.02 each", "then €0.01 each"],
    ],
    [
      "volume",
      { model: "volume", tiers: [{ up_to: 1_000, unit: "0.4" }, { unit: "0.25" }] },
      ["€0.004 each, if the total is at most 1,000", "€0.0025 each, if the total is above 1,000"],
    ],
    [
      "package",
      { model: "package", size: 100, amount: 500, free_units: 200 },
      ["First 200 free", "€5.00 for each 100 or part of it"],
    ],
    [
      "graduated package",
      {
        model: "graduated_package",
        tiers: [
          { up_to: 1_000, size: 100, amount: 100 },
          { size: 1_000, amount: 100 },
        ],
      },
      ["First 1,000: €1.00 for each 100 or part of it", "then €1.00 for each 1,000 or part of it"],
    ],
    [
      "basis points",
      { model: "basis_points", rate: "29", min: "5", max: "1200" },
      ["0.29% of the amount", "at least €0.05 and at most €12.00 per charge"],
    ],
    [
      "graduated basis points",
      { model: "graduated_basis_points", tiers: [{ up_to: 100_000_000, rate: "20" }, { rate: "12.5" }] },
      ["First €1,000,000.00: 0.2% of the amount", "then 0.125% of the amount"],
    ],
  ])("%s", (_, price, expected) => expect(texts(price)).toEqual(expected));
});
