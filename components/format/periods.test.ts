import { expect, test } from "vitest";
import { formatNextReset } from "./periods.ts";

const now = new Date("2026-11-21T12:00:00Z");
const reset = (at: string, locale: string, timeZone: string) =>
  formatNextReset(new Date(at), now, { locale, timeZone }).replaceAll(/[\u00a0\u202f]/g, " ");

test.each([
  ["2026-11-30T23:00:00Z", "en-GB", "Europe/Berlin", "resets on 1 December, 00:00 (Europe/Berlin)"],
  ["2026-11-30T23:00:00Z", "en-GB", "America/New_York", "resets on 30 November, 18:00 (America/New_York)"],
  ["2026-11-30T23:00:00Z", "en-US", "UTC", "resets on November 30, 11:00 PM (UTC)"],
  ["2026-12-31T23:00:00Z", "en-GB", "Europe/Berlin", "resets on 1 January 2027, 00:00 (Europe/Berlin)"],
  ["2026-12-31T23:00:00Z", "de-DE", "Europe/Berlin", "beginnt am 1. Januar 2027 um 00:00 Uhr neu (Europe/Berlin)"],
])("a period that ends at %s, in %s for the zone %s: %s (docs/spec/portal.md, Consent)", (at, locale, zone, text) =>
  expect(reset(at, locale, zone)).toBe(text),
);
