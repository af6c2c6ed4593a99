import { describe, expect, it } from "vitest";
import type { PaymentMandateDetails } from "#server/mandates/payment-mandate.wire.ts";
import { amountLines, beginsAt, endsAt, endWords, facts } from "./consent-lines.ts";

const now = new Date("2026-11-21T12:00:00Z");
const reader = { locale: "en-GB", timeZone: "Europe/Berlin" };
const details: PaymentMandateDetails = {
  type: "payment_mandate_v1",
  actions: ["verify", "charge"],
  currency: "EUR",
  max_amount_per_payment: 6000,
};
const said = (more: Partial<PaymentMandateDetails>, payees: Parameters<typeof facts>[1] = []) =>
  facts({ ...details, ...more }, payees, "Grocer Bot", now, reader).map(({ text }) =>
    text.map((part) => (typeof part === "string" ? part : part.strong)).join(""),
  );

describe("what the consent page says of a mandate (3-portal, Consent)", () => {
  it("begins now, or later where that was asked for", () => {
    expect(beginsAt({}, now)).toEqual(now);
    expect(beginsAt({ valid_from: "2020-01-01T00:00:00Z" }, now)).toEqual(now);
    expect(beginsAt({ valid_from: "2026-12-24T10:00:00Z" }, now)).toEqual(new Date("2026-12-24T10:00:00Z"));
  });

  it("ends one calendar year later where no end was asked for, and leaves the clock's instant alone", () => {
    expect(endsAt({}, now)).toEqual(new Date("2027-11-21T12:00:00Z"));
    expect(endsAt({ valid_from: "2028-02-29T08:00:00Z" }, now)).toEqual(new Date("2029-02-28T08:00:00Z"));
    expect(now).toEqual(new Date("2026-11-21T12:00:00Z"));
  });

  it("names an end at midnight by the day that is still inside", () => {
    const berlin = { ...details, time_zone: "Europe/Berlin", valid_until: "2027-02-20T23:00:00Z" };
    expect(endWords(berlin, now, reader)).toEqual({
      words: "20 February 2027",
      note: "to the end of that day, Berlin time",
    });
    expect(endWords(details, now, reader).note).toBe("one year from its start");
  });

  it("offers to set the amount caps that were left open, and names each form field by its place", () => {
    const lines = amountLines(
      {
        ...details,
        periodic_limits: [
          { period: "day", alignment: "calendar", max_payments: 1 },
          { period: "week", alignment: "calendar", max_amount: 100 },
        ],
      },
      2,
      now,
    );
    expect(lines.map(({ field, capMinor }) => [field, capMinor])).toEqual([
      ["m2_max_amount_per_payment", 6000],
      ["m2_p1_max_amount", 100],
      ["m2_max_total_amount", null],
    ]);
  });

  it("says in plain words that no payees means any registered merchant (2-payments, payees)", () => {
    expect(said({})).toContain("At any merchant registered with Paygrant");
  });

  it("calls a payee named by id a standing permission (2-payments, Who may use a mandate)", () => {
    const shop = { id: "mch_1", name: "Fresh Market" };
    expect(said({}, [shop]).join("\n")).toMatch(/Only at Fresh Market\n.*standing permission/);
    expect(said({}, [{ category: "5411" }]).join("\n")).not.toMatch(/standing permission/);
  });

  it.each([
    [{}, "Grocer Bot may charge only while you are using it"],
    [{ payer_presence: ["off_session"] }, "Grocer Bot may charge while you are away, without asking you each time"],
    [{ step_up_above: 4000 }, "Above €40.00 you approve the single payment"],
    [{ max_payments: 12 }, "At most 12 payments in total"],
    [{ actions: ["verify"] }, "It may only be checked: no merchant can charge it"],
    [{ refund_policy: "restore" }, "Money that a merchant refunds can be spent again"],
    [{ valid_from: "2026-12-24T10:00:00Z" }, "Begins on 24 Dec 2026, 11:00"],
  ] satisfies [Partial<PaymentMandateDetails>, string][])("says of %j: %s", (more, sentence) => {
    expect(said(more)).toContain(sentence);
  });
});
