import { describe, expect, test } from "vitest";
import { mandateReceiptExample } from "../../../endpoints/wallet/receipt-examples.ts";
import { mandateReceiptPdf } from "./receipt-pdf.ts";
import type { MandateReceipt } from "./receipts.wire.ts";

const rowsOf = (terms: Partial<MandateReceipt["mandate"]>, timeZone: string): Record<string, string> => {
  const receipt = { ...mandateReceiptExample, mandate: { ...mandateReceiptExample.mandate, ...terms } };
  const { sections } = mandateReceiptPdf(receipt, { locale: "en-GB", timeZone });
  return Object.fromEntries(sections.flatMap(({ rows }) => rows));
};

const monthly = (resetsAt: string | null) => [
  { key: "month:calendar", cap: 24_000, used: 0, held: 0, left: 24_000, resets_at: resetsAt },
];

describe("the PDF receipt of a mandate has all times in the payer's time zone (docs/spec/portal.md, Wallet)", () => {
  test.each([
    {
      payer: "America/New_York",
      terms: { time_zone: "UTC", valid_until: "2027-01-01T00:00:00Z", limits: monthly("2026-12-01T00:00:00Z") },
      granted: "20 November 2026 at 03:00 GMT-5",
      reset: "Resets 30 November 2026 at 19:00 GMT-5",
      end: "31 December 2026 at 19:00 GMT-5",
    },
    {
      payer: "America/New_York",
      terms: {
        time_zone: "Asia/Kolkata",
        valid_until: "2027-01-01T05:00:00Z",
        limits: monthly("2026-11-30T18:30:00Z"),
      },
      granted: "20 November 2026 at 03:00 GMT-5",
      reset: "Resets 30 November 2026 at 13:30 GMT-5",
      end: "31 December 2026, New York time",
    },
    {
      payer: "Asia/Kolkata",
      terms: { time_zone: "UTC", valid_until: "2026-12-31T18:30:00Z", limits: monthly("2026-12-01T00:00:00Z") },
      granted: "20 November 2026 at 13:30 GMT+5:30",
      reset: "Resets 1 December 2026 at 05:30 GMT+5:30",
      end: "31 December 2026, Kolkata time",
    },
  ])("$payer, with a mandate in $terms.time_zone", ({ payer, terms, granted, reset, end }) => {
    const rows = rowsOf(terms, payer);
    expect(rows).toMatchObject({ Granted: granted, Starts: granted, Ends: end });
    expect(rows["This month"]).toContain(reset);
    expect(rows["Time zone of the periods"]).toBe(terms.time_zone);
    expect(rowsOf({ ...terms, ended_at: "2026-11-20T08:00:00.000Z" }, payer)).toMatchObject({ Ended: granted });
  });

  test("the zone of the periods is named only if it differs from the payer's zone and a limit has a period", () => {
    const terms = { time_zone: "UTC", limits: monthly("2026-12-01T00:00:00Z") };
    expect(rowsOf(terms, "UTC")).not.toHaveProperty("Time zone of the periods");
    expect(rowsOf({ time_zone: "UTC" }, "America/New_York")).not.toHaveProperty("Time zone of the periods");
  });

  test("if the period of a limit isn't reset again, no reset is shown, but the zone of the periods is shown", () => {
    const rows = rowsOf({ time_zone: "UTC", limits: monthly(null) }, "America/New_York");
    expect(rows["This month"]).not.toContain("Resets");
    expect(rows["Time zone of the periods"]).toBe("UTC");
  });
});

test("the PDF receipt names the card in the payer's language (docs/spec/portal.md, Payment methods)", () => {
  const receipt = {
    ...mandateReceiptExample,
    mandate: { ...mandateReceiptExample.mandate, payment_method: "Visa ending in 4242" },
  };
  const { sections } = mandateReceiptPdf(receipt, { locale: "de-DE", timeZone: "UTC" });
  expect(sections.flatMap(({ rows }) => rows)).toContainEqual(["Zahlungsmittel", "Visa mit den Endziffern 4242"]);
});
