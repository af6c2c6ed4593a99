import { describe, expect, it } from "vitest";
import type { MaintenanceState } from "../board.ts";
import { type MaintenanceAct, maintenanceActRefusal, windowProblems } from "./maintenance-state.ts";

const acts: readonly MaintenanceAct[] = ["start", "complete", "cancel", "update"];
const cases: readonly [MaintenanceState, readonly MaintenanceAct[]][] = [
  ["scheduled", ["start", "cancel", "update"]],
  ["in_progress", ["complete", "update"]],
  ["completed", []],
  ["cancelled", []],
];
const now = new Date("2026-11-21T12:00:00Z");
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

describe("states of a maintenance window (docs/spec/status.md, Maintenance)", () => {
  it.each(cases)("%s allows %j and nothing else", (state, expected) => {
    expect(acts.filter((act) => maintenanceActRefusal(state, act) === null)).toEqual(expected);
  });

  it.each([
    ["one that begins now", 0, 3600, []],
    ["one in the past", -1, 3600, ["from"]],
    ["one that ends as it begins", 60, 60, ["to"]],
    ["one that ends before it begins", 60, 59, ["to"]],
    ["one of a week", 0, 7 * 86_400, []],
    ["one of more than a week", 0, 7 * 86_400 + 1, ["to"]],
  ])("validates a window: %s", (_, from, to, fields) => {
    expect(windowProblems({ from: later(from), to: later(to) }, now).map(({ field }) => field)).toEqual(fields);
  });
});
