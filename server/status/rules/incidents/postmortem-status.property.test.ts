import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isReminderDue,
  isWorkingDay,
  postmortemDueOn,
  postmortemStatusOf,
  utcMidnightOf,
} from "./postmortem-status.ts";

const day = 24 * 3600 * 1000;
const instant = fc.date({ min: new Date("2020-01-01"), max: new Date("2040-01-01"), noInvalidDate: true });
const at = (text: string) => new Date(text);
const critical = (resolvedAt: Date, publishedAt: Date | null = null) => ({
  impact: "critical" as const,
  state: "resolved" as const,
  resolvedAt,
  postmortem: publishedAt && { publishedAt },
});

describe("a critical incident's postmortem is due within 5 working days of its resolution (docs/spec/status.md, Postmortems)", () => {
  it.each([
    ["a Monday morning", "2026-11-16T00:00:00Z", "2026-11-23"],
    ["a Friday's last moment", "2026-11-20T23:59:59.999Z", "2026-11-27"],
    ["a Saturday", "2026-11-21T12:00:00Z", "2026-11-27"],
    ["a Sunday", "2026-11-22T12:00:00Z", "2026-11-27"],
    ["a Wednesday", "2026-11-18T12:00:00Z", "2026-11-25"],
  ])("%s: resolved at %s, due on %s", (_, resolvedAt, dueOn) => {
    expect(postmortemDueOn(at(resolvedAt)).toISOString().slice(0, 10)).toBe(dueOn);
  });

  it("the due day is exactly five working days after the day of the resolution", () => {
    fc.assert(
      fc.property(instant, (resolvedAt) => {
        const dueOn = postmortemDueOn(resolvedAt);
        expect(utcMidnightOf(dueOn)).toEqual(dueOn);
        expect(isWorkingDay(dueOn)).toBe(true);
        const first = utcMidnightOf(resolvedAt).getTime() + day;
        const days = Array.from({ length: (dueOn.getTime() - first) / day + 1 }, (_, index) => first + index * day);
        expect(days.filter((start) => isWorkingDay(new Date(start)))).toHaveLength(5);
      }),
    );
  });

  it("a later resolution never gives the postmortem an earlier due date", () => {
    fc.assert(
      fc.property(instant, instant, (one, other) => {
        const [first, second] = one <= other ? [one, other] : [other, one];
        expect(postmortemDueOn(first) <= postmortemDueOn(second)).toBe(true);
      }),
    );
  });

  it("is due until the end of the due day, then overdue until it is published", () => {
    fc.assert(
      fc.property(instant, fc.nat(30 * day), (resolvedAt, later) => {
        const now = new Date(resolvedAt.getTime() + later);
        const end = postmortemDueOn(resolvedAt).getTime() + day;
        expect(postmortemStatusOf(critical(resolvedAt), now).kind).toBe(now.getTime() < end ? "due" : "overdue");
        expect(postmortemStatusOf(critical(resolvedAt, now), now)).toEqual({ kind: "published", at: now });
      }),
    );
  });

  it.each([
    ["a major incident", { ...critical(at("2026-11-16T00:00:00Z")), impact: "major" as const }],
    [
      "an incident that isn't resolved",
      { ...critical(at("2026-11-16T00:00:00Z")), state: "monitoring" as const, resolvedAt: null },
    ],
  ])("isn't required for %s", (_, incident) => {
    expect(postmortemStatusOf(incident, at("2027-01-01T00:00:00Z"))).toEqual({ kind: "not_required" });
  });
});

describe("reminders of a postmortem (docs/spec/status.md, Postmortems)", () => {
  it("are sent once per working day after the resolution, until the postmortem is published", () => {
    fc.assert(
      fc.property(
        instant,
        fc.nat(60 * day),
        fc.option(fc.nat(60 * day)),
        fc.boolean(),
        (resolvedAt, later, reminded, isOut) => {
          const now = new Date(resolvedAt.getTime() + later);
          const remindedOn = reminded === null ? null : utcMidnightOf(new Date(resolvedAt.getTime() + reminded));
          const standing = postmortemStatusOf(critical(resolvedAt, isOut ? now : null), now);
          const wasToday = remindedOn !== null && remindedOn >= utcMidnightOf(now);
          expect(isReminderDue(standing, { resolvedAt, remindedOn }, now)).toBe(
            !isOut && isWorkingDay(now) && utcMidnightOf(now) > utcMidnightOf(resolvedAt) && !wasToday,
          );
        },
      ),
    );
  });
});
