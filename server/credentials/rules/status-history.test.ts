import { describe, expect, it } from "vitest";
import { parseTimestamp, problemOfPast } from "./status-history.ts";

describe("timestamp (W3C Bitstring Status List v1.0 §3.2: XML Schema dateTimeStamp)", () => {
  it.each([
    ["2026-11-21T10:00:00Z", "2026-11-21T10:00:00.000Z"],
    ["2026-11-21T10:00:00.1239Z", "2026-11-21T10:00:00.123Z"],
    ["2026-11-21T10:00:00+01:00", "2026-11-21T09:00:00.000Z"],
    ["2026-11-20T23:30:00-05:30", "2026-11-21T05:00:00.000Z"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
  ])("parses %s as %s", (text, instant) => {
    expect(parseTimestamp(text)?.toISOString()).toBe(instant);
  });

  it.each([
    "2026-11-21T10:00:00",
    "2026-11-21",
    "2026-02-30T00:00:00Z",
    "2026-11-21T10:00:00 01:00",
    "2026-11-21T10:60:00Z",
    "1795255200",
    "",
    "now",
  ])("refuses %j", (text) => {
    expect(parseTimestamp(text)).toBeNull();
  });

  it("accepts instants from 90 days ago until now, and no others", () => {
    const now = new Date("2026-11-21T10:00:00.000Z");
    const at = (milliseconds: number) => problemOfPast(new Date(now.getTime() + milliseconds), now);
    const days = 90 * 86_400_000;
    expect([at(0), at(-days), at(1), at(-days - 1)]).toEqual([
      null,
      null,
      "must not be in the future",
      "must be at most 90 days ago",
    ]);
  });
});
