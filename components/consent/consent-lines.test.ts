import { describe, expect, it } from "vitest";
import type { PaymentMandateDetails } from "#server/mandates/details/payment-mandate.wire.ts";
import { factsOf, plainWords } from "./consent-facts.ts";
import { type AskedMandate, amountLines, beginsAt, endBefore, endsAt, endWords } from "./consent-lines.ts";

const now = new Date("2026-11-21T12:00:00Z");
const reader = { locale: "en-GB", timeZone: "Europe/Berlin" };
const details: PaymentMandateDetails = {
  type: "payment_mandate_v1",
  actions: ["verify", "charge"],
  currency: "EUR",
  max_amount_per_payment: 6000,
};
const shown = { clientName: "Grocer Bot", now, reader };
const said = (more: Partial<PaymentMandateDetails>, payees: AskedMandate["payees"] = []) =>
  factsOf({ details: { ...details, ...more }, payees, current: null }, shown).map(({ text }) => plainWords(text));

describe("what the consent page says of a mandate (docs/spec/portal.md, Consent)", () => {
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

  it("counts that year by the mandate's own clock, as the mandate will, over a change of the clocks too", () => {
    const berlin = { ...details, time_zone: "Europe/Berlin" };
    const beforeSummer = new Date("2026-03-28T22:30:00Z");
    expect(endsAt(berlin, beforeSummer)).toEqual(new Date("2027-03-28T21:30:00Z"));
    expect(endWords(berlin, beforeSummer, reader).text).toBe("28\u00a0March\u00a02027");
    // In Auckland it is 29 February already.
    const leapDay = { time_zone: "Pacific/Auckland" };
    expect(endsAt(leapDay, new Date("2028-02-28T12:00:00Z"))).toEqual(new Date("2029-02-27T12:00:00Z"));
  });

  it("names an end at midnight by the day that is still inside", () => {
    const berlin = { ...details, time_zone: "Europe/Berlin", valid_until: "2027-02-20T23:00:00Z" };
    expect(endWords(berlin, now, reader)).toEqual({
      text: "20\u00a0February\u00a02027",
      note: "until the end of that day, Berlin time",
    });
    expect(endWords(details, now, reader).note).toBe("one year from its start");
  });

  it("offers to set the amount caps that were left open, and names each form field by its place", () => {
    const lines = amountLines(
      {
        current: null,
        details: {
          ...details,
          periodic_limits: [
            { period: "day", alignment: "calendar", max_payments: 1 },
            { period: "week", alignment: "calendar", max_amount: 100 },
          ],
        },
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

  it("says in plain words that no payees means any registered merchant (docs/spec/payments.md, Mandate fields)", () => {
    expect(said({})).toContain("At any merchant registered with Paygrant");
  });

  it("calls a payee named by id a standing permission (docs/spec/payments.md, Who may use a mandate)", () => {
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
    [{ valid_from: "2026-12-24T10:00:00Z" }, "Begins on 24\u00a0Dec\u00a02026,\u00a011:00"],
  ] satisfies [Partial<PaymentMandateDetails>, string][])("says of %j: %s", (more, sentence) => {
    expect(said(more)).toContain(sentence);
  });
});

describe("what it says where a mandate is to be changed", () => {
  const before = {
    ...details,
    valid_from: "2026-11-02T08:00:00.000Z",
    valid_until: "2027-11-02T08:00:00.000Z",
    step_up_above: 4000,
    periodic_limits: [{ period: "month" as const, alignment: "consent" as const, max_amount: 20_000, max_payments: 4 }],
  };
  const change = (more: Partial<PaymentMandateDetails>, isPaused = false): AskedMandate => ({
    mandateId: "mdt_1",
    details: { ...before, ...more },
    payees: [],
    current: { mandateId: "mdt_1", details: before, payees: [], isPaused },
  });
  const facts = (mandate: AskedMandate) =>
    factsOf(mandate, shown).map(({ text, before: was }) => [plainWords(text), was ? plainWords(was) : was]);

  it("puts each limit beside the one that stands now, a limit that goes and one that comes included", () => {
    const lines = amountLines(
      change({
        max_amount_per_payment: 9000,
        max_total_amount: 50_000,
        periodic_limits: [{ period: "week", alignment: "calendar", max_amount: 100 }],
      }),
      0,
      now,
    );
    expect(lines.map(({ field, capMinor, beforeMinor }) => [field, beforeMinor, capMinor])).toEqual([
      ["m0_max_amount_per_payment", 6000, 9000],
      ["m0_p0_max_amount", null, 100],
      [null, 20_000, null],
      ["m0_max_total_amount", null, 50_000],
    ]);
  });

  it("says when consent periods reset by the day that the mandate began on", () => {
    expect(amountLines(change({}), 0, now)[1]?.note).toContain("on the 2nd of each month");
  });

  it("says of each fact what is so now, what is new and what falls away", () => {
    const told = facts(
      change({ payer_presence: ["off_session"], step_up_above: undefined, max_payments: 3, periodic_limits: [] }),
    );
    expect(told).toContainEqual([
      "Grocer Bot may charge while you are away, without asking you each time",
      "Grocer Bot may charge only while you are using it",
    ]);
    expect(told).toContainEqual(["At most 3 payments in total", null]);
    expect(told).toContainEqual(["No longer: Above €40.00 you approve the single payment", undefined]);
    expect(told).toContainEqual(["No longer: Each month, at most 4 payments", undefined]);
    expect(told).toContainEqual(["At any merchant registered with Paygrant", undefined]);
  });

  it("tells the end that stands now as finely as the one beside it", () => {
    expect(endBefore(change({ valid_until: "2027-12-31T10:00:00Z" }), now, reader)).toBe(
      "2\u00a0Nov\u00a02027,\u00a008:00",
    );
    expect(endBefore(change({ valid_until: undefined }), now, reader)).toBe("2\u00a0November\u00a02027");
    expect(endBefore({ ...change({}), current: null }, now, reader)).toBeNull();
  });

  it("says that a paused mandate stays paused", () => {
    expect(facts(change({}, true)).map(([text]) => text)).toContain("It is paused, and stays so until you resume it");
  });
});
