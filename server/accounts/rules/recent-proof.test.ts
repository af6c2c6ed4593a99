import { expect, test } from "vitest";
import { isRecentProof } from "./recent-proof.ts";

const now = new Date("2026-11-21T12:00:00Z");
const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);

test("a proof allows risky actions for 5 minutes, inclusive (docs/spec/portal.md, Recent authentication)", () => {
  expect(isRecentProof(now, now)).toBe(true);
  expect(isRecentProof(before(300_000), now)).toBe(true);
  expect(isRecentProof(before(300_001), now)).toBe(false);
});
