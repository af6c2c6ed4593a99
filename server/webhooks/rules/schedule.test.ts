import { expect, test } from "vitest";
import { parseRetryAfter } from "./schedule.ts";

const now = new Date("2026-11-22T10:00:00.500Z");

test.each([
  ["0", 0],
  ["120", 120],
  ["Sun, 22 Nov 2026 10:02:00 GMT", 120],
  ["Sun, 22 Nov 2026 09:00:00 GMT", 0],
  ["Sun, 22 Nov 2026 10:02:00", null],
  ["-1", null],
  ["1.5", null],
  ["soon", null],
  ["", null],
  [undefined, null],
])("Retry-After %j is %j seconds (RFC 9110 §10.2.3)", (value, seconds) => {
  expect(parseRetryAfter(value, now)).toBe(seconds);
});
