import { describe, expect, it } from "vitest";
import { type CheckKey, type CheckResult, checkDefinitions } from "./checks.ts";
import { observe } from "./observe.ts";

const all = Object.keys(checkDefinitions) as CheckKey[];
const results = (but: Partial<Record<CheckKey, CheckResult["outcome"]>>): CheckResult[] =>
  all.map((check) => ({ check, outcome: but[check] ?? "ok", detail: "HTTP 500" }));
const stateOf = (of: CheckResult[], component: string, isKnown = true) =>
  observe(of, () => isKnown).find((one) => one.component === component)?.state;

describe("a component's state according to a run (docs/spec/status.md, Probes)", () => {
  it("is operational if every check passes", () =>
    expect(observe(results({}), () => false).map(({ state }) => state)).toEqual(Array(6).fill("operational")));

  it.each([
    ["production.health", "authorization_server", "major_outage"],
    ["production.database", "authorization_server", "major_outage"],
    ["production.keys", "authorization_server", "major_outage"],
    ["production.journey", "authorization_server", "partial_outage"],
    ["production.queue", "authorization_server", "degraded"],
    ["wallet", "wallet_portal", "major_outage"],
    ["sandbox.metadata", "sandbox", "major_outage"],
  ] as const)("a failure of %s makes %s %s, and affects no other component", (check, component, state) => {
    const observed = observe(results({ [check]: "failed" }), () => true);
    expect(observed.filter((one) => one.state !== "operational")).toEqual([
      { component, state, reason: expect.stringContaining("HTTP 500") },
    ]);
  });

  it("is the worst state of all failed checks", () =>
    expect(
      stateOf(results({ "production.queue": "failed", "production.readiness": "failed" }), "authorization_server"),
    ).toBe("major_outage"));

  it("is an outage if there is no response; for a service, even if no probe ever saw it work", () => {
    expect(stateOf(results({ assets: "no_response" }), "static_assets")).toBe("major_outage");
    expect(stateOf(results({ assets: "not_found" }), "static_assets")).toBe("major_outage");
    expect(stateOf(results({ "sandbox.health": "no_response" }), "sandbox", false)).toBe("major_outage");
    expect(stateOf(results({ wallet: "no_response" }), "wallet_portal", false)).toBe("major_outage");
  });

  it("is unknown if the component isn't deployed", () => {
    expect(stateOf(results({ assets: "not_found" }), "static_assets", false)).toBe("unknown");
    expect(stateOf(results({ assets: "no_response" }), "static_assets", false)).toBe("unknown");
  });

  it("is unknown without checks", () => {
    const production = results({}).filter(({ check }) => !check.startsWith("sandbox."));
    expect(stateOf(production, "sandbox")).toBe("unknown");
  });

  it("ignores checks that didn't run", () =>
    expect(stateOf(results({ "production.queue": "not_run" }), "authorization_server")).toBe("operational"));
});
