import { describe, expect, it } from "vitest";
import { boardOf, maintenanceOf } from "../board.fixture.ts";
import type { ComponentChange, DayFigures } from "../board.ts";
import { currentCascade, currentStateOf, recentDays, timelineOf, timelineStart } from "./component-timeline.ts";

const now = Date.UTC(2026, 10, 21, 10, 0);
const hour = 3_600_000;
const change = (hoursAgo: number, changes: Partial<ComponentChange> = {}): ComponentChange => ({
  id: `chg_${hoursAgo}`,
  component: "authorization_server",
  source: "probe",
  subject: "",
  reason: "probe",
  actor: "probe",
  state: "operational",
  at: new Date(now - hoursAgo * hour),
  ...changes,
});
const heard = (secondsAgo: number, component: ComponentChange["component"] = "authorization_server") => ({
  component,
  at: new Date(now - secondsAgo * 1000),
});
const window = { from: timelineStart(now, 90), to: now };

describe("the current state", () => {
  const changes = [change(30), change(2, { state: "degraded" })];

  it("stays the last probed state until the next probe is overdue", () => {
    const board = boardOf({ changes, heartbeats: [heard(40)] });
    const timeline = timelineOf(board, "authorization_server", window);
    expect(currentStateOf(timeline)).toEqual({ state: "degraded", since: now - 2 * hour });
  });

  it("is unknown after probes have stopped", () => {
    const timeline = timelineOf(boardOf({ changes, heartbeats: [heard(91)] }), "authorization_server", window);
    expect(currentStateOf(timeline)).toEqual({ state: "unknown", since: now - 91_000 });
  });

  it("is the probes' state after the announced end of a maintenance window", () => {
    const component = "authorization_server" as const;
    const inMaintenance = { source: "operator", subject: "mnt_1", state: "maintenance" } as const;
    const board = boardOf({
      changes: [change(30), change(6, inMaintenance), change(5, { state: "major_outage" })],
      heartbeats: [heard(10)],
      maintenances: [
        maintenanceOf({ state: "in_progress", components: [component], scheduledTo: new Date(now - 2 * hour) }),
      ],
    });
    expect(currentStateOf(timelineOf(board, component, window))).toEqual({
      state: "major_outage",
      since: now - 2 * hour,
    });
    expect([...currentCascade(board, now).keys()]).toContain("sandbox");
  });

  it("is unknown if no change is recorded", () => {
    expect(currentStateOf(timelineOf(boardOf(), "sandbox", window)).state).toBe("unknown");
  });
});

describe("days", () => {
  it("end with today; a frozen day has its frozen figures", () => {
    const changes = [change(48), change(12, { state: "major_outage" }), change(11)];
    const board = boardOf({ changes, heartbeats: [heard(10)] });
    const component = "authorization_server" as const;
    const timeline = timelineOf(board, component, window);
    const days = recentDays(board, { component, timeline, count: 90 });
    expect(days).toHaveLength(90);
    expect(days.at(-1)).toMatchObject({ day: Date.UTC(2026, 10, 21), figures: { operational: 10 * hour } });
    expect(days.at(-2)?.figures).toMatchObject({ major_outage: hour, down: hour, unknown: 0 });
    expect(days[0]).toMatchObject({ day: Date.UTC(2026, 7, 24), figures: { unknown: 24 * hour } });
    const frozen = {
      component,
      day: new Date(Date.UTC(2026, 10, 20)),
      previousHash: "",
      hash: "",
      frozenAt: new Date(0),
    };
    const figures = { ...days[0]?.figures, degraded: 7 } as DayFigures;
    const again = recentDays({ days: [{ ...frozen, figures }] }, { component, timeline, count: 90 });
    expect(again.at(-2)?.figures.degraded).toBe(7);
  });
});

describe("dependencies on production (docs/spec/status.md, Dependencies)", () => {
  const outage = (component: ComponentChange["component"]) =>
    boardOf({ changes: [change(1, { component, state: "major_outage" })], heartbeats: [heard(5, component)] });

  it("an outage of production affects the sandbox", () => {
    expect([...currentCascade(outage("authorization_server"), now)]).toEqual([["sandbox", ["authorization_server"]]]);
  });
  it("an outage of the sandbox affects no other component", () => {
    expect([...currentCascade(outage("sandbox"), now)]).toEqual([]);
  });
});
