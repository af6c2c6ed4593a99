import { expect, it } from "vitest";
import {
  formatEnd,
  formatEndDay,
  formatEndInSentence,
  formatRelativeDateTime,
  formatRelativeInSentence,
  formatTimeZone,
} from "./dates.ts";

const reader = { locale: "en-GB", timeZone: "Europe/Berlin" };

it("shows an end at local midnight as the day before, because ends are exclusive, and names the zone", () => {
  const midnight = new Date("2027-02-19T23:00:00Z");
  expect(formatEnd(midnight, reader)).toBe("the end of 19\u00a0February\u00a02027, Berlin time");
  expect(formatEnd(midnight, { ...reader, locale: "de-DE" })).toBe(
    "Ende des 19.\u00a0Februar\u00a02027, Ortszeit Berlin",
  );
  expect(formatEndDay(midnight, reader)).toBe("19\u00a0February\u00a02027, Berlin time");
  expect(formatEndDay(midnight, { ...reader, timeZone: "UTC" })).toBe("19\u00a0Feb\u00a02027,\u00a023:00\u00a0UTC");
  expect(formatEnd(new Date("2027-02-20T13:05:00Z"), reader)).toBe("20\u00a0Feb\u00a02027,\u00a014:05\u00a0CET");
  expect(formatEndInSentence(new Date("2027-02-19T23:00:00Z"), reader)).toMatch(/^at the end of 19/);
  expect(formatEndInSentence(new Date("2027-02-20T13:05:00Z"), reader)).toMatch(/^on 20/);
});

it("names a time zone by its city", () => expect(formatTimeZone("America/Sao_Paulo")).toBe("Sao Paulo time"));

it("shows only the time for today and yesterday", () => {
  const now = new Date("2026-11-21T10:00:00Z");
  expect(formatRelativeDateTime(new Date("2026-11-21T08:12:00Z"), now, reader)).toBe("Today,\u00a009:12\u00a0CET");
  expect(formatRelativeDateTime(new Date("2026-11-20T08:12:00Z"), now, reader)).toBe("Yesterday,\u00a009:12\u00a0CET");
  expect(formatRelativeInSentence(new Date("2026-11-20T08:12:00Z"), now, reader)).toBe(
    "yesterday,\u00a009:12\u00a0CET",
  );
});

it("shows yesterday after a day with 23 hours", () => {
  const now = new Date("2027-03-28T22:30:00Z");
  expect(formatRelativeDateTime(new Date("2027-03-28T08:12:00Z"), now, reader)).toMatch(/^Yesterday/);
  expect(formatRelativeDateTime(new Date("2027-03-27T22:45:00Z"), now, reader)).toMatch(/^27/);
});
