import { expect, test } from "vitest";
import { findNextResets } from "./next-resets.ts";
import type { PaymentMandateDetails } from "./payment-mandate.wire.ts";

const now = new Date("2026-11-21T12:00:00Z");
const monthly = (alignment: "calendar" | "consent", more: Partial<PaymentMandateDetails> = {}) => ({
  type: "payment_mandate_v1" as const,
  actions: ["charge" as const],
  currency: "EUR",
  time_zone: "Europe/Berlin",
  periodic_limits: [{ period: "month" as const, alignment, max_amount: 100 }],
  ...more,
});

test.each([
  ["a calendar month ends in the mandate's time zone", monthly("calendar"), null, "2026-11-30T23:00:00.000Z"],
  ["a consent month counts from the time of consent", monthly("consent"), null, "2026-12-20T23:00:00.000Z"],
  [
    "a consent month of a running mandate counts from its start",
    monthly("consent"),
    "2026-09-02T08:00:00Z",
    "2026-12-01T23:00:00.000Z",
  ],
  [
    "the first period of a mandate that starts later contains its start",
    monthly("calendar", { valid_from: "2027-01-15T00:00:00Z" }),
    null,
    "2027-01-31T23:00:00.000Z",
  ],
  [
    "a mandate that ends by the end of its first period has no reset",
    monthly("calendar", { valid_until: "2026-11-30T23:00:00Z" }),
    null,
    null,
  ],
])("%s", (_title, details, start, expected) => {
  const [reset] = findNextResets(details, { start: start === null ? null : new Date(start), now });
  expect(reset?.toISOString() ?? null).toBe(expected);
});
