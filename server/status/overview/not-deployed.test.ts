import { describe, expect, test } from "vitest";
import { toComponents, toErrorBudgets, toSummary, toUptime } from "../../trpc/status/status-views.ts";
import { boardOf } from "../rules/board.fixture.ts";
import type { Board, ComponentChange, ComponentState } from "../rules/board.ts";
import { type ComponentKey, components } from "../rules/components.ts";
import { isDeployed } from "../rules/deployed.ts";
import { demoActor } from "../rules/journal/journal-record.ts";
import { notDeployed } from "../rules/probes/observe.ts";
import { evaluateReleaseGate } from "../rules/uptime/release-gate.ts";
import { findUnexplainedDays } from "../uptime/find-unexplained-days.ts";
import { statuspageViews } from "./statuspage-views.ts";

const now = new Date("2026-11-21T12:00:00Z");
const statusUrl = "https://status.example.com";
const day = 24 * 3_600_000;
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);

let count = 0;
const said = (
  component: ComponentKey,
  state: ComponentState,
  { at, about = {} }: { at: Date; about?: Partial<ComponentChange> },
) => {
  count += 1;
  return {
    id: `cch_${count}`,
    component,
    source: "probe",
    subject: "",
    state,
    at,
    reason: "",
    actor: "probe",
    ...about,
  } as ComponentChange;
};
const demo = { actor: demoActor };
/** 90 days of demo data, with an outage this month. */
const demoOf = (component: ComponentKey) => [
  said(component, "operational", { at: ago(80 * day), about: demo }),
  said(component, "major_outage", { at: ago(3 * day), about: demo }),
  said(component, "operational", { at: ago(3 * day - 3_600_000), about: demo }),
];
const boardWith = (changes: readonly ComponentChange[]): Board =>
  boardOf({
    readAt: now,
    changes: changes.toSorted((left, right) => left.at.getTime() - right.at.getTime()),
    heartbeats: components.map(({ key }) => ({ component: key, at: now })),
  });

/** After a first start with demo data: three components are found, two aren't, and no sandbox is configured. */
const found = ["authorization_server", "wallet_portal", "billing_engine"] as const;
const missing = ["discovery_directory", "static_assets"] as const;
const board = boardWith([
  ...components.flatMap(({ key }) => demoOf(key)),
  ...found.map((key) => said(key, "operational", { at: ago(60_000) })),
  ...missing.map((key) =>
    said(key, "unknown", { at: ago(60_000), about: { reason: "Manifest: not deployed (HTTP 404)" } }),
  ),
  said("sandbox", "unknown", { at: ago(60_000), about: { reason: notDeployed } }),
]);
const context = { board, now, statusUrl };
const absent = [...missing, "sandbox"];

describe("a component that isn't deployed (docs/spec/status.md)", () => {
  test("is shown as not deployed, without days, figures, intervals or budget", () => {
    const { components: all } = toComponents(context);
    for (const { id, deployed, state, uptime_this_month, days } of all) {
      if (absent.includes(id))
        expect([id, deployed, state, uptime_this_month, days]).toEqual([id, false, "unknown", null, []]);
      else expect([id, deployed, days.length]).toEqual([id, true, 90]);
    }
    expect(
      toSummary(context)
        .components.filter(({ deployed }) => !deployed)
        .map(({ id }) => id),
    ).toEqual(absent);
    for (const id of missing) {
      const [uptime] = toUptime(context, id).components;
      expect(uptime).toMatchObject({ deployed: false, measured_since: null, months: [], intervals: [], days: [] });
      expect(uptime?.last_90_days.uptime).toBeNull();
      expect(findUnexplainedDays(board, now, { month: "2026-11", component: id })).toEqual({
        isMeasured: false,
        unexplained: [],
      });
    }
  });

  test("doesn't count for the overall state, error budgets and the release gate", () => {
    expect(toSummary(context).overall).toEqual({
      state: "operational",
      description: "All deployed components are operational",
    });
    const statuspage = statuspageViews.summary({ board, now, statusUrl });
    expect(statuspage.components.map(({ id }) => id)).toEqual([...found]);
    expect(statuspage.status.indicator).toBe("none");
    const { month, components: budgets } = toErrorBudgets(context);
    expect(budgets.map(({ id }) => id)).toEqual([...found]);
    expect(evaluateReleaseGate(month, budgets).lines.join()).not.toContain("Static asset bundle");
  });

  test.each<[string, ComponentChange[], boolean]>([
    ["without records isn't deployed", [], false],
    ["that has only demo records counts as deployed", demoOf("static_assets"), true],
    ["that no probe has found isn't deployed", [said("static_assets", "unknown", { at: ago(1_000) })], false],
    [
      "that a probe found working once counts as deployed",
      [said("static_assets", "degraded", { at: ago(2_000) }), said("static_assets", "unknown", { at: ago(1_000) })],
      true,
    ],
    [
      "with an operator's state counts as deployed",
      [
        said("static_assets", "unknown", { at: ago(2_000) }),
        said("static_assets", "major_outage", {
          at: ago(1_000),
          about: { source: "operator", subject: "inc_1", actor: "acc_1" },
        }),
      ],
      true,
    ],
  ])("an optional component %s", (_, changes, expected) => {
    expect(isDeployed(boardWith(changes), "static_assets", now.getTime())).toBe(expected);
  });

  test("a required component counts as deployed before the first probe, and if the probe's responses were missed", () => {
    for (const changes of [
      [],
      [said("wallet_portal", "unknown", { at: ago(1_000), about: { reason: "Sign-in page: no response" } })],
    ])
      expect(isDeployed(boardWith(changes), "wallet_portal", now.getTime())).toBe(true);
  });
});
