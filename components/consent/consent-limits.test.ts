import { describe, expect, it } from "vitest";
import type { PaymentMandateDetails } from "#server/mandates/details/payment-mandate.wire.ts";
import {
  describeCurrentEnd,
  describeEndRange,
  describeMandateEnd,
  findEndDays,
  mandateStart,
  requestedEnd,
} from "./consent-end.ts";
import { listFacts, plainText } from "./consent-facts.ts";
import { listLimits } from "./consent-limits.ts";
import type { RequestedMandate } from "./consent-request.ts";

const now = new Date("2026-11-21T12:00:00Z");
const reader = { locale: "en-GB", timeZone: "Europe/Berlin" };
const details: PaymentMandateDetails = {
  type: "payment_mandate_v1",
  actions: ["verify", "charge"],
  currency: "EUR",
  max_amount_per_payment: 6000,
};
const context = { now, reader };
const textsOf = (more: Partial<PaymentMandateDetails>, payees: RequestedMandate["payees"] = []) =>
  listFacts({ details: { ...details, ...more }, payees, current: null }, context).map(({ text }) => plainText(text));

describe("a requested mandate on the consent page (docs/spec/portal.md, Consent)", () => {
  it("starts now, or at the later start in the request", () => {
    expect(mandateStart({}, now)).toEqual(now);
    expect(mandateStart({ valid_from: "2020-01-01T00:00:00Z" }, now)).toEqual(now);
    expect(mandateStart({ valid_from: "2026-12-24T10:00:00Z" }, now)).toEqual(new Date("2026-12-24T10:00:00Z"));
  });

  it("ends one calendar year later if the request sets no end", () => {
    expect(requestedEnd({}, now)).toEqual(new Date("2027-11-21T12:00:00Z"));
    expect(requestedEnd({ valid_from: "2028-02-29T08:00:00Z" }, now)).toEqual(new Date("2029-02-28T08:00:00Z"));
    expect(now).toEqual(new Date("2026-11-21T12:00:00Z"));
  });

  it("counts the default year in the mandate's time zone, even across a change to summer time", () => {
    const berlin = { ...details, time_zone: "Europe/Berlin" };
    const beforeSummer = new Date("2026-03-28T22:30:00Z");
    expect(requestedEnd(berlin, beforeSummer)).toEqual(new Date("2027-03-28T21:30:00Z"));
    expect(describeMandateEnd(berlin, beforeSummer, reader).text).toBe("28\u00a0March\u00a02027");
    // In Auckland it is 29 February already.
    const leapDay = { time_zone: "Pacific/Auckland" };
    expect(requestedEnd(leapDay, new Date("2028-02-28T12:00:00Z"))).toEqual(new Date("2029-02-27T12:00:00Z"));
  });

  it("shows an end at midnight as the last day before it", () => {
    const berlin = { ...details, time_zone: "Europe/Berlin", valid_until: "2027-02-20T23:00:00Z" };
    expect(describeMandateEnd(berlin, now, reader)).toEqual({
      text: "20\u00a0February\u00a02027",
      note: "until the end of that day, Berlin time",
    });
    expect(describeMandateEnd(details, now, reader).note).toBe("one year from its start, Berlin time");
    // In UTC it is 1 January already.
    const newYork = { ...reader, timeZone: "America/New_York" };
    expect(describeMandateEnd({ ...details, valid_from: "2027-01-01T02:00:00Z" }, now, newYork)).toEqual({
      text: "31\u00a0December\u00a02027",
      note: "one year from its start, New York time",
    });
  });

  it("offers days in the payer's time zone as an earlier end", () => {
    const evening = new Date("2026-11-21T23:30:00Z");
    const days = findEndDays({ valid_until: "2026-12-31T23:00:00Z" }, evening, reader);
    expect(days).toEqual({ first: "2026-11-23", last: "2027-01-01" });
    expect(describeEndRange(days, reader)).toBe(
      "Choose a day from 23\u00a0November\u00a02026 to 1\u00a0January\u00a02027.",
    );
    expect(findEndDays({ valid_until: "2026-12-31T23:00:00Z" }, evening, { ...reader, timeZone: "UTC" })).toEqual({
      first: "2026-11-22",
      last: "2026-12-31",
    });
  });

  it("offers an amount limit per payment and in total, and names form fields by position", () => {
    const limits = listLimits(
      {
        current: null,
        resets: [null, new Date("2026-11-29T23:00:00Z")],
        details: {
          ...details,
          periodic_limits: [
            { period: "day", alignment: "calendar", max_payments: 1 },
            { period: "week", alignment: "calendar", max_amount: 100, max_payments: 2 },
          ],
          max_payments: 12,
          step_up_above: 4000,
        },
      },
      2,
      context,
    );
    const weekly = limits.filter(({ scope }) => scope === "calendar.week");
    expect(weekly.map(({ note }) => note.replaceAll("\u00a0", " "))).toEqual(
      Array(2).fill("resets on 30 November, 00:00 (Europe/Berlin)"),
    );
    expect(limits.map(({ field, unit, cap }) => [field, unit, cap])).toEqual([
      ["m2_max_amount_per_payment", "amount", 6000],
      ["m2_p0_max_payments", "payments", 1],
      ["m2_p1_max_amount", "amount", 100],
      ["m2_p1_max_payments", "payments", 2],
      ["m2_max_total_amount", "amount", null],
      ["m2_max_payments", "payments", 12],
      ["m2_step_up_above", "amount", 4000],
    ]);
  });

  it("says that no payees means any registered merchant (docs/spec/payments.md, Mandate fields)", () => {
    expect(textsOf({})).toContain("At any merchant registered with Paygrant");
  });

  it("shows a standing permission for a payee that is named by id (docs/spec/payments.md, Who may use a mandate)", () => {
    const shop = { id: "mch_1", name: "Fresh Market" };
    expect(textsOf({}, [shop]).join("\n")).toMatch(
      /Only at Fresh Market\nStanding permission: Fresh Market can charge you within these limits without asking again/,
    );
    expect(textsOf({}, [{ category: "5411" }]).join("\n")).not.toMatch(/standing permission/i);
    expect(textsOf({ actions: ["verify"] }, [shop]).join("\n")).not.toMatch(/standing permission/i);
  });

  it.each([
    [{}, "Payments can happen only when you’re present"],
    [{ payer_presence: ["off_session"] }, "Payments can happen when you’re not present"],
    [{ actions: ["verify"] }, "Merchants can check the mandate, but can’t charge it"],
    [{ refund_policy: "restore" }, "Refunded amounts can be spent again"],
    [{}, "Starts when you approve"],
    [{ valid_from: "2020-01-01T00:00:00Z" }, "Starts when you approve"],
    [{ valid_from: "2026-12-24T10:00:00Z" }, "Starts on 24\u00a0Dec\u00a02026,\u00a011:00\u00a0CET"],
  ] satisfies [Partial<PaymentMandateDetails>, string][])("describes %j as: %s", (more, sentence) => {
    expect(textsOf(more)).toContain(sentence);
  });
});

describe("a request that changes a mandate", () => {
  const before = {
    ...details,
    valid_from: "2026-11-02T08:00:00.000Z",
    valid_until: "2027-11-02T08:00:00.000Z",
    step_up_above: 4000,
    periodic_limits: [{ period: "month" as const, alignment: "consent" as const, max_amount: 20_000, max_payments: 4 }],
  };
  const change = (more: Partial<PaymentMandateDetails>, isPaused = false): RequestedMandate => ({
    mandateId: "mdt_1",
    details: { ...before, ...more },
    payees: [],
    resets: [],
    current: { mandateId: "mdt_1", details: before, payees: [], isPaused },
  });
  const facts = (mandate: RequestedMandate) =>
    listFacts(mandate, context).map(({ text, current: was }) => [plainText(text), was ? plainText(was) : was]);

  it("compares each limit with the current one, even if a limit is added or removed", () => {
    const limits = listLimits(
      change({
        max_amount_per_payment: 9000,
        max_total_amount: 50_000,
        max_payments: 3,
        step_up_above: undefined,
        periodic_limits: [{ period: "week", alignment: "calendar", max_amount: 100 }],
      }),
      0,
      context,
    );
    expect(limits.map(({ field, current: was, cap }) => [field, was, cap])).toEqual([
      ["m0_max_amount_per_payment", 6000, 9000],
      ["m0_p0_max_amount", null, 100],
      [null, 20_000, null],
      [null, 4, null],
      ["m0_max_total_amount", null, 50_000],
      ["m0_max_payments", null, 3],
      ["m0_step_up_above", 4000, null],
    ]);
  });

  it("shows the current version of each term, and which terms are new or removed", () => {
    const compared = facts(change({ payer_presence: ["off_session"], actions: ["verify"] }));
    expect(compared).toContainEqual([
      "Payments can happen when you’re not present",
      "Payments can happen only when you’re present",
    ]);
    expect(compared).toContainEqual(["Merchants can check the mandate, but can’t charge it", null]);
    const removed = facts({ ...change({}), current: { ...change({ actions: ["verify"] }), isPaused: false } });
    expect(removed).toContainEqual(["Removed: Merchants can check the mandate, but can’t charge it", undefined]);
    expect(compared).toContainEqual(["At any merchant registered with Paygrant", undefined]);
  });

  it("shows the current end in the same format as the new one", () => {
    expect(describeCurrentEnd(change({ valid_until: "2027-12-31T10:00:00Z" }), now, reader)).toBe(
      "2\u00a0Nov\u00a02027,\u00a009:00\u00a0CET",
    );
    expect(describeCurrentEnd(change({ valid_until: undefined }), now, reader)).toBe("2\u00a0November\u00a02027");
    expect(describeCurrentEnd({ ...change({}), current: null }, now, reader)).toBeNull();
  });

  it("shows when the mandate started, or when it will start", () => {
    expect(facts(change({}))).toContainEqual(["Started on 2\u00a0Nov\u00a02026,\u00a009:00\u00a0CET", undefined]);
    const later = { valid_from: "2026-12-24T10:00:00Z" };
    const notStarted = { ...change(later), current: { ...change(later), isPaused: false } };
    expect(facts(notStarted)).toContainEqual(["Starts on 24\u00a0Dec\u00a02026,\u00a011:00\u00a0CET", undefined]);
  });

  it("says that a paused mandate stays paused", () => {
    expect(facts(change({}, true)).map(([text]) => text)).toContain(
      "The mandate is paused, and stays paused after you approve",
    );
  });
});
