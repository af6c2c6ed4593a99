import { expect, test } from "vitest";
import { boardOf, maintenanceOf } from "../board.fixture.ts";
import { decideIncident } from "../incidents/decide-incident.ts";
import { currentStateOf, timelineOf } from "../uptime/component-timeline.ts";
import { utcMonthOf } from "../uptime/utc-calendar.ts";
import { withStartedMaintenances } from "./started-maintenances.ts";

const maintenance = maintenanceOf({ components: ["authorization_server"] });
const { scheduledFrom: from, scheduledTo: to } = maintenance;
const later = (instant: Date, seconds: number) => new Date(instant.getTime() + seconds * 1000);
const board = boardOf({ maintenances: [maintenance] });

test("maintenance starts when its window begins, even if the start isn't recorded (docs/spec/status.md, Maintenance)", () => {
  expect(withStartedMaintenances(board, later(from, -1))).toBe(board);
  const begun = withStartedMaintenances(board, from);
  expect(begun.maintenances).toMatchObject([{ state: "in_progress", startedAt: from }]);
  const stateAt = (now: Date) => {
    const window = { from: utcMonthOf(from.getTime()).from, to: now.getTime() };
    return currentStateOf(timelineOf(withStartedMaintenances(board, now), "authorization_server", window)).state;
  };
  expect(stateAt(later(from, 1))).toBe("maintenance");
  expect(stateAt(later(to, 1))).toBe("unknown");
});

test("probes open no incident during the window, but can after it", () => {
  const observed = [{ component: "authorization_server", state: "major_outage", reason: "Health: down" }] as const;
  const recent = new Map([["authorization_server", ["major_outage", "major_outage", "major_outage"]]] as const);
  const decideAt = (now: Date) => decideIncident(withStartedMaintenances(board, now), recent, { observed, now });
  expect(decideAt(later(from, 60))).toBeNull();
  expect(decideAt(later(to, 60))).toMatchObject({ act: "open" });
});

test("canceled and completed maintenance doesn't start", () => {
  for (const state of ["cancelled", "completed"] as const) {
    const other = boardOf({ maintenances: [{ ...maintenance, state }] });
    expect(withStartedMaintenances(other, later(from, 60))).toBe(other);
  }
});
