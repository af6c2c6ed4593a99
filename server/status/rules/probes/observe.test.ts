import { describe, expect, it } from "vitest";
import { type CheckKey, type CheckResult, checkDefinitions } from "./checks.ts";
import { observe } from "./observe.ts";

const all = Object.keys(checkDefinitions) as CheckKey[];
const results = (but: Partial<Record<CheckKey, CheckResult["outcome"]>>): CheckResult[] =>
  all.map((check) => ({ check, outcome: but[check] ?? "ok", detail: "HTTP 500" }));
const stateOf = (of: CheckResult[], component: string, isKnown = true) =>
  observe(of, () => isKnown).find((one) => one.component === component)?.state;

describe("what a run says of a component (docs/spec/status.md, Probes)", () => {
  it("is operational where every check passes", () =>
    expect(observe(results({}), () => false).map(({ state }) => state)).toEqual(Array(6).fill("operational")));

  it.each([
    ["production.health", "authorization_server", "major_outage"],
    ["production.database", "authorization_server", "major_outage"],
    ["production.keys", "authorization_server", "major_outage"],
    ["production.journey", "authorization_server", "partial_outage"],
    ["production.queue", "authorization_server", "degraded"],
    ["wallet", "wallet_portal", "major_outage"],
    ["sandbox.metadata", "sandbox", "major_outage"],
  ] as const)("%s decides %s: %s, and no other", (check, component, state) => {
    const observed = observe(results({ [check]: "failed" }), () => true);
    expect(observed.filter((one) => one.state !== "operational")).toEqual([
      { component, state, reason: expect.stringContaining("HTTP 500") },
    ]);
  });

  it("is the worst of what fails", () =>
    expect(
      stateOf(results({ "production.queue": "failed", "production.readiness": "failed" }), "authorization_server"),
    ).toBe("major_outage"));

  it("is an outage where nobody answers, and of a service always", () => {
    expect(stateOf(results({ assets: "no_response" }), "static_assets")).toBe("major_outage");
    expect(stateOf(results({ assets: "not_found" }), "static_assets")).toBe("major_outage");
    expect(stateOf(results({ "sandbox.health": "no_response" }), "sandbox", false)).toBe("major_outage");
    expect(stateOf(results({ wallet: "no_response" }), "wallet_portal", false)).toBe("major_outage");
  });

  it("is unknown where nothing is deployed, whether or not somebody answers for it", () => {
    expect(stateOf(results({ assets: "not_found" }), "static_assets", false)).toBe("unknown");
    expect(stateOf(results({ assets: "no_response" }), "static_assets", false)).toBe("unknown");
  });

  it("is unknown where nothing is asked", () => {
    const production = results({}).filter(({ check }) => !check.startsWith("sandbox."));
    expect(stateOf(production, "sandbox")).toBe("unknown");
  });

  it("leaves out a check that could not be made", () =>
    expect(stateOf(results({ "production.queue": "not_run" }), "authorization_server")).toBe("operational"));
});
