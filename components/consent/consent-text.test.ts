import { expect, test } from "vitest";
import { consentText } from "./consent-text.ts";

test("says every limit, the end, where, when and what follows a stop", () => {
  const text = consentText(
    {
      handle: "h",
      client: { name: "Grocer Bot", isVerified: false, domain: "grocerbot.example" },
      redirectHost: "grocerbot.example",
      mandates: [
        {
          mandateId: "mdt_1",
          details: {
            type: "payment_mandate_v1",
            actions: ["charge"],
            currency: "EUR",
            max_amount_per_payment: 6000,
            periodic_limits: [{ period: "month", alignment: "calendar", max_amount: 24_000 }],
            payees: [{ id: "mch_1" }],
            step_up_above: 4000,
            purpose: "Weekly groceries",
          },
          payees: [{ id: "mch_1", name: "Fresh Market" }],
        },
      ],
    },
    { reader: { locale: "en-GB", timeZone: "UTC" }, now: new Date("2026-11-21T12:00:00Z") },
  );
  for (const words of [
    "not verified",
    "€60.00",
    "€240.00",
    "“Weekly groceries”",
    "Only at Fresh Market",
    "€40.00",
    "21 November 2027",
    "already authorised",
    "return to grocerbot.example",
  ]) {
    expect(text).toContain(words);
  }
});
