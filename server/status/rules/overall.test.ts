import { expect, test } from "vitest";
import { overallOf } from "./overall.ts";

test("all is well where every component is operational, and nowhere else", () => {
  expect(overallOf(["operational", "operational"], true)).toEqual({
    state: "operational",
    description: "All components are operational",
  });
  for (const state of ["degraded", "partial_outage", "major_outage", "maintenance", "unknown"] as const)
    expect(overallOf(["operational", state], true)).toMatchObject({ state });
});

test("what isn't deployed is no part of what is well", () => {
  expect(overallOf(["operational"], false).description).toBe("All deployed components are operational");
  expect(overallOf(["major_outage"], false).description).toBe("All deployed components are down");
  expect(overallOf(["unknown"], false).description).toBe("The state of all deployed components is unknown");
  expect(overallOf(["degraded", "operational"], false).description).toBe("Some components are degraded");
});

test("the worst speaks for all; unknown weighs more than maintenance, and less than what is seen to fail", () => {
  expect(overallOf(["maintenance", "unknown", "degraded", "partial_outage", "major_outage"], true).state).toBe(
    "major_outage",
  );
  expect(overallOf(["maintenance", "unknown", "operational"], true).state).toBe("unknown");
  expect(overallOf(["unknown", "degraded"], true).state).toBe("degraded");
});

test("says whether it is some or all", () => {
  expect(overallOf(["operational", "unknown"], true).description).toBe("The state of some components is unknown");
  expect(overallOf(["unknown", "unknown"], true).description).toBe("The state of all components is unknown");
  expect(overallOf(["major_outage"], true).description).toBe("All components are down");
});
