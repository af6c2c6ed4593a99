import { describe, expect, it } from "vitest";
import { type Board, type ComponentState, emptyBoard } from "../board.ts";
import { type JournalRecord, withRecords } from "../journal/journal-record.ts";
import { decideAlerts } from "./decide-alerts.ts";

const start = Date.UTC(2026, 10, 10);
const minute = 60_000;
const component = "authorization_server";

/** `[minutes, state]`: the state from this minute on; probed up to `until`. */
const boardOf = (turns: readonly (readonly [number, ComponentState])[], until: number): Board =>
  withRecords(emptyBoard(new Date(start)), [
    ...turns.map(([at, state], index): JournalRecord => {
      const change = {
        id: `c${index}`,
        component,
        source: "probe",
        subject: "",
        state,
        reason: "",
        actor: "",
      } as const;
      return { kind: "change", ...change, at: new Date(start + at * minute) };
    }),
    { kind: "heartbeat", id: "h", components: [component], at: new Date(start + until * minute) },
  ]);
const hour = 60;
const decide = (board: Board, minutes: number) => decideAlerts(board, new Date(start + minutes * minute));
const out = 5 * 24 * hour;
const burning = [
  [0, "operational"],
  [out, "major_outage"],
] as const;

describe("alerts by burn rate (docs/spec/status.md, Alerts)", () => {
  it("don't fire without outages or without data", () => {
    expect(decide(boardOf([[0, "operational"]], out), out)).toEqual([]);
    expect(decide(emptyBoard(new Date(start)), out)).toEqual([]);
  });

  it("page once if the burn rate is above 14.4 over an hour and over its last five minutes", () => {
    const board = boardOf(burning, out + 1.5);
    const started = decide(board, out + 1.5);
    expect(started).toMatchObject([{ act: "start", component, rule: "page_fast", burnRate: expect.closeTo(25) }]);
    const alerted = withRecords(board, [
      { kind: "alert_started", id: "alt_1", component, rule: "page_fast", burnRate: 25, at: new Date() },
    ]);
    expect(decide(alerted, out + 1.5)).toEqual([]);
  });

  it("end once the last minutes are good", () => {
    const board = withRecords(boardOf([...burning, [out + 1.5, "operational"]], out + 20), [
      { kind: "alert_started", id: "alt_1", component, rule: "page_fast", burnRate: 25, at: new Date() },
    ]);
    expect(decide(board, out + 20)).toContainEqual({ act: "end", alertId: "alt_1" });
    const ended = withRecords(board, [{ kind: "alert_ended", id: "e", alertId: "alt_1", at: new Date() }]);
    expect(decide(ended, out + 20).filter(({ act }) => act === "end")).toEqual([]);
  });

  it("never fire for the sandbox, which has no objective", () => {
    const board = boardOf(burning, out + 30);
    const changes = board.changes.map((change) => ({ ...change, component: "sandbox" as const }));
    const heartbeats = board.heartbeats.map(({ at }) => ({ component: "sandbox" as const, at }));
    expect(decide({ ...board, changes, heartbeats }, out + 30)).toEqual([]);
  });
});
