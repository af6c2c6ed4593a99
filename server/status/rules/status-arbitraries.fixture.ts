import fc from "fast-check";
import type { ComponentChange, ComponentState } from "./board.ts";
import type { Segment } from "./uptime/intervals.ts";

const states = ["operational", "degraded", "partial_outage", "major_outage", "maintenance", "unknown"] as const;

const tracks = [
  { source: "probe", subject: "" },
  { source: "cascade", subject: "" },
  { source: "operator", subject: "inc_1" },
  { source: "operator", subject: "inc_2" },
  { source: "operator", subject: "mnt_1" },
] as const;

/** Changes of one component at integer instants below `until`, oldest first. */
export const arbitraryChanges = (until: number): fc.Arbitrary<ComponentChange[]> =>
  fc
    .array(
      fc.record({
        at: fc.integer({ min: -10, max: until }),
        state: fc.constantFrom(...states),
        track: fc.constantFrom(...tracks),
      }),
      { maxLength: 25 },
    )
    .map((changes) =>
      changes
        .sort((left, right) => left.at - right.at)
        .map(({ at, state, track }, index) => ({
          id: String(index),
          component: "sandbox",
          state,
          reason: "",
          actor: "",
          at: new Date(at),
          ...track,
        })),
    );

/** @returns the state at an instant; null outside the timeline. */
export const stateAt = (timeline: readonly Segment[], instant: number): ComponentState | null =>
  timeline.find(({ from, to }) => from <= instant && instant < to)?.state ?? null;
