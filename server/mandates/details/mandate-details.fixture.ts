import fc from "fast-check";

/** Amounts are small, so that payments often reach a limit. */
const amount = fc.integer({ min: 1, max: 6 });
const count = fc.integer({ min: 1, max: 3 });
const period = fc.constantFrom("day" as const, "week" as const, "month" as const, "quarter" as const, "year" as const);
const alignment = fc.constantFrom("calendar" as const, "consent" as const);

const periodicLimit = fc
  .record({ period, alignment, max_amount: amount, max_payments: count }, { requiredKeys: ["period", "alignment"] })
  .filter((limit) => limit.max_amount !== undefined || limit.max_payments !== undefined);

export const periodicLimits = fc.uniqueArray(periodicLimit, {
  selector: (limit) => `${limit.period}:${limit.alignment}`,
  maxLength: 3,
});

const payee = fc.oneof(
  fc.record({ id: fc.constantFrom("mch_1", "mch_2", "mch_3") }),
  fc.record({ category: fc.constantFrom("5411", "5812", "4111") }),
);

/** Times around which the tests make payments. */
export const instants = ["2026-11-01T00:00:00Z", "2026-12-01T00:00:00+01:00", "2027-03-01T00:00:00.5Z"] as const;
export const ends = ["2027-04-01T00:00:00Z", "2027-06-01T00:00:00-03:00", "2027-10-31T23:59:59Z"] as const;

export const narrowable = {
  actions: fc.subarray(["verify" as const, "charge" as const], { minLength: 1 }),
  max_amount_per_payment: amount,
  max_total_amount: amount,
  max_payments: count,
  periodic_limits: periodicLimits,
  payees: fc.uniqueArray(payee, { selector: (item) => JSON.stringify(item), maxLength: 3 }),
  payer_presence: fc.subarray(["in_session" as const, "off_session" as const]),
  step_up_above: amount,
};

/** payment_mandate_v1 (docs/spec/payments.md, Mandate fields) in every accepted shape. */
export const mandateDetails = fc
  .record(
    {
      type: fc.constant("payment_mandate_v1" as const),
      ...narrowable,
      currency: fc.constantFrom("EUR", "JPY", "KWD"),
      time_zone: fc.constantFrom("UTC", "Europe/Berlin", "America/New_York"),
      valid_from: fc.constantFrom(...instants),
      valid_until: fc.constantFrom(...ends),
      refund_policy: fc.constantFrom("consume" as const, "restore" as const),
      purpose: fc.constantFrom("Weekly groceries", "Lebensmittel für die Woche", "👩‍🌾"),
    },
    { requiredKeys: ["type", "actions", "currency"] },
  )
  .filter(
    (details) =>
      details.max_amount_per_payment !== undefined ||
      details.max_total_amount !== undefined ||
      (details.periodic_limits ?? []).some((limit) => limit.max_amount !== undefined),
  );
