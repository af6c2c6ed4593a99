import { describe, expect, test } from "vitest";
import { preferredLanguage, readLanguageTag, readTimeZone } from "./preferences.ts";

describe("the reader's preferences", () => {
  test.each([
    ["de-AT,de;q=0.9,en;q=0.8", "de-AT"],
    ["en;q=0.5, de;q=0.9", "de"],
    ["*, de;q=0.3", "de"],
    ["de;q=0, en-gb", "en-GB"],
    ["", null],
    ["%$, ;;;", null],
    [null, null],
  ])("Accept-Language %s: %s", (header, language) => {
    expect(preferredLanguage(header)).toBe(language);
  });

  test.each([
    ["de-de", "de-DE"],
    ["x", null],
    ["../etc", null],
    ["de-".repeat(30), null],
  ])("language %s: %s", (text, tag) => {
    expect(readLanguageTag(text)).toBe(tag);
  });

  test.each([
    ["Europe/Berlin", "Europe/Berlin"],
    ["utc", "UTC"],
    ["Mars/Olympus", null],
    ["Europe/Berlin'; --", null],
    ["", null],
  ])("time zone %s: %s", (text, zone) => {
    expect(readTimeZone(text)).toBe(zone);
  });
});
