import { describe, expect, test } from "vitest";
import { parseExact } from "../../rules/exact/exact.ts";
import { makeIssuedInvoice } from "../issued-invoice.fixture.ts";
import type { IssuedInvoice } from "../issued-invoice.ts";
import { toUbl } from "./to-ubl.ts";
import { findUblProblem } from "./ubl-problem.ts";

const tax = (category: string, rate: string, behaviour: "exclusive" | "inclusive" = "exclusive") => ({
  category,
  rate: parseExact(rate),
  behaviour,
});
const coupon = { code: "LAUNCH", percent: parseExact("20"), amountMinor: null, meters: null };
const october = { from: new Date("2026-10-01T00:00:00.000Z"), to: new Date("2026-11-01T00:00:00.000Z") };

const creditNote = (): IssuedInvoice => {
  const issued = makeIssuedInvoice();
  const invoice = { ...issued.invoice, type: "credit_note" as const, number: "CN-2026-000001", due_at: null };
  return { ...issued, invoice, corrects: "INV-2026-000042" };
};

/** The amounts of all elements with this name, in hundredths. */
const amountsOf = (xml: string, name: string): number[] =>
  [...xml.matchAll(new RegExp(`<cbc:${name} currencyID="[A-Z]+">(-?[0-9.]+)<`, "g"))].map(([, text]) =>
    Math.round(Number(text) * 100),
  );
const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0);

describe("UBL 2.1 according to EN 16931 (docs/spec/billing.md, Documents)", () => {
  test.each([
    ["standard rate", makeIssuedInvoice()],
    ["coupon", makeIssuedInvoice({ coupons: [coupon] })],
    ["inclusive prices", makeIssuedInvoice({ tax: tax("S", "19", "inclusive"), coupons: [coupon] })],
    ["reverse charge", makeIssuedInvoice({ tax: tax("AE", "0") })],
    ["no decimals", makeIssuedInvoice({ currency: "JPY" })],
    ["paid from credit", makeIssuedInvoice({ creditBalance: 1_000n })],
    ["credit note", creditNote()],
  ])("%s: the totals are the sums of the lines and taxes (BR-CO-10 to BR-CO-16)", (_, issued) => {
    const xml = toUbl(issued);
    const [document, ...lines] = amountsOf(xml, "LineExtensionAmount");
    expect(sum(lines)).toBe(document);
    expect(amountsOf(xml, "TaxExclusiveAmount")).toEqual([document]);
    const [total, ...byCategory] = amountsOf(xml, "TaxAmount");
    expect(sum(byCategory)).toBe(total);
    expect(sum(amountsOf(xml, "TaxableAmount"))).toBe(document);
    const [withTax = 0] = amountsOf(xml, "TaxInclusiveAmount");
    expect(withTax).toBe((document ?? 0) + (total ?? 0));
    expect(sum([...amountsOf(xml, "PrepaidAmount"), ...amountsOf(xml, "PayableAmount")])).toBe(withTax);
  });

  test("the amount of each line is its price minus its discount, and no price is negative (BR-27)", () => {
    const slaCredits = [
      { component: "Authorization server", period: october, exact: parseExact("-1234.5"), tax: tax("S", "19") },
    ];
    const xml = toUbl(makeIssuedInvoice({ coupons: [coupon], slaCredits }));
    const lines = xml.split("<cac:InvoiceLine>").slice(1);
    expect(lines).toHaveLength(5);
    for (const line of lines) {
      const [net = 0] = amountsOf(line, "LineExtensionAmount");
      const [price = 0] = amountsOf(line, "PriceAmount");
      const sign = line.includes('unitCode="C62">-') ? -1 : 1;
      expect(price).toBeGreaterThanOrEqual(0);
      expect(sign * price - sum(amountsOf(line, "Amount"))).toBe(net);
    }
    expect(lines.filter((line) => line.includes('unitCode="C62">-'))).toHaveLength(1);
  });

  test("an invoice outside the scope of VAT has no rate and no VAT number (BR-O-02, BR-O-05)", () => {
    const xml = toUbl(makeIssuedInvoice({ tax: tax("O", "0") }, { isTest: true }));
    expect(xml).not.toContain("cbc:Percent");
    expect(xml).not.toContain("PartyTaxScheme");
    expect(xml).toContain("<cbc:TaxExemptionReasonCode>VATEX-EU-O</cbc:TaxExemptionReasonCode>");
    expect(xml).toContain("Test document of the sandbox");
  });

  test("a credit note names the invoice that it corrects (BG-3)", () => {
    const xml = toUbl(creditNote());
    expect(xml).toContain("<cbc:CreditNoteTypeCode>381</cbc:CreditNoteTypeCode>");
    expect(xml).toMatch(/<cac:InvoiceDocumentReference>\s*<cbc:ID>INV-2026-000042</);
    expect(xml).not.toContain("InvoiceLine");
  });

  test("names are escaped, and characters that XML forbids are removed (XML 1.0 §2.2)", () => {
    const { customer } = makeIssuedInvoice();
    const xml = toUbl(makeIssuedInvoice({}, { customer: { ...customer, name: 'A & B <"C">\u0007\ud800' } }));
    expect(xml).toContain("A &amp; B &lt;&quot;C&quot;&gt;</cbc:Name>");
  });

  const outside = { component: "Wallet", period: october, exact: parseExact("-100"), tax: tax("O", "0") };
  const { customer } = makeIssuedInvoice();

  test.each([
    [
      "a currency with three decimals (BR-DEC-09)",
      makeIssuedInvoice({ currency: "KWD" }),
      "more than the two decimals",
    ],
    [
      "VAT beside category O (BR-O-11, BR-O-12)",
      makeIssuedInvoice({ slaCredits: [outside] }),
      "outside the scope of VAT",
    ],
    [
      "a customer without a country (BR-11)",
      makeIssuedInvoice({}, { customer: { ...customer, country: null } }),
      "country",
    ],
  ])("is not available for %s", (_, issued, problem) => {
    expect(findUblProblem(issued)).toContain(problem);
    expect(() => toUbl(issued)).toThrow(problem);
  });

  test.each([
    ["America/New_York", "2026-03-06T05:00:00.000Z", "2026-04-06T04:00:00.000Z", "2026-03-06", "2026-04-05"],
    ["Asia/Tokyo", "2026-03-06T15:00:00.000Z", "2026-04-06T15:00:00.000Z", "2026-03-07", "2026-04-06"],
  ])("the days of a period are those of %s (BT-73, BT-74)", (timeZone, from, to, first, last) => {
    const issued = makeIssuedInvoice({}, { timeZone });
    const xml = toUbl({ ...issued, invoice: { ...issued.invoice, period: { from, to } } });
    expect(xml).toMatch(new RegExp(`<cbc:StartDate>${first}<.*\\s*<cbc:EndDate>${last}<`));
  });

  test("the month of an SLA credit is a month in UTC in every time zone", () => {
    const slaCredits = [{ component: "Wallet", period: october, exact: parseExact("-100"), tax: tax("S", "19") }];
    const [line = ""] = toUbl(makeIssuedInvoice({ slaCredits }, { timeZone: "America/New_York" }))
      .split("<cac:InvoiceLine>")
      .slice(-1);
    expect(line).toMatch(/<cbc:StartDate>2026-10-01<.*\s*<cbc:EndDate>2026-10-31</);
  });
});
