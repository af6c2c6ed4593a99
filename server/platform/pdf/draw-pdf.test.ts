import { expect, it, test } from "vitest";
import { drawPdf } from "./draw-pdf.ts";
import { loadFonts } from "./fonts/load-fonts.ts";
import type { PdfDocument } from "./pdf-document.ts";
import { renderPdf } from "./render-pdf.ts";

const content: PdfDocument = {
  title: "Payment receipt",
  subtitle: "As of 21 November 2026",
  banner: null,
  brand: "Paygrant",
  sections: [{ heading: "Details", rows: [["Amount", "€12.50"]] }],
  footer: "No invoice",
  pageLabel: "Page {page} of {pages}",
  language: "en",
  at: "2026-11-21T10:00:00.000Z",
};

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

it("draws a document with the same bytes each time, even in the worker thread", async () => {
  const first = await drawPdf(content);
  expect(text(first)).toMatch(/^%PDF-1\.7/);
  expect(text(await drawPdf(content))).toBe(text(first));
  expect(text(await renderPdf(content))).toBe(text(first));
});

it("adds pages for a long document and numbers them", async () => {
  const rows = Array.from({ length: 80 }, (_, index): [string, string] => [`Refund ${index}`, "€1.00"]);
  expect(text(await drawPdf({ ...content, sections: [{ heading: null, rows }] }))).toContain("/Count 3");
});

test.each([
  ["€12.34 ist für Grüße “x”", "€12.34 ist für Grüße “x”"],
  ["KWD\u00a01.250", "KWD 1.250"],
  ["Łódź Żółw Sp. z o.o. Ğüneş", "Łódź Żółw Sp. z o.o. Ğüneş"],
  ["Ελλάς, Привет, Nguyễn", "Ελλάς, Привет, Nguyễn"],
  ["株式会社ペイ, 龙马, 한국", "株式会社ペイ, 龙马, 한국"],
  ["o\u0301 \u{1d400}", "ó A"],
  ["a\u0000b\u202e", "a?b?"],
  ["שלום", "????"],
])("draws %j as %j", async (given, drawn) => {
  const { toRuns } = await loadFonts([given]);
  for (const weight of ["regular", "bold"] as const)
    expect(
      toRuns(given, weight)
        .map(({ text: part }) => part)
        .join(""),
    ).toBe(drawn);
});

it("embeds only the characters that it draws, in several fonts", async () => {
  const bytes = text(await drawPdf({ ...content, subtitle: "株式会社ペイ, Ελλάς" }));
  expect(bytes).toContain("+NotoSansJP");
  expect(bytes).toContain("+Inter");
  expect(bytes).not.toContain("Helvetica");
  expect(bytes.length).toBeLessThan(60_000);
});
