import { expect, test } from "vitest";
import { boardOf, incidentOf } from "../rules/board.fixture.ts";
import type { ComponentChange, ComponentState, Incident } from "../rules/board.ts";
import type { ComponentKey } from "../rules/components.ts";
import { findUnexplainedDays } from "./find-unexplained-days.ts";

const now = new Date("2026-11-21T12:00:00Z");
const at = (text: string) => new Date(`2026-${text}Z`);

const said = (component: ComponentKey, state: ComponentState, text: string): ComponentChange => ({
  id: `${component} ${text}`,
  component,
  source: "probe",
  subject: "",
  state,
  reason: "",
  actor: "probe",
  at: at(text),
});
const changes = [
  said("wallet_portal", "operational", "10-20T00:00"),
  said("billing_engine", "operational", "10-20T00:00"),
  said("wallet_portal", "major_outage", "10-31T23:50"),
  said("wallet_portal", "operational", "11-01T00:10"),
  said("wallet_portal", "partial_outage", "11-05T10:00"),
  said("wallet_portal", "operational", "11-05T10:18"),
  said("billing_engine", "degraded", "11-05T12:00"),
  said("billing_engine", "operational", "11-05T12:05"),
];
const heartbeats = (["wallet_portal", "billing_engine"] as const).map((component) => ({ component, at: now }));
const boardWith = (incidents: Incident[] = []) => boardOf({ readAt: now, changes, heartbeats, incidents });
const unexplained = (incidents: Incident[], month = "2026-11", only?: ComponentKey) =>
  findUnexplainedDays(boardWith(incidents), now, { month, ...(only && { component: only }) }).unexplained.map(
    ({ componentName, day, figures }) => [
      componentName,
      new Date(day).toISOString().slice(0, 10),
      (figures.partial_outage + figures.major_outage + figures.degraded) / 60_000,
    ],
  );

const incident = (changes: Partial<Incident>) =>
  incidentOf({ ...changes, components: [{ component: "wallet_portal", state: "partial_outage" }] });
const reported = incident({ startedAt: at("11-05T10:02"), resolvedAt: at("11-05T11:00"), publicAt: at("11-05T10:05") });

test("lists days that were down or degraded without an incident, by component and UTC day", () => {
  expect(unexplained([])).toEqual([
    ["Wallet portal", "2026-11-05", 18],
    ["Billing engine", "2026-11-05", 5],
    ["Wallet portal", "2026-11-01", 10],
  ]);
  expect(unexplained([], "2026-10")).toEqual([["Wallet portal", "2026-10-31", 10]]);
  expect(unexplained([], "2026-11", "billing_engine")).toEqual([["Billing engine", "2026-11-05", 5]]);
});

test("a public incident explains only the days of its components", () => {
  expect(unexplained([reported])).toEqual([
    ["Billing engine", "2026-11-05", 5],
    ["Wallet portal", "2026-11-01", 10],
  ]);
  expect(unexplained([incident({ ...reported, state: "draft", publicAt: null })])).toHaveLength(3);
  // An open incident explains all days since its start.
  expect(unexplained([incident({ ...reported, startedAt: at("10-31T23:50"), resolvedAt: null })])).toHaveLength(1);
});

test("reports a month without measurements", () => {
  expect(findUnexplainedDays(boardWith(), now, { month: "2026-09" })).toEqual({ isMeasured: false, unexplained: [] });
  expect(findUnexplainedDays(boardWith(), now, { month: "2026-11" }).isMeasured).toBe(true);
});
