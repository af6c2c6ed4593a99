import { expect, test } from "vitest";
import { latencySummary } from "./figure-texts.ts";

const reader = { locale: "en-GB", timeZone: "UTC" };

test.each([
  [{ requests: 0, p95: null }, "No requests in the last hour."],
  [{ requests: 9, p95: null }, "Over 10 s for all requests in the last hour, excluding network time."],
])("the summary of durations is a sentence, even without requests", (total, text) => {
  expect(latencySummary(total, "hour", reader)).toBe(text);
});
