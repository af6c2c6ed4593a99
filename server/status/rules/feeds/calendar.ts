import type { Maintenance } from "../board.ts";
import { componentName } from "../components.ts";

export const calendarType = "text/calendar; charset=utf-8";

/** Calendars fetch the whole file repeatedly. */
const maxEvents = 200;
const maxLineBytes = 75;

/** A text value (RFC 5545 §3.3.11). */
const escapeText = (text: string): string =>
  text
    .replace(/[\\;,]/g, (character) => `\\${character}`)
    .replace(/\r\n|\r|\n/g, "\\n")
    // RFC 5545 §3.1 allows no control character except the tab.
    .replace(/(?!\t)\p{Cc}/gu, "");

/** RFC 5545 §3.1: a line has at most 75 octets. A continuation begins with a space, and no character is split. */
const fold = (line: string): string => {
  const lines: string[] = [];
  let current = "";
  for (const character of line) {
    if (Buffer.byteLength(current + character) > maxLineBytes) {
      lines.push(current);
      current = " ";
    }
    current += character;
  }
  return [...lines, current].join("\r\n");
};

/** In UTC (RFC 5545 §3.3.5): `20261129T030000Z` */
const dateTime = (at: Date): string => at.toISOString().replace(/[-:]|\.\d+/g, "");

const eventOf = (maintenance: Maintenance, statusUrl: string): string[] => {
  const { id, title, state, components, announcedAt, scheduledFrom, scheduledTo, updates } = maintenance;
  const isCanceled = state === "cancelled";
  const from = isCanceled ? scheduledFrom : (maintenance.startedAt ?? scheduledFrom);
  const to = isCanceled ? scheduledTo : (maintenance.endedAt ?? scheduledTo);
  const changedAt = new Date(Math.max(announcedAt.getTime(), ...updates.map(({ at }) => at.getTime())));
  const text = [...updates].sort((left, right) => right.sequence - left.sequence)[0]?.text;
  const affected = `Components: ${components.map(componentName).join(", ")}`;
  return [
    "BEGIN:VEVENT",
    `UID:${id}@${new URL(statusUrl).hostname}`,
    `DTSTAMP:${dateTime(changedAt)}`,
    `CREATED:${dateTime(announcedAt)}`,
    `LAST-MODIFIED:${dateTime(changedAt)}`,
    `SEQUENCE:${Math.max(0, updates.length - 1)}`,
    `DTSTART:${dateTime(from)}`,
    // The end must be later than the start (RFC 5545 §3.6.1).
    `DTEND:${dateTime(new Date(Math.max(to.getTime(), from.getTime() + 1000)))}`,
    `SUMMARY:${escapeText(title)}`,
    `DESCRIPTION:${escapeText(text === undefined ? affected : `${text}\n\n${affected}`)}`,
    `URL:${statusUrl}/status/maintenance/${encodeURIComponent(id)}`,
    `STATUS:${isCanceled ? "CANCELLED" : "CONFIRMED"}`,
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
  ];
};

/** The newest maintenance windows as iCalendar (RFC 5545), with the properties of RFC 7986. */
export const renderCalendar = (maintenances: readonly Maintenance[], statusUrl: string): string =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Paygrant//Status//EN",
    "CALSCALE:GREGORIAN",
    "NAME:Paygrant maintenance",
    "X-WR-CALNAME:Paygrant maintenance",
    `SOURCE;VALUE=URI:${statusUrl}/status/maintenance.ics`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    ...[...maintenances]
      .sort((left, right) => right.scheduledFrom.getTime() - left.scheduledFrom.getTime())
      .slice(0, maxEvents)
      .flatMap((maintenance) => eventOf(maintenance, statusUrl)),
    "END:VCALENDAR",
    "",
  ]
    .map(fold)
    .join("\r\n");
