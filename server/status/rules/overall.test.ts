import { expect, test } from "vitest";
import { overallOf } from "./overall.ts";

test("the overall state is operational only if every component is", () => {
  expect(overallOf(["operational", "operational"], true)).toEqual({
    state: "operational",
    description: "All components are operational",
  });
  for (const state of ["degraded", "partial_outage", "major_outage", "maintenance", "unknown"] as const)
    expect(overallOf(["operational", state], true)).toMatchObject({ state });
});

test("the description mentions that only deployed components count", () => {
  expect(overallOf(["operational"], false).description).toBe("All deployed components are operational");
  expect(overallOf(["major_outage"], false).description).toBe("All deployed components are down");
  expect(overallOf(["unknown"], false).description).toBe("The state of all deployed components is unknown");
  expect(overallOf(["degraded", "operational"], false).description).toBe("Some components are degraded");
});

test("the overall state is the worst state; unknown is worse than maintenance, and better than failures", () => {
  expect(overallOf(["maintenance", "unknown", "degraded", "partial_outage", "major_outage"], true).state).toBe(
    "major_outage",
  );
  expect(overallOf(["maintenance", "unknown", "operational"], true).state).toBe("unknown");
  expect(overallOf(["unknown", "degraded"], true).state).toBe("degraded");
});

test("the description says whether some or all components are affected", () => {
  expect(overallOf(["operational", "unknown"], true).description).toBe("The state of some components is unknown");
  expect(overallOf(["unknown", "unknown"], true).description).toBe("The state of all components is unknown");
  expect(overallOf(["major_outage"], true).description).toBe("All components are down");
});
