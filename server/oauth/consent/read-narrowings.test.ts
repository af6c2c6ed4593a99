import { expect, test } from "vitest";
import { readNarrowings } from "./read-narrowings.ts";

const details = [{ type: "payment_mandate_v1" as const, actions: ["charge" as const], currency: "EUR" }];
const endOf = (text: string, timeZone: string) =>
  readNarrowings(details, { form: { m0_valid_until: text }, locale: "en-GB", timeZone })[0]?.valid_until;

test.each([
  ["2027-02-20", "UTC", "2027-02-20T00:00:00.000Z"],
  ["2027-02-20", "Europe/Berlin", "2027-02-19T23:00:00.000Z"],
  ["2027-07-01", "America/New_York", "2027-07-01T04:00:00.000Z"],
  ["2027-02-20", "Pacific/Auckland", "2027-02-19T11:00:00.000Z"],
])("a new end on %s begins with that day in the payer's time zone, %s", (day, timeZone, instant) =>
  expect(endOf(day, timeZone)).toBe(instant),
);

test("a day that doesn't exist is refused at its field", () =>
  expect(() => endOf("2027-02-30", "Europe/Berlin")).toThrow(
    expect.objectContaining({ errors: [{ pointer: "/mandates/0/valid_until", detail: "must be a date" }] }),
  ));
