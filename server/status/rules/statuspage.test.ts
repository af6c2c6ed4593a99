import { expect, test } from "vitest";
import { firstAt, statuspageComponentStatus, statuspageIndicator } from "./statuspage.ts";

test("unknown never looks operational", () => {
  expect(statuspageComponentStatus("unknown")).not.toBe("operational");
  expect(statuspageIndicator("unknown")).not.toBe("none");
});

test("each state has a Statuspage status", () => {
  const states = ["operational", "degraded", "partial_outage", "major_outage", "maintenance"] as const;
  expect(states.map(statuspageComponentStatus)).toEqual([
    "operational",
    "degraded_performance",
    "partial_outage",
    "major_outage",
    "under_maintenance",
  ]);
  expect(states.map(statuspageIndicator)).toEqual(["none", "minor", "major", "critical", "maintenance"]);
});

test("an incident reached a state at the first update with that state", () => {
  const updates = [
    { state: "monitoring", at: new Date(9) },
    { state: "identified", at: new Date(1) },
    { state: "monitoring", at: new Date(5) },
  ];
  expect(firstAt(updates, "monitoring")).toEqual(new Date(5));
  expect(firstAt(updates, "resolved")).toBeNull();
});
