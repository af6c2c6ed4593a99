import { expect, test } from "vitest";
import { consentTexts, renderConsentText } from "./consent-text.ts";

test("the text of the consent page includes every limit, the end, the payees and what happens after a stop", () => {
  const text = renderConsentText(
    {
      handle: "h",
      payer: { name: "Jane Doe", email: "jane@example.com" },
      client: { name: "Grocer Bot", appName: "Grocer Bot", isVerified: false, domain: "grocerbot.example" },
      redirectHost: "grocerbot.example",
      mandates: [
        {
          mandateId: "mdt_1",
          details: {
            type: "payment_mandate_v1",
            actions: ["charge"],
            currency: "EUR",
            max_amount_per_payment: 6000,
            periodic_limits: [{ period: "month", alignment: "calendar", max_amount: 24_000, max_payments: 1 }],
            max_payments: 12,
            payees: [{ id: "mch_1" }],
            step_up_above: 4000,
            purpose: "Weekly groceries",
          },
          payees: [{ id: "mch_1", name: "Fresh Market" }],
          resets: [new Date("2026-11-30T23:00:00Z")],
          current: null,
        },
      ],
      rights: ["see_status", "end_permission"],
      replaces: null,
    },
    { reader: { locale: "en-GB", timeZone: "Europe/Berlin" }, now: new Date("2026-11-21T12:00:00Z") },
  );
  for (const words of [
    "Grocer Bot, grocerbot.example, not verified\nPaygrant hasn’t verified who this is",
    "On behalf of Jane Doe (jane@example.com)",
    "\nAt most €60.00 each payment\n",
    "\nAt most €240.00 each month, resets on 1\u00a0December, 00:00 (Europe/Berlin)\n",
    "\nAt most 1 payment each month, resets on 1\u00a0December, 00:00 (Europe/Berlin)\n",
    "\nNo limit in total\n",
    "\nAt most 12 payments in total\n",
    "\nYou approve each payment above €40.00\n",
    "\nEnds on 21\u00a0November\u00a02027 (one year from its start, Berlin time)\n",
    "“Weekly groceries”",
    "Only at Fresh Market",
    "already authorized",
    "doesn’t end a contract with the merchant",
    "Grocer Bot may also see the status of this permission and end this permission",
    "return to grocerbot.example",
  ]) {
    expect(text).toContain(words);
  }
});

test("the introduction says whether any of the mandates can be charged", () => {
  const introOf = (...actions: ("charge" | "verify")[][]) =>
    consentTexts("en-GB").intro({
      replaces: null,
      mandates: actions.map((list, index) => ({
        mandateId: `mdt_${index}`,
        details: { type: "payment_mandate_v1", actions: list, currency: "EUR", max_total_amount: 5000 },
        payees: [],
        resets: [],
        current: null,
      })),
    });
  expect(introOf(["verify"])).toMatch(/^Merchants can check payments against these limits, but can’t charge you/);
  expect(introOf(["verify"], ["charge", "verify"])).toMatch(/^The app can spend your money/);
});

test("the text of a change includes the current and the new terms, and the mandates that end", () => {
  const terms = (more: object) => ({
    mandateId: "mdt_1",
    details: {
      type: "payment_mandate_v1" as const,
      actions: ["charge" as const],
      currency: "EUR",
      max_amount_per_payment: 6000,
      valid_until: "2027-06-30T22:00:00Z",
      ...more,
    },
    payees: [],
  });
  const text = renderConsentText(
    {
      handle: "h",
      payer: { name: "Jane Doe", email: "jane@example.com" },
      client: { name: "Grocer Bot", appName: "Grocer Bot", isVerified: false, domain: null },
      redirectHost: "127.0.0.1",
      mandates: [
        { ...terms({ max_amount_per_payment: 9000 }), resets: [], current: { ...terms({}), isPaused: false } },
      ],
      rights: [],
      replaces: {
        ends: [terms({ purpose: "Flowers", max_total_amount: 2500 })],
        paymentMethodId: "pm_1",
        budgetVisible: false,
      },
    },
    { reader: { locale: "en-GB", timeZone: "UTC" }, now: new Date("2026-11-21T12:00:00Z") },
  );
  for (const words of [
    "Change what Grocer Bot may spend?",
    "On behalf of Jane Doe (jane@example.com)",
    "Amounts that are already spent still count",
    "At most €90.00 each payment. Now: At most €60.00 each payment\n",
    "No limit in total (unchanged)\n",
    "If you approve, this mandate ends: “Flowers”, up to €25.00 in total.",
    "If you decline, nothing changes",
  ]) {
    expect(text).toContain(words);
  }
});

test("the text of a verified client has the name of the directory entry, the verified domain and the app's name", () => {
  const text = renderConsentText(
    {
      handle: "h",
      payer: { name: "Jane Doe", email: "jane@example.com" },
      client: { name: "Fresh Market", appName: "Grocer Bot", isVerified: true, domain: "fresh-market.example" },
      redirectHost: "app.fresh-market.example",
      mandates: [],
      rights: [],
      replaces: null,
    },
    { reader: { locale: "en-GB", timeZone: "UTC" }, now: new Date("2026-11-21T12:00:00Z") },
  );
  expect(text).toContain(
    "Fresh Market, fresh-market.example, verified\nApp: Grocer Bot\nLet Fresh Market pay for you?\n",
  );
  expect(text).not.toContain("hasn’t verified");
});
