import { expect, test } from "vitest";
import { overallOf } from "./overall.ts";

test("all is well where every component is operational, and nowhere else", () => {
  expect(overallOf(["operational", "operational"])).toEqual({
    ...{ state: "operational", description: "All components are operational" },
  });
  for (const state of ["degraded", "partial_outage", "major_outage", "maintenance", "unknown"] as const)
    expect(overallOf(["operational", state])).toMatchObject({ state });
});

test("the worst speaks for all; unknown weighs more than maintenance, and less than what is seen to fail", () => {
  expect(overallOf(["maintenance", "unknown", "degraded", "partial_outage", "major_outage"]).state).toBe(
    "major_outage",
  );
  expect(overallOf(["maintenance", "unknown", "operational"]).state).toBe("unknown");
  expect(overallOf(["unknown", "degraded"]).state).toBe("degraded");
});

test("says whether it is some or all", () => {
  expect(overallOf(["operational", "unknown"]).description).toBe("The state of some components is unknown");
  expect(overallOf(["unknown", "unknown"]).description).toBe("The state of all components is unknown");
  expect(overallOf(["major_outage"]).description).toBe("All components are out");
});
