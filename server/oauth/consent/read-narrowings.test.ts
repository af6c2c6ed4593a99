import { describe, expect, test } from "vitest";
import type { PaymentMandateDetails } from "../../mandates/details/payment-mandate.wire.ts";
import { readNarrowings } from "./read-narrowings.ts";

const details = [{ type: "payment_mandate_v1" as const, actions: ["charge" as const], currency: "EUR" }];
const endOf = (text: string, timeZone: string) =>
  readNarrowings(details, { form: { m0_valid_until: text }, locale: "en-GB", timeZone })[0]?.valid_until;

test.each([
  ["2027-02-20", "UTC", "2027-02-20T00:00:00.000Z"],
  ["2027-02-20", "Europe/Berlin", "2027-02-19T23:00:00.000Z"],
  ["2027-07-01", "America/New_York", "2027-07-01T04:00:00.000Z"],
  ["2027-02-20", "Pacific/Auckland", "2027-02-19T11:00:00.000Z"],
])("the end %s, entered in the time zone %s, is the first instant of that day: %s", (day, timeZone, instant) =>
  expect(endOf(day, timeZone)).toBe(instant),
);

test("a day that doesn't exist is refused at its field", () =>
  expect(() => endOf("2027-02-30", "Europe/Berlin")).toThrow(
    expect.objectContaining({ errors: [{ pointer: "/mandates/0/valid_until", detail: "must be a date" }] }),
  ));

describe("limits on the number of payments, and the amount above which the payer approves", () => {
  const limited = [
    {
      ...details[0],
      max_payments: 12,
      step_up_above: 4_000,
      periodic_limits: [
        { period: "day" as const, alignment: "calendar" as const, max_amount: 9_000, max_payments: 1_500 },
        { period: "month" as const, alignment: "calendar" as const, max_amount: 90_000 },
      ],
    },
  ] as PaymentMandateDetails[];
  const read = (form: Record<string, string>) => readNarrowings(limited, { form, locale: "de-DE", timeZone: "UTC" })[0];

  test("are read in the payer's format; empty fields and fields that the page doesn't have change nothing", () => {
    const form = { m0_max_payments: " 3 ", m0_step_up_above: "12,50", m0_p0_max_payments: "1.200" };
    expect(read({ ...form, m0_p0_max_amount: "", m0_p1_max_payments: "2" })).toEqual({
      max_payments: 3,
      step_up_above: 1_250,
      periodic_limits: [{ period: "day", alignment: "calendar", max_payments: 1_200 }],
    });
    expect(read({ m0_max_payments: " ", m0_step_up_above: "", m0_p0_max_payments: "" })).toEqual({});
  });

  test.each([
    ["m0_max_payments", "1,5", "max_payments"],
    ["m0_max_payments", "0", "max_payments"],
    ["m0_p0_max_payments", "-1", "periodic_limits/0/max_payments"],
    ["m0_p0_max_payments", "three", "periodic_limits/0/max_payments"],
    ["m0_step_up_above", "4O", "step_up_above"],
  ])("%s: %j is refused at its field", (field, text, pointer) =>
    expect(() => read({ [field]: text })).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ pointer: `/mandates/0/${pointer}` })] }),
    ),
  );
});
