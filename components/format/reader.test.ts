import { expect, it } from "vitest";
import { formatRelativeDateTime, formatRelativeInSentence } from "./dates.ts";
import { formatAmount } from "./money.ts";
import { englishReader } from "./reader.ts";

// docs/spec/portal.md, Languages: merchant and operator pages are in English.

const berlin = { locale: "de-DE", timeZone: "Europe/Berlin" };

it("on English pages, a reader with a German locale gets British dates and amounts, in the reader's time zone", () => {
  const reader = englishReader(berlin);
  expect(reader).toEqual({ locale: "en-GB", timeZone: "Europe/Berlin" });
  const [at, now] = [new Date("2026-11-21T08:12:00Z"), new Date("2026-11-21T10:00:00Z")];
  expect(formatRelativeDateTime(at, now, reader)).toBe("Today,\u00a009:12\u00a0CET");
  expect(formatRelativeInSentence(at, now, reader)).toBe("today,\u00a009:12\u00a0CET");
  expect(formatAmount(123_456, "EUR", reader)).toBe("€1,234.56");
});

it("an English reader keeps the conventions of the region", () => {
  for (const locale of ["en-US", "en-GB", "en-IN"])
    expect(englishReader({ locale, timeZone: "UTC" })).toEqual({ locale, timeZone: "UTC" });
});
