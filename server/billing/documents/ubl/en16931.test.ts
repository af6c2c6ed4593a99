import { describe, expect, test } from "vitest";
import { parseExact } from "../../rules/exact/exact.ts";
import { makeIssuedInvoice } from "../issued-invoice.fixture.ts";
import type { IssuedInvoice } from "../issued-invoice.ts";
import { brokenRules } from "./en16931.fixture.ts";
import { toUbl } from "./to-ubl.ts";
import { findUblProblem } from "./ubl-problem.ts";

const rates = { S: "19", Z: "0", E: "0", AE: "0", K: "0", G: "0", O: "0", L: "7", M: "4" };
const coupon = { code: "LAUNCH", percent: parseExact("20"), amountMinor: null, meters: null };
const october = { from: new Date("2026-10-01T00:00:00Z"), to: new Date("2026-11-01T00:00:00Z") };

const toCreditNote = (issued: IssuedInvoice): IssuedInvoice => ({
  ...issued,
  invoice: { ...issued.invoice, type: "credit_note", number: "CN-2026-000001", due_at: null },
  corrects: "INV-2026-000042",
});

const samples = Object.entries(rates).flatMap(([category, rate]) =>
  (["exclusive", "inclusive"] as const).flatMap((behaviour): [string, IssuedInvoice][] => {
    const tax = { category, rate: parseExact(rate), behaviour };
    const name = `${category}, ${behaviour}`;
    const credit = { component: "Wallet", period: october, exact: parseExact("-1234.5"), tax };
    const slaCredits = [credit];
    const large = [{ ...credit, exact: parseExact("-999999") }];
    return [
      [name, makeIssuedInvoice({ tax })],
      [`${name}, no decimals`, makeIssuedInvoice({ tax, currency: "JPY" })],
      [`${name}, discount and credits`, makeIssuedInvoice({ tax, coupons: [coupon], slaCredits, creditBalance: 500n })],
      [`${name}, below zero`, makeIssuedInvoice({ tax, slaCredits: large })],
      [`${name}, credit note`, toCreditNote(makeIssuedInvoice({ tax, coupons: [coupon] }))],
    ];
  }),
);

const sampleOf = (
  category: keyof typeof rates,
  change: (issued: IssuedInvoice) => Partial<IssuedInvoice> = () => ({}),
) => {
  const tax = { category, rate: parseExact(rates[category]), behaviour: "exclusive" as const };
  const issued = makeIssuedInvoice({ tax });
  return { ...issued, ...change(issued) };
};
const withSeller =
  (vatNumber: string | null) =>
  ({ issuer }: IssuedInvoice) => ({ issuer: { ...issuer, vatNumber } });
const withCustomer =
  (vatNumber: string | null) =>
  ({ customer }: IssuedInvoice) => ({
    customer: { ...customer, vatNumber },
  });

describe("UBL documents and the rules of EN 16931 (docs/spec/billing.md, Documents)", () => {
  test.each(samples)("%s", (_, issued) => {
    expect(brokenRules(toUbl(issued))).toEqual([]);
  });

  test.each([
    ["BR-CO-10", 'LineExtensionAmount currencyID="EUR">4', 'LineExtensionAmount currencyID="EUR">5'],
    ["BR-CO-16", /PayableAmount currencyID="EUR">\d+/, 'PayableAmount currencyID="EUR">1'],
    ["BR-CO-09", "FR12345678901", "12345678901"],
    ["BR-S-05", "<cbc:Percent>19</cbc:Percent>", "<cbc:Percent>0</cbc:Percent>"],
    ["BR-S-02", /<cac:PartyTaxScheme>[\s\S]*?<\/cac:PartyTaxScheme>/, ""],
  ])("a document that breaks %s is recognized", (rule, from, to) => {
    expect(brokenRules(toUbl(makeIssuedInvoice()).replaceAll(new RegExp(from, "g"), to))).toContain(rule);
  });

  test.each(["S", "Z", "E", "AE", "K", "G", "L", "M"] as const)(
    "category %s needs the seller's VAT number",
    (category) => {
      for (const vatNumber of [null, "99123"]) {
        expect(findUblProblem(sampleOf(category, withSeller(vatNumber)))).toContain("Paygrant's VAT number");
      }
    },
  );

  test.each(["AE", "K"] as const)("category %s needs the customer's VAT number", (category) => {
    for (const vatNumber of [null, "123456789MVA"]) {
      const issued = sampleOf(category, withCustomer(vatNumber));
      expect(findUblProblem(issued)).toContain("the merchant's VAT number");
      expect(() => toUbl(issued)).toThrow("the merchant's VAT number");
    }
    expect(findUblProblem(sampleOf(category, withCustomer("EL123456789")))).toBeNull();
  });

  test("category O needs no VAT number, and category G doesn't need the customer's VAT number", () => {
    const both = (issued: IssuedInvoice) => ({ ...withSeller(null)(issued), ...withCustomer(null)(issued) });
    expect(brokenRules(toUbl(sampleOf("O", both)))).toEqual([]);
    expect(brokenRules(toUbl(sampleOf("G", withCustomer(null))))).toEqual([]);
  });

  test("a customer's number without a country code isn't a VAT identifier (BR-CO-09)", () => {
    const xml = toUbl(sampleOf("G", withCustomer("123456789MVA")));
    expect(xml).not.toContain("123456789MVA");
    expect(brokenRules(xml)).toEqual([]);
  });

  test("a document isn't available if the tax of a credit note differs by a whole unit from the tax at its rate (BR-CO-17)", () => {
    const issued = toCreditNote(makeIssuedInvoice({ currency: "JPY" }));
    const taxes = [{ category: "S", rate: "10", base: 10, amount: 2 }];
    expect(findUblProblem({ ...issued, invoice: { ...issued.invoice, taxes } })).toContain("is rounded");
  });
});
