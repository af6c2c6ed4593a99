import { describe, expect, it } from "vitest";
import type { IncidentState } from "../board.ts";
import { type IncidentAct, incidentActRefusal, worseState } from "./incident-state.ts";

const acts: readonly IncidentAct[] = ["confirm", "dismiss", "update", "resolve"];
const allowed: readonly [IncidentState, readonly IncidentAct[]][] = [
  ["draft", ["confirm", "dismiss"]],
  ["investigating", ["update", "resolve"]],
  ["identified", ["update", "resolve"]],
  ["monitoring", ["update", "resolve"]],
  ["resolved", []],
  ["dismissed", []],
];

describe("states of an incident (docs/spec/status.md, Incidents)", () => {
  it.each(allowed)("%s allows %j and nothing else", (state, expected) => {
    expect(acts.filter((act) => incidentActRefusal(state, act) === null)).toEqual(expected);
  });

  it("keeps the worst state of a component", () => {
    expect(worseState(undefined, "degraded")).toBe("degraded");
    expect(worseState("degraded", "major_outage")).toBe("major_outage");
    expect(worseState("major_outage", "operational")).toBe("major_outage");
    expect(worseState("partial_outage", "degraded")).toBe("partial_outage");
  });
});
