import { describe, expect, test } from "vitest";
import { refuseAdvance } from "./advance.ts";

const realNow = new Date("2026-11-21T12:00:00Z");
const businessNow = new Date("2027-03-01T00:00:00Z");
const refusal = (to: string) => refuseAdvance({ to: new Date(to), businessNow, realNow });

describe("how far the sandbox's clock may be put (docs/spec/sandbox.md, Clock)", () => {
  test("not back, and not to where it is", () => {
    expect(refusal("2027-02-28T23:59:59.999Z")).toBe("clock_not_forward");
    expect(refusal("2027-03-01T00:00:00Z")).toBe("clock_not_forward");
    expect(refusal("2027-03-01T00:00:00.001Z")).toBeNull();
  });

  test("ten years ahead of real time at most, however it came there", () => {
    expect(refusal("2036-11-21T12:00:00Z")).toBeNull();
    expect(refusal("2036-11-21T12:00:00.001Z")).toBe("clock_too_far");
  });
});
