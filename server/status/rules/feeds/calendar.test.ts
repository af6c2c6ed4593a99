import fc from "fast-check";
import { expect, it } from "vitest";
import { unicode } from "../../../kernel/text/text.fixture.ts";
import { maintenanceOf } from "../board.fixture.ts";
import type { Maintenance } from "../board.ts";
import { renderCalendar } from "./calendar.ts";

const statusUrl = "https://status.paygrant.example";

/** The properties of each event, unfolded and with their texts unescaped (RFC 5545 §3.1 and §3.3.11). */
const eventsOf = (calendar: string): Record<string, string>[] =>
  calendar
    .replaceAll("\r\n ", "")
    .split("BEGIN:VEVENT\r\n")
    .slice(1)
    .map((event) =>
      Object.fromEntries(
        event
          .slice(0, event.indexOf("END:VEVENT"))
          .trimEnd()
          .split("\r\n")
          .map((line) => {
            const colon = line.indexOf(":");
            const value = line.slice(colon + 1).replace(/\\([\\;,nN])/g, (_, one) => (/n/i.test(one) ? "\n" : one));
            return [line.slice(0, colon), value];
          }),
      ),
    );

const eventOf = (changes: Partial<Maintenance> = {}) =>
  eventsOf(renderCalendar([maintenanceOf(changes)], statusUrl))[0];

it("lists a maintenance window with its times in UTC", () => {
  expect(eventOf()).toEqual({
    UID: "mnt_1@status.paygrant.example",
    DTSTAMP: "20261121T090000Z",
    CREATED: "20261121T090000Z",
    "LAST-MODIFIED": "20261121T090000Z",
    SEQUENCE: "0",
    DTSTART: "20261122T030000Z",
    DTEND: "20261122T033000Z",
    SUMMARY: "Weekly reset of the sandbox",
    DESCRIPTION: "All data is replaced.\n\nComponents: Sandbox authorization server",
    URL: "https://status.paygrant.example/status/maintenance/mnt_1",
    STATUS: "CONFIRMED",
    TRANSP: "TRANSPARENT",
  });
});

it("uses the real times once maintenance has started, and the scheduled times if it was canceled", () => {
  const startedAt = new Date("2026-11-22T03:05:00Z");
  expect(eventOf({ state: "completed", startedAt, endedAt: new Date("2026-11-22T03:11:00Z") })).toMatchObject({
    DTSTART: "20261122T030500Z",
    DTEND: "20261122T031100Z",
  });
  expect(eventOf({ state: "completed", startedAt, endedAt: startedAt })).toMatchObject({ DTEND: "20261122T030501Z" });
  expect(eventOf({ state: "cancelled", endedAt: new Date("2026-11-21T09:30:00Z") })).toMatchObject({
    DTSTART: "20261122T030000Z",
    DTEND: "20261122T033000Z",
    STATUS: "CANCELLED",
  });
});

it("keeps every line within 75 bytes and every text inside its property", () => {
  fc.assert(
    fc.property(unicode, (title) => {
      const calendar = renderCalendar([maintenanceOf({ title })], statusUrl);
      for (const line of calendar.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      const [event, ...others] = eventsOf(calendar);
      expect([others, Object.keys(event ?? {})]).toEqual([[], Object.keys(eventOf() ?? {})]);
      const printable = title.replace(/\r\n|\r/g, "\n").replace(/(?![\t\n])\p{Cc}/gu, "");
      expect(event?.["SUMMARY"]).toBe(printable);
    }),
  );
});

it("has no method, because a method must also be in the media type (RFC 5545 §3.7.2)", () => {
  expect(renderCalendar([maintenanceOf({})], statusUrl)).not.toContain("METHOD");
});
