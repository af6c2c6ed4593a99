import { describe, expect, it } from "vitest";
import { type Board, type ComponentState, emptyBoard } from "../board.ts";
import type { ComponentKey } from "../components.ts";
import { demoActor, withRecords } from "../journal/journal-record.ts";
import { mergeTracks, tracksOf } from "../uptime/intervals.ts";
import { cascadeChanges, combineRuns, needsRecheck, probeChanges, wasSeenWorking } from "./decide-change.ts";
import type { Observation } from "./observe.ts";

const start = Date.UTC(2026, 10, 21, 12);
const second = (count: number): Date => new Date(start + count * 1000);
const key = "authorization_server";
const saw = (state: ComponentState, component: ComponentKey = key): Observation => ({
  component,
  state,
  reason: state,
});
const gapMilliseconds = 75_000;

let number = 0;
/** The board after a run at this second, with the run's heartbeat two seconds later. */
const run = (board: Board, seconds: number, ...observed: Observation[]): Board => {
  const at = second(seconds);
  const changes = probeChanges(board, observed, { at, gapMilliseconds });
  const components = observed.map(({ component }) => component);
  const probed = withRecords(board, [
    ...changes.map((change) => ({ kind: "change" as const, id: `c${number++}`, ...change })),
    { kind: "heartbeat", id: `h${number++}`, at: second(seconds + 2), components },
  ]);
  return withRecords(
    probed,
    cascadeChanges(probed, at).map((change) => ({ kind: "change" as const, id: `c${number++}`, ...change })),
  );
};
const empty = emptyBoard(second(0));
const probeTrack = (board: Board) =>
  board.changes
    .filter(({ component }) => component === key)
    .map(({ at, state }) => [(at.getTime() - start) / 1000, state]);

describe("a component", () => {
  it("counts as seen working from the first probe that saw it work, whatever later probes report", () => {
    const never = run(empty, 0, saw("unknown"));
    expect(wasSeenWorking(never, key)).toBe(false);
    // A proxy without a node answers 503 for every path, also for components that were never deployed.
    expect(wasSeenWorking(run(never, 30, saw("major_outage")), key)).toBe(false);
    const once = run(run(never, 30, saw("operational")), 60, saw("unknown"));
    expect([wasSeenWorking(once, key), wasSeenWorking(once, "sandbox")]).toEqual([true, false]);
  });

  it("doesn't count as seen working if only demo data shows it working", () => {
    const change = { component: key, state: "operational", reason: "", source: "probe", subject: "" } as const;
    const made = { kind: "change", id: "d1", ...change, actor: demoActor, at: second(0) } as const;
    const demo = withRecords(empty, [made]);
    expect(wasSeenWorking(demo, key)).toBe(false);
    // The first probe adds its own change, even if the state is the same.
    const probed = run(demo, 10, saw("operational"));
    expect([
      wasSeenWorking(probed, key),
      probeTrack(probed).length,
      probeTrack(run(probed, 40, saw("operational"))).length,
    ]).toEqual([true, 2, 2]);
  });
});

describe("a run", () => {
  it("adds a change to the probes' track if the state differs", () => {
    const board = [0, 30, 60, 90, 120].reduce(
      (before, seconds) => run(before, seconds, saw(seconds === 60 ? "major_outage" : "operational")),
      empty,
    );
    expect(probeTrack(board)).toEqual([
      [0, "operational"],
      [60, "major_outage"],
      [90, "operational"],
    ]);
    expect(board.heartbeats).toEqual([{ component: key, at: second(122) }]);
  });

  it("adds a gap since the last heartbeat if no probe ran: the state is unknown, never up or down", () => {
    const down = run(run(empty, 0, saw("operational")), 30, saw("major_outage"));
    const board = run(down, 600, saw("major_outage"));
    const window = { from: start, to: second(602).getTime() };
    const own = board.changes.filter(({ component }) => component === key);
    const segments = mergeTracks(tracksOf(own, { probedUntil: second(602).getTime(), window }), window);
    expect(segments.map(({ from, to, state }) => [(from - start) / 1000, (to - start) / 1000, state])).toEqual([
      [0, 30, "operational"],
      [30, 32.001, "major_outage"],
      [32.001, 600, "unknown"],
      [600, 602, "major_outage"],
    ]);
  });

  it("adds no gap if it begins only a little late", () =>
    expect(probeTrack(run(run(empty, 0, saw("operational")), 76, saw("operational")))).toEqual([[0, "operational"]]));

  it("adds one gap, however often the process restarts", () => {
    const board = run(run(empty, 0, saw("unknown")), 600, saw("unknown"));
    expect(probeTrack(board)).toEqual([[0, "unknown"]]);
  });
});

describe("a fast re-check before a state changes (docs/spec/status.md, Probes)", () => {
  const up = run(empty, 0, saw("operational"));
  const down = run(up, 30, saw("major_outage"));

  it.each([
    [up, "operational", false],
    [up, "major_outage", true],
    [up, "degraded", true],
    [up, "unknown", false],
    [down, "major_outage", false],
    [down, "operational", true],
    [empty, "operational", false],
    [empty, "major_outage", true],
  ] as const)("case %#: is made if a bad state begins or ends", (board, state, wanted) =>
    expect(needsRecheck(board, [saw(state)])).toBe(wanted),
  );

  it.each([
    [up, "major_outage", "operational", "operational"],
    [up, "operational", "major_outage", "operational"],
    [up, "major_outage", "degraded", "degraded"],
    [up, "major_outage", "major_outage", "major_outage"],
    [down, "operational", "major_outage", "major_outage"],
    [down, "operational", "operational", "operational"],
  ] as const)(
    "case %#: changes the state only if both runs differ from it, and then to the better state of the two runs",
    (board, first, again, state) => expect(combineRuns(board, [saw(first)], [saw(again)])).toEqual([saw(state)]),
  );
});

describe("the cascade (docs/spec/status.md, Dependencies)", () => {
  const up = run(empty, 0, saw("operational"), saw("operational", "sandbox"));

  it("affects the sandbox during an outage of production", () => {
    const down = run(up, 30, saw("major_outage"), saw("operational", "sandbox"));
    expect(down.changes.at(-1)).toMatchObject({
      component: "sandbox",
      source: "cascade",
      state: "degraded",
      at: second(30),
      reason: "Affected by production: outage of Authorization server",
    });
    const still = run(down, 60, saw("major_outage"), saw("operational", "sandbox"));
    expect(still.changes).toEqual(down.changes);
    const back = run(still, 90, saw("operational"), saw("operational", "sandbox"));
    expect(back.changes.at(-1)).toMatchObject({ component: "sandbox", source: "cascade", state: "operational" });
  });

  it("ends when probes stop, and starts again with the next run", () => {
    const board = run(
      run(up, 30, saw("major_outage"), saw("operational", "sandbox")),
      600,
      saw("major_outage"),
      saw("operational", "sandbox"),
    );
    const cascade = board.changes.filter(({ source }) => source === "cascade");
    expect(cascade.map(({ at, state }) => [(at.getTime() - start) / 1000, state])).toEqual([
      [30, "degraded"],
      [32.001, "unknown"],
      [600, "degraded"],
    ]);
  });

  it("an outage of the sandbox doesn't affect production", () => {
    const board = run(up, 30, saw("operational"), saw("major_outage", "sandbox"));
    expect(board.changes.filter(({ source }) => source === "cascade")).toEqual([]);
    expect(board.changes.filter((change) => change.component === key)).toHaveLength(1);
  });

  it("follows states set by operators too", () => {
    const change = {
      id: "o1",
      kind: "change",
      component: key,
      source: "operator",
      subject: "inc_1",
      actor: "acc_1",
    } as const;
    const board = withRecords(up, [{ ...change, state: "partial_outage", at: second(10), reason: "seen by a person" }]);
    expect(cascadeChanges(board, second(30))).toMatchObject([{ component: "sandbox", state: "degraded" }]);
  });
});
