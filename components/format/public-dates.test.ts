import { expect, test } from "vitest";
import { formatPublicDateTime, formatPublicRange } from "./public-dates.ts";

const now = new Date("2026-11-21T10:19:00Z");

test("times are shown in UTC, with the date unless it is today", () => {
  expect(formatPublicDateTime(new Date("2026-11-21T09:41:59Z"), now)).toBe("09:41\u00a0UTC");
  expect(formatPublicDateTime(new Date("2026-11-20T23:59:00Z"), now)).toBe(
    "20\u00a0November\u00a02026,\u00a023:59\u00a0UTC",
  );
});

test("the date is shown once if a range starts and ends on the same day", () => {
  const from = new Date("2026-11-22T03:00:00Z");
  expect(formatPublicRange(from, new Date("2026-11-22T03:30:00Z"))).toBe(
    "22\u00a0November\u00a02026, 03:00 to 03:30 UTC",
  );
  expect(formatPublicRange(from, new Date("2026-11-23T00:00:00Z"))).toBe(
    "22\u00a0November\u00a02026, 03:00 to 23\u00a0November\u00a02026, 00:00 UTC",
  );
});
