import { describe, expect, test } from "vitest";
import { changedLastingField, replacementDetails } from "./replace.ts";

const current = {
  currency: "EUR",
  time_zone: "Europe/Berlin",
  valid_from: "2026-01-31T10:00:00.000Z",
  valid_until: "2026-12-31T23:00:00.000Z",
};

describe("fields that never change (docs/spec/payments.md, Narrowing and replacing a mandate)", () => {
  test.each<[string, object, string | null]>([
    ["other limits", { max_total_amount: 1 }, null],
    ["another end", { valid_until: "2027-01-01T00:00:00Z" }, null],
    ["no beginning, which keeps the current one", { valid_from: undefined }, null],
    ["the same beginning in another offset", { valid_from: "2026-01-31T11:00:00+01:00" }, null],
    ["the default refund policy, stated explicitly", { refund_policy: "consume" }, null],
    ["another currency", { currency: "USD" }, "currency"],
    ["another time zone, where days and months begin at other instants", { time_zone: "Asia/Tokyo" }, "time_zone"],
    ["no time zone, which means UTC", { time_zone: undefined }, "time_zone"],
    ["another refund policy", { refund_policy: "restore" }, "refund_policy"],
    ["another beginning", { valid_from: "2026-02-01T10:00:00Z" }, "valid_from"],
  ])("%s", (_title, change, field) => {
    expect(changedLastingField(current, { ...current, ...change })).toBe(field);
  });
});

describe("the details of a replacement", () => {
  const at = new Date("2026-06-01T12:00:00Z");
  const requested: { currency: string; time_zone: string; valid_until?: string } = {
    currency: "EUR",
    time_zone: "Europe/Berlin",
  };

  test("keep the start, and end a calendar year after the consent if no end was requested", () => {
    expect(replacementDetails(current, requested, at)).toEqual({
      ...requested,
      valid_from: "2026-01-31T10:00:00.000Z",
      valid_until: "2027-06-01T12:00:00.000Z",
    });
  });
  test("end a calendar year after a start in the future", () => {
    const later = { ...current, valid_from: "2026-07-01T00:00:00.000Z" };
    expect(replacementDetails(later, requested, at).valid_until).toBe("2027-07-01T00:00:00.000Z");
  });
  test("keep the requested end", () => {
    const until = "2026-09-01T00:00:00Z";
    expect(replacementDetails(current, { ...requested, valid_until: until }, at).valid_until).toBe(until);
  });
});
