import { expect, test } from "vitest";
import { addSeconds } from "../../kernel/time/clock.ts";
import { endsVerification, nextCheckAt } from "./domain-checks.ts";

const at = new Date("2026-11-21T10:00:00Z");
const hour = 3600;

test.each([
  [0, 24 * hour],
  [0.5, 24 * hour + hour / 2],
  [0.999999, 25 * hour - 1],
])("the next check is due after 24 to 25 hours (%d)", (chance, seconds) => {
  expect(nextCheckAt(at, chance)).toEqual(addSeconds(at, seconds));
});

test.each([
  [1, 100, false],
  [2, 100, false],
  [3, 72, true],
  [3, 71.9, false],
  [4, 72, true],
])("after %d failures and %d hours without proof, the domain becomes unverified: %s", (failures, hours, ends) => {
  expect(endsVerification(failures, { provedAt: at, at: addSeconds(at, hours * hour) })).toBe(ends);
});
