import { describe, expect, it } from "vitest";
import { languageOf, localeInLanguage, localeOfAcceptLanguage, textLocaleOf } from "./languages.ts";
import { translator } from "./translator.ts";

describe("translator", () => {
  it.each([
    ["en-GB", "Sign in"],
    ["de-DE", "Anmelden"],
    ["de-AT", "Anmelden"],
    ["fr-FR", "Sign in"],
  ])("returns the text for %s", (locale, text) => expect(translator(locale, "sign-in")("title")).toBe(text));

  it("inserts arguments", () =>
    expect(translator("de", "frame")("sandboxClockNow", { date: "1. Mai 2027" })).toBe("Uhr der Sandbox: 1. Mai 2027"));

  it("passes tags to functions, and gives elements of lists a key", () => {
    const t = translator("en-GB", "sign-in");
    const text = t.rich("passkeyMissing", { link: (chunks) => `[${String(chunks)}]` });
    expect(text).toContain("[Add one under Security]");
  });

  it("reports whether a key exists, and refuses a missing one", () => {
    const t = translator("en-GB", "sign-in");
    expect([t.has("title"), t.has("toString" as "title")]).toEqual([true, false]);
    expect(() => t("missing" as "title")).toThrow('No text "missing" in "sign-in".');
  });
});

describe("the language of a locale", () => {
  it("is English for locales without texts", () => {
    expect(["de", "DE-ch", "en-US", "fr", "deu", ""].map(languageOf)).toEqual(["de", "de", "en", "en", "en", "en"]);
    expect(["de-AT", "fr-FR"].map(textLocaleOf)).toEqual(["de-AT", "en-GB"]);
  });

  it("keeps the region of a locale that already has the language", () => {
    expect(localeInLanguage("de-AT", "de")).toBe("de-AT");
    expect(localeInLanguage("de-AT", "en")).toBe("en-GB");
  });

  it.each([
    [null, "en-GB"],
    ["", "en-GB"],
    ["de", "de-DE"],
    ["de-AT,de;q=0.9,en;q=0.8", "de-AT"],
    ["en-US,en;q=0.9,de;q=0.8", "en-US"],
    ["fr-FR,de;q=0.5,en;q=0.7", "en-GB"],
    ["de;q=0, en;q=0.1", "en-GB"],
    ["*", "en-GB"],
    ["de_DE;q=x, <script>", "en-GB"],
  ])("follows Accept-Language %s (RFC 9110 §12.5.4)", (header, locale) =>
    expect(localeOfAcceptLanguage(header)).toBe(locale),
  );
});
