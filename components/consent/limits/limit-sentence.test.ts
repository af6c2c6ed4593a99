import { describe, expect, it } from "vitest";
import { translator } from "#server/kernel/messages/translator.ts";
import type { LimitScope } from "../consent-limits.ts";
import { limitSentence, plainSentence } from "./limit-sentence.ts";

const rows = [
  ["amount", "payment", 5000, "At most €50.00 each payment", "Höchstens 50,00 € je Zahlung"],
  ["amount", "calendar.month", 20_000, "At most €200.00 each month", "Höchstens 200,00 € pro Monat"],
  ["amount", "consent.quarter", 100, "At most €1.00 every three months", "Höchstens 1,00 € alle drei Monate"],
  ["amount", "total", 100_000, "At most €1,000.00 in total", "Höchstens 1.000,00 € insgesamt"],
  ["payments", "calendar.day", 1, "At most 1 payment each day", "Höchstens 1 Zahlung pro Tag"],
  ["payments", "total", 12, "At most 12 payments in total", "Höchstens 12 Zahlungen insgesamt"],
  ["amount", "approval", 4000, "You approve each payment above €40.00", "Sie geben jede Zahlung über 40,00 € frei"],
  ["amount", "payment", null, "No limit for a single payment", "Kein Limit für eine einzelne Zahlung"],
  ["amount", "calendar.week", null, "No limit each week", "Kein Limit pro Woche"],
  [
    "payments",
    "calendar.month",
    null,
    "No limit on the number of payments each month",
    "Kein Limit für die Zahl der Zahlungen pro Monat",
  ],
  ["amount", "approval", null, "No payment needs your approval", "Keine Zahlung braucht Ihre Freigabe"],
] as const satisfies ["amount" | "payments", LimitScope, number | null, string, string][];

describe("a limit is a sentence (docs/spec/portal.md, Consent)", () => {
  it.each(rows)("%s %s %s: %s", (unit, scope, cap, english, german) => {
    const texts = (["en-GB", "de-DE"] as const).map((locale) => {
      const sentence = limitSentence(
        cap,
        { unit, scope },
        { currency: "EUR", locale, t: translator(locale, "consent-form") },
      );
      return plainSentence(sentence).replaceAll("\u00a0", " ");
    });
    expect(texts).toEqual([english, german]);
  });

  it("separates the emphasized value from the text around it", () => {
    const texts = { currency: "EUR", locale: "en-GB", t: translator("en-GB", "consent-form") };
    expect(limitSentence(5000, { unit: "amount", scope: "payment" }, texts)).toEqual({
      before: "At most ",
      value: "€50.00",
      after: " each payment",
    });
  });
});
