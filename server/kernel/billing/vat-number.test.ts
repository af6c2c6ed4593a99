import { describe, expect, test } from "vitest";
import { normalizeVatNumber, vatNumberProblem } from "./vat-number.ts";

describe("the format of VAT numbers (docs/spec/billing.md, Tax details)", () => {
  test.each([
    ["AT", "ATU12345678"],
    ["BE", "BE0123456789"],
    ["CY", "CY12345678X"],
    ["DE", "DE123456789"],
    ["ES", "ESX1234567X"],
    ["ES", "ES12345678Z"],
    ["FR", "FRXX123456789"],
    ["FR", "FR12123456789"],
    ["GR", "EL123456789"],
    ["IE", "IE1234567WA"],
    ["IE", "IE1X23456L"],
    ["LT", "LT123456789012"],
    ["NL", "NL123456789B01"],
    ["SE", "SE123456789001"],
    ["CH", "CHE-123.456.789MWST".replaceAll(".", "-")],
    ["US", "12-3456789"],
  ])("%s accepts %s", (country, number) => {
    expect(vatNumberProblem(normalizeVatNumber(number, country), country)).toBeNull();
  });

  test.each([
    ["DE", "DE12345678"],
    ["DE", "123456789"],
    ["DE", "AT123456789"],
    ["AT", "AT12345678"],
    ["GR", "GR123456789"],
    ["ES", "ES123456789"],
    ["FR", "FRO1123456789"],
    ["NL", "NL123456789X01"],
    ["US", "1"],
    ["US", "12_3"],
  ])("%s refuses %s", (country, number) => {
    expect(vatNumberProblem(normalizeVatNumber(number, country), country)).not.toBeNull();
  });

  test("removes spaces, dots and hyphens, and converts to upper case", () => {
    expect(normalizeVatNumber(" de 123.456-789 ", "DE")).toBe("DE123456789");
  });
});
