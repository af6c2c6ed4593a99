import { describe, expect, test } from "vitest";
import { paymentMandateSchema } from "./payment-mandate.wire.ts";

const base = { type: "payment_mandate_v1", actions: ["charge"], currency: "EUR", max_total_amount: 10_000 };
const accepts = (fields: object) => paymentMandateSchema.safeParse({ ...base, ...fields }).success;
const monthly = { period: "month", alignment: "calendar", max_amount: 100 };

describe("payment_mandate_v1 (docs/spec/payments.md, Mandate fields)", () => {
  test.each<[string, object]>([
    ["both actions", { actions: ["verify", "charge"] }],
    ["the smallest amount", { max_total_amount: 1 }],
    ["the largest amount", { max_total_amount: 99_999_999_999 }],
    ["only a periodic cap", { max_total_amount: undefined, periodic_limits: [monthly] }],
    ["a period in both alignments", { periodic_limits: [monthly, { ...monthly, alignment: "consent" }] }],
    ["a payee and a category", { payees: [{ id: "mch_1" }, { category: "5411" }] }],
    ["no payees: any registered merchant", { payees: [] }],
    ["an empty payer_presence", { payer_presence: [] }],
    ["a purpose of 140 characters", { purpose: "ü".repeat(140) }],
    ["a purpose with joiners that its language needs", { purpose: "می\u200cخواهم 👨\u200d👩\u200d👧" }],
    ["an offset and a fraction", { valid_until: "2027-02-28T23:59:59.123456+05:45" }],
    ["a zone with an underscore", { time_zone: "America/New_York" }],
    ["an identifier, which names the mandate to replace", { identifier: "mdt_1" }],
  ])("accepts %s", (_, fields) => expect(accepts(fields)).toBe(true));

  test.each<[string, object]>([
    ["an unknown field", { note: "x" }],
    ["an unknown type", { type: "payment_mandate_v2" }],
    ["no action", { actions: [] }],
    ["an unknown action", { actions: ["refund"] }],
    ["a repeated action", { actions: ["charge", "charge"] }],
    ["an unknown currency", { currency: "EUX" }],
    ["the code for tests", { currency: "XTS" }],
    ["a lower-case currency", { currency: "eur" }],
    ["zero", { max_total_amount: 0 }],
    ["a negative amount", { max_total_amount: -1 }],
    ["a fraction", { max_total_amount: 1.5 }],
    ["one above the largest amount", { max_total_amount: 100_000_000_000 }],
    ["an amount as text", { max_total_amount: "100" }],
    ["no amount cap", { max_total_amount: undefined, max_payments: 3 }],
    [
      "a periodic limit on the number of payments as the only cap",
      { max_total_amount: undefined, periodic_limits: [{ ...monthly, max_amount: undefined, max_payments: 1 }] },
    ],
    ["six periodic limits", { periodic_limits: Array.from({ length: 6 }, () => monthly) }],
    ["the same period and alignment twice", { periodic_limits: [monthly, monthly] }],
    ["a periodic limit without a cap", { periodic_limits: [{ period: "day", alignment: "calendar" }] }],
    ["a limit without alignment", { periodic_limits: [{ period: "day", max_amount: 1 }] }],
    ["an unknown period", { periodic_limits: [{ ...monthly, period: "hour" }] }],
    ["an unknown field in a limit", { periodic_limits: [{ ...monthly, roll_over: true }] }],
    ["a payee with id and category", { payees: [{ id: "mch_1", category: "5411" }] }],
    ["an unknown category", { payees: [{ category: "0001" }] }],
    ["a category of five digits", { payees: [{ category: "54111" }] }],
    ["an unknown zone", { time_zone: "Europe/Atlantis" }],
    ["an offset as a zone", { time_zone: "+01:00" }],
    ["a date without a time", { valid_until: "2027-01-01" }],
    ["a time without an offset", { valid_until: "2027-01-01T00:00:00" }],
    ["a valid_from after which the mandate would end in the year 10000", { valid_from: "9999-12-31T23:59:59Z" }],
    ["a valid_from whose offset moves it to the year 10000 in UTC", { valid_from: "9999-12-31T23:59:59-12:00" }],
    ["a valid_from before the year 0 in UTC", { valid_from: "0000-01-01T00:00:00+14:00" }],
    ["30 February", { valid_until: "2027-02-30T00:00:00Z" }],
    ["an unknown presence", { payer_presence: ["asleep"] }],
    ["an unknown refund policy", { refund_policy: "keep" }],
    ["a purpose of 141 characters", { purpose: "x".repeat(141) }],
    ["a purpose that overrides the reading direction", { purpose: "pay \u202e001" }],
    ["a purpose with a joiner that nothing needs", { purpose: "Pay\u200dpal" }],
    ["a purpose of two lines", { purpose: "a\nb" }],
  ])("refuses %s", (_, fields) => expect(accepts(fields)).toBe(false));
});
