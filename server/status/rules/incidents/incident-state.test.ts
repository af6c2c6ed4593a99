import { describe, expect, it } from "vitest";
import type { IncidentState } from "../board.ts";
import { type IncidentAct, refusalOf, worseOf } from "./incident-state.ts";

const acts: readonly IncidentAct[] = ["confirm", "dismiss", "update", "resolve"];
const allowed: readonly [IncidentState, readonly IncidentAct[]][] = [
  ["draft", ["confirm", "dismiss"]],
  ["investigating", ["update", "resolve"]],
  ["identified", ["update", "resolve"]],
  ["monitoring", ["update", "resolve"]],
  ["resolved", []],
  ["dismissed", []],
];

describe("the course of an incident (docs/spec/status.md, Incidents)", () => {
  it.each(allowed)("%s allows %j and nothing else", (state, expected) => {
    expect(acts.filter((act) => refusalOf(state, act) === null)).toEqual(expected);
  });

  it("keeps the worst of a component's course, whatever comes later", () => {
    expect(worseOf(undefined, "degraded")).toBe("degraded");
    expect(worseOf("degraded", "major_outage")).toBe("major_outage");
    expect(worseOf("major_outage", "operational")).toBe("major_outage");
    expect(worseOf("partial_outage", "degraded")).toBe("partial_outage");
  });
});
