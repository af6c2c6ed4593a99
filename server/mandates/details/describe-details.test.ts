import { expect, test } from "vitest";
import { describeDetails } from "./describe-details.ts";

const endOf = (validUntil: string, timeZone: string, locale = "en-GB"): string | undefined =>
  describeDetails(
    {
      details: { type: "payment_mandate_v1", actions: ["charge"], currency: "EUR", valid_until: validUntil },
      payees: [],
      consentedAt: new Date("2026-11-21T12:00:00Z"),
    },
    { locale, timeZone },
  ).at(-1);

test("an e-mail states a mandate's end in the payer's time zone, and names the time zone (docs/spec/portal.md, Notifications)", () => {
  expect(endOf("2027-01-01T00:00:00Z", "America/New_York")).toBe("Until 31 December 2026 at 19:00 GMT-5");
  expect(endOf("2027-01-01T05:00:00Z", "America/New_York")).toBe("Until 31 December 2026, New York time");
  expect(endOf("2026-12-31T18:30:00Z", "Asia/Kolkata", "de-DE")).toBe("Bis 31. Dezember 2026, Ortszeit Kolkata");
});
