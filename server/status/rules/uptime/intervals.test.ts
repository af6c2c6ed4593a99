import { expect, test } from "vitest";
import type { ComponentChange, ComponentState } from "../board.ts";
import { mergeTracks, type Segment, tracksOf } from "./intervals.ts";

const window = { from: 0, to: 100 };

type Line = [at: number, state: ComponentState, source?: ComponentChange["source"], subject?: string];
const changes = (...lines: Line[]): ComponentChange[] =>
  lines.map(([at, state, source = "probe", subject = ""], index) => ({
    id: String(index),
    component: "sandbox",
    source,
    subject,
    state,
    reason: "",
    actor: "",
    at: new Date(at),
  }));

const timeline = (lines: Line[], probedUntil: number | null = 100) => {
  const merged = mergeTracks(tracksOf(changes(...lines), { probedUntil, window }), window);
  return merged.map(({ from, to, state }) => `${from}-${to} ${state}`);
};

test("a state lasts from its change to the next, and is clipped to the window", () => {
  expect(
    timeline([
      [-50, "operational"],
      [20, "major_outage"],
      [30, "operational"],
    ]),
  ).toEqual(["0-20 operational", "20-30 major_outage", "30-100 operational"]);
});

test("of two changes at the same instant, the one that comes last applies", () => {
  expect(
    timeline([
      [0, "operational"],
      [0, "degraded"],
    ]),
  ).toEqual(["0-100 degraded"]);
});

test("before the first change the state is unknown", () => {
  expect(timeline([[40, "operational"]])).toEqual(["0-40 unknown", "40-100 operational"]);
});

test("after the last heartbeat the state is unknown", () => {
  expect(timeline([[0, "operational"]], 60)).toEqual(["0-60 operational", "60-100 unknown"]);
  expect(timeline([[0, "major_outage"]], 60)).toEqual(["0-60 major_outage", "60-100 unknown"]);
});

test("a probe without heartbeats has no effect", () => {
  expect(timeline([[0, "operational"]], null)).toEqual(["0-100 unknown"]);
});

test("an incident outranks probes until its last change, whether its state is better or worse", () => {
  expect(
    timeline([
      [0, "operational"],
      [10, "major_outage", "operator", "inc_1"],
      [30, "operational", "operator", "inc_1"],
      [50, "major_outage"],
      [60, "degraded", "operator", "inc_1"],
      [80, "operational", "operator", "inc_1"],
    ]),
  ).toEqual([
    "0-10 operational",
    "10-30 major_outage",
    "30-50 operational",
    "50-60 major_outage",
    "60-80 degraded",
    "80-100 major_outage",
  ]);
});

test("of several incidents the worst state applies", () => {
  expect(
    timeline([
      [0, "operational"],
      [10, "degraded", "operator", "inc_1"],
      [20, "partial_outage", "operator", "inc_2"],
      [30, "operational", "operator", "inc_2"],
    ]),
  ).toEqual(["0-10 operational", "10-20 degraded", "20-30 partial_outage", "30-100 degraded"]);
});

test("a state `unknown` set by an operator doesn't hide what probes measured", () => {
  expect(
    timeline([
      [0, "major_outage"],
      [10, "unknown", "operator", "inc_1"],
    ]),
  ).toEqual(["0-100 major_outage"]);
});

test("a maintenance window in progress hides the states of probes and dependencies, but not of incidents", () => {
  expect(
    timeline([
      [0, "operational"],
      [10, "maintenance", "operator", "mnt_1"],
      [20, "major_outage"],
      [20, "degraded", "cascade"],
      [30, "partial_outage", "operator", "inc_1"],
      [40, "operational", "operator", "inc_1"],
      [50, "operational", "operator", "mnt_1"],
    ]),
  ).toEqual([
    "0-10 operational",
    "10-30 maintenance",
    "30-40 partial_outage",
    "40-50 maintenance",
    "50-100 major_outage",
  ]);
});

test("a cascade applies if probes find nothing worse, and ends with the last heartbeat", () => {
  expect(
    timeline(
      [
        [0, "operational"],
        [10, "degraded", "cascade"],
        [20, "partial_outage"],
        [30, "operational"],
        [70, "operational", "cascade"],
      ],
      60,
    ),
  ).toEqual(["0-10 operational", "10-20 degraded", "20-30 partial_outage", "30-60 degraded", "60-100 unknown"]);
});

test("an empty window has no timeline", () => {
  const nothing: Segment[] = [];
  expect(mergeTracks([], { from: 5, to: 5 })).toEqual(nothing);
});
