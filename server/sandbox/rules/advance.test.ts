import { describe, expect, test } from "vitest";
import { advanceRefusal } from "./advance.ts";

const realNow = new Date("2026-11-21T12:00:00Z");
const businessNow = new Date("2027-03-01T00:00:00Z");
const refusal = (to: string) => advanceRefusal({ to: new Date(to), businessNow, realNow });

describe("the sandbox's clock (docs/spec/sandbox.md, Clock)", () => {
  test("can't be moved back or to its current time", () => {
    expect(refusal("2027-02-28T23:59:59.999Z")).toBe("clock_not_forward");
    expect(refusal("2027-03-01T00:00:00Z")).toBe("clock_not_forward");
    expect(refusal("2027-03-01T00:00:00.001Z")).toBeNull();
  });

  test("can be moved to at most ten years ahead of real time, in any number of moves", () => {
    expect(refusal("2036-11-21T12:00:00Z")).toBeNull();
    expect(refusal("2036-11-21T12:00:00.001Z")).toBe("clock_too_far");
  });
});
