import { expect, test } from "vitest";
import type { PaymentMandateDetails } from "./payment-mandate.wire.ts";
import { toTerms } from "./to-terms.ts";

const consentedAt = new Date("2026-11-21T12:00:00Z");
const least: PaymentMandateDetails = { type: "payment_mandate_v1", actions: ["charge"], currency: "EUR" };

test("absent fields have the defaults of the table (docs/spec/payments.md, Mandate fields)", () => {
  expect(toTerms(least, consentedAt)).toEqual({
    actions: ["charge"],
    currency: "EUR",
    timeZone: "UTC",
    payerPresence: ["in_session"],
    refundPolicy: "consume",
    maxAmountPerPayment: null,
    maxTotalAmount: null,
    maxPayments: null,
    stepUpAbove: null,
    periodicLimits: [],
    payeeMerchantIds: [],
    payeeCategories: [],
    validFrom: consentedAt,
    validUntil: new Date("2027-11-21T12:00:00Z"),
  });
});

test("an empty payer_presence is in_session; off_session without in_session stays off_session", () => {
  const presenceOf = (payer_presence: NonNullable<PaymentMandateDetails["payer_presence"]>) =>
    toTerms({ ...least, payer_presence }, consentedAt).payerPresence;
  expect(presenceOf([])).toEqual(["in_session"]);
  expect(presenceOf(["off_session"])).toEqual(["off_session"]);
});
