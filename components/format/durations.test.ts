import { expect, test } from "vitest";
import { formatDuration } from "./durations.ts";

test.each([
  [59_999, "less than a minute"],
  [-5, "less than a minute"],
  [60_000, "1 minute"],
  [38 * 60_000, "38 minutes"],
  [3_600_000, "1 hour"],
  [125 * 60_000, "2 hours 5 minutes"],
  [47 * 3_600_000, "47 hours"],
  [50 * 3_600_000, "2 days"],
])("%i ms is %s", (milliseconds, text) => expect(formatDuration(milliseconds)).toBe(text));
