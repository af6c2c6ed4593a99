import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import type { WalletLimit, WalletMandate } from "#server/trpc/wallet/views.ts";
import { describeMandateEnd } from "../../consent/consent-end.ts";
import { listLimits } from "../../consent/consent-limits.ts";
import { MerchantMandateFacts } from "../../merchant/mandates/mandate-facts.tsx";
import { OperatorMandateFacts } from "../../operator/mandate-facts.tsx";
import { CardLimits } from "./card-limits.tsx";
import { LimitMeter } from "./limit-meter.tsx";
import { MandateFacts } from "./mandate-facts.tsx";
import { MandateTimeline } from "./mandate-timeline.tsx";

const now = new Date("2026-11-21T12:00:00Z");

// `resetsAt` is the end of November in the time zone of the mandate.
const newYorkAndUtc = {
  payer: "America/New_York",
  timeZone: "UTC",
  resetsAt: "2026-12-01T00:00:00Z",
  validUntil: "2027-01-01T00:00:00Z",
  reset: "resets on 30 November, 19:00 (America/New_York)",
  granted: "20 Nov 2026, 23:30 GMT-5",
  consentEnd: { text: "31 Dec 2026, 19:00 GMT-5", note: "New York time" },
  endDay: "31 Dec 2026, 19:00 GMT-5",
  end: "31 Dec 2026, 19:00 GMT-5",
};
const newYorkAndKolkata = {
  ...newYorkAndUtc,
  timeZone: "Asia/Kolkata",
  resetsAt: "2026-11-30T18:30:00Z",
  validUntil: "2027-01-01T05:00:00Z",
  reset: "resets on 30 November, 13:30 (America/New_York)",
  consentEnd: { text: "31 December 2026", note: "until the end of that day, New York time" },
  endDay: "31 December 2026, New York time",
  end: "the end of 31 December 2026, New York time",
};
const kolkataAndUtc = {
  ...newYorkAndUtc,
  payer: "Asia/Kolkata",
  validUntil: "2026-12-31T18:30:00Z",
  reset: "resets on 1 December, 05:30 (Asia/Kolkata)",
  granted: "21 Nov 2026, 10:00 GMT+5:30",
  consentEnd: { text: "31 December 2026", note: "until the end of that day, Kolkata time" },
  endDay: "31 December 2026, Kolkata time",
  end: "the end of 31 December 2026, Kolkata time",
};

const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, " ");
const textOf = (node: ReactNode): string => plain(renderToStaticMarkup(node).replaceAll(/<[^>]+>/g, " "));

const use = { capMinor: 24_000, usedMinor: 0, heldMinor: 0, leftMinor: 24_000 };
const total: WalletLimit = { key: "total", kind: "total", period: null, alignment: null, ...use, resetsAt: null };

const makeMandate = (terms: { timeZone: string; resetsAt: string; validUntil: string }): WalletMandate => ({
  id: "mdt_1",
  state: "active",
  version: 1,
  client: { id: "cl_1", name: "Grocer Bot", verifiedDomain: null },
  liveOfClient: 1,
  purpose: "Weekly groceries",
  currency: "EUR",
  limits: [
    { key: "month:calendar", kind: "period", period: "month", alignment: "calendar", ...use, resetsAt: terms.resetsAt },
  ],
  payees: [],
  timeZone: terms.timeZone,
  payerPresence: ["in_session"],
  restoresRefunds: false,
  stepUpAboveMinor: null,
  budgetVisible: true,
  validFrom: "2026-11-21T04:30:00Z",
  validUntil: terms.validUntil,
  paymentMethod: null,
  suspendedBy: [],
  createdAt: "2026-11-21T04:30:00Z",
  endedAt: null,
});

describe.each([newYorkAndUtc, newYorkAndKolkata, kolkataAndUtc])(
  "times of a mandate in $timeZone, for a reader in $payer (docs/spec/portal.md, Pages)",
  (row) => {
    const reader = { locale: "en-GB", timeZone: row.payer };
    const mandate = makeMandate(row);
    const [monthly] = mandate.limits;

    test("the consent page shows the reset and the end in the reader's zone", () => {
      const details = {
        type: "payment_mandate_v1" as const,
        actions: ["charge" as const],
        currency: "EUR",
        periodic_limits: [{ period: "month" as const, alignment: "calendar" as const, max_amount: 24_000 }],
        time_zone: row.timeZone,
        valid_until: row.validUntil,
      };
      const limits = listLimits({ details, current: null, resets: [new Date(row.resetsAt)] }, 0, { now, reader });
      expect(limits.map(({ note }) => plain(note))).toContain(row.reset);
      const { text, note } = describeMandateEnd(details, now, reader);
      expect({ text: plain(text), note }).toEqual(row.consentEnd);
    });

    test("the wallet's card shows the same reset and end", () => {
      expect(textOf(createElement(CardLimits, { mandate, now, reader }))).toContain(row.reset);
      const withTotal = { ...mandate, limits: [total] };
      expect(textOf(createElement(CardLimits, { mandate: withTotal, now, reader }))).toContain(`ends ${row.endDay}`);
    });

    test("the page of the mandate shows the same reset and end, and the time zone of the periods once", () => {
      expect(monthly && textOf(createElement(LimitMeter, { limit: monthly, currency: "EUR", now, reader }))).toContain(
        row.reset,
      );
      const payer = { displayName: "Ada", email: "ada@example.com" };
      const facts = (shown: WalletMandate) => textOf(createElement(MandateFacts, { mandate: shown, payer, reader }));
      expect(facts(mandate)).toMatch(new RegExp(`Granted +${row.granted.replace("+", "\\+")} `));
      expect(facts(mandate)).toMatch(new RegExp(`Starts +${row.granted.replace("+", "\\+")} `));
      expect(facts(mandate)).toMatch(new RegExp(`Ends +${row.end} `));
      expect(facts(mandate)).toMatch(new RegExp(`Time zone of the periods +${row.timeZone} `));
      expect(facts({ ...mandate, timeZone: row.payer })).not.toContain("Time zone");
      expect(facts({ ...mandate, limits: [total] })).not.toContain("Time zone");
      expect(facts({ ...mandate, state: "revoked", endedAt: mandate.createdAt })).toMatch(
        new RegExp(`Ended +${row.granted.replace("+", "\\+")} `),
      );
    });

    test("the timeline shows an earlier end in the same way", () => {
      const change = { kind: "end", before: null, after: row.validUntil } as const;
      const act = { actorKind: "payer", action: "mandate.narrowed", merchantName: null, data: {} };
      const entries = [{ ...act, at: mandate.createdAt, changes: [change] }];
      expect(textOf(createElement(MandateTimeline, { mandate, entries, now, reader }))).toContain(`→ ${row.end}`);
    });

    test("a merchant reads the times in the merchant's zone", () => {
      const { id, state, client, currency, limits, timeZone, payerPresence, validFrom, validUntil, endedAt } = mandate;
      const shared = { id, state, client, currency, limits, timeZone, payerPresence, validFrom, validUntil, endedAt };
      const seen = { ...shared, isNamed: true, since: validFrom, actions: ["charge"] };
      const facts = textOf(createElement(MerchantMandateFacts, { mandate: seen, reader }));
      expect(facts).toMatch(new RegExp(`Valid from +${row.granted.replace("+", "\\+")} `));
      expect(facts).toMatch(new RegExp(`Valid until +${row.end} `));
      expect(facts).toMatch(new RegExp(`Time zone of the periods +${row.timeZone} `));
    });

    test("an operator reads the times in the operator's zone", () => {
      const seen = { ...mandate, payer: { id: "acc_1", email: "ada@example.com" }, history: [] };
      const facts = textOf(createElement(OperatorMandateFacts, { mandate: seen, reader }));
      expect(facts).toMatch(new RegExp(`Valid from +${row.granted.replace("+", "\\+")} `));
      expect(facts).toMatch(new RegExp(`Valid until +${row.end} `));
      expect(facts).toMatch(new RegExp(`Time zone of the periods +${row.timeZone} `));
    });
  },
);
