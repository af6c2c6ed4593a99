import { describe, expect, test } from "vitest";
import { drawPdf } from "../../../platform/pdf/draw-pdf.ts";
import { parseExact } from "../../rules/exact/exact.ts";
import { makeIssuedInvoice } from "../issued-invoice.fixture.ts";
import { invoicePdf } from "./invoice-pdf.ts";

const sla = { from: new Date("2026-09-01T00:00:00Z"), to: new Date("2026-10-01T00:00:00Z") };
const rowsOf = (document: ReturnType<typeof invoicePdf>) => new Map(document.sections.flatMap(({ rows }) => rows));

describe("the PDF of an invoice (docs/spec/billing.md, Documents)", () => {
  test("shows parties, lines, taxes and the amount to pay", () => {
    const coupon = { code: "LAUNCH", percent: parseExact("20"), amountMinor: null, meters: null };
    const document = invoicePdf(makeIssuedInvoice({ coupons: [coupon], creditBalance: 1_000n }));
    expect(document.title).toBe("Invoice INV-2026-000042");
    const table = document.sections.find((section) => section.table)?.table;
    expect(table?.rows).toEqual([
      ["Flat fee", "1", "€49.00", "-€9.80", "€39.20"],
      ["Tokens issued", "12,345", "€98.76", "-€19.76", "€79.00"],
      ["Successful charges", "3", "€0.17", "-€0.03", "€0.14"],
      ["sms_sent", "421", "€15.00", "-€3.00", "€12.00"],
    ]);
    expect(table?.totals.map((row) => row.at(-1))).toEqual(["€130.34", "€24.76", "€155.10"]);
    const rows = rowsOf(document);
    expect(rows.get("To")).toContain("Bean & Leaf SARL\n12 rue du Café, 75002 Paris\nFrance\nVAT number FR12345678901");
    expect(rows.get("19 %")).toBe("€24.76 on €130.34");
    expect(rows.get("Credit balance used")).toBe("-€10.00");
    expect(rows.get("Amount to pay")).toBe("€145.10");
  });

  test("shows the plan's name and the days of the period in the subscription's time zone", () => {
    const issued = makeIssuedInvoice({}, { timeZone: "America/New_York" });
    const period = { from: "2026-03-06T05:00:00.000Z", to: "2026-04-06T04:00:00.000Z" };
    const rows = rowsOf(invoicePdf({ ...issued, invoice: { ...issued.invoice, period } }));
    expect(rows.get("Period")).toBe("6 March 2026 to 5 April 2026");
    expect(rows.get("Plan")).toBe("Pro");
  });

  test.each(["exclusive", "inclusive"] as const)(
    "an invoice below zero shows its net credit, and what is added to the credit balance (prices %s of tax)",
    (behaviour) => {
      const credit = { component: "Billing engine", period: sla, exact: parseExact("-30000") };
      const issued = makeIssuedInvoice({
        slaCredits: [credit],
        tax: { category: "S", rate: parseExact("19"), behaviour },
      });
      expect(issued.invoice.total).toBe(0);
      const document = invoicePdf(issued);
      const totals = document.sections.find(({ table }) => table)?.table?.totals.map((row) => [row[0], row.at(-1)]);
      expect(totals).toEqual(
        behaviour === "exclusive"
          ? [
              ["Net credit", "-€137.07"],
              ["Tax", "-€26.04"],
              ["Added to the credit balance", "€163.11"],
              ["Total", "€0.00"],
            ]
          : [
              ["Net credit (prices include tax)", "-€115.18"],
              ["Tax", "-€21.89"],
              ["Added to the credit balance", "€137.07"],
              ["Total", "€0.00"],
            ],
      );
      expect(rowsOf(document).get("Amount to pay")).toBe("€0.00");
    },
  );

  test("a credit note has a reason and no due date", () => {
    const issued = makeIssuedInvoice({}, { corrects: "INV-2026-000042", reason: "Wrong plan" });
    const rows = rowsOf(invoicePdf({ ...issued, invoice: { ...issued.invoice, type: "credit_note" } }));
    expect(rows.get("Reason")).toBe("Wrong plan");
    expect(rows.get("Corrects invoice")).toBe("INV-2026-000042");
    expect(rows.has("Due on")).toBe(false);
  });

  test("a document of the sandbox is marked as a test on each page", () => {
    expect(invoicePdf(makeIssuedInvoice({}, { isTest: true })).banner).toContain("Test document");
    expect(invoicePdf(makeIssuedInvoice()).banner).toBeNull();
  });

  test("the PDF of an invoice always has the same bytes, so that its hash can be stored", async () => {
    const draw = () => drawPdf(invoicePdf(makeIssuedInvoice()));
    expect(Buffer.from(await draw()).equals(Buffer.from(await draw()))).toBe(true);
  });

  test.each([
    ["JPY", "¥4,900"],
    ["KWD", "KWD 4.900"],
  ])("amounts have the decimals of %s", (currency, flat) => {
    const [section] = invoicePdf(makeIssuedInvoice({ currency })).sections.filter(({ table }) => table);
    expect(section?.table?.rows[0]?.[2]?.replaceAll(/[\u00a0\u202f]/g, " ")).toBe(flat.replace("¥", "JP¥"));
  });
});
