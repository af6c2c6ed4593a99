import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Budget, type Download, recompute } from "#e2e/outside/recompute-uptime.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { seedStatus } from "../../../prisma/seed/status.ts";
import { addLatency } from "../../data/platform/latency.ts";
import { createBoardReader, loadBoard } from "../../status/board/load-board.ts";
import type { Board } from "../../status/rules/board.ts";
import { freezeDays } from "../../status/uptime/freeze-days.ts";
import { statusRouter } from "./status.ts";

const minute = 60_000;
let deps: TestDeps;
let board: Board;
beforeAll(async () => {
  deps = await createTestDeps({ now: new Date("2026-11-21T14:07:31.204Z") });
  await seedStatus(deps, "acc_operator");
  await freezeDays(deps);
  board = await loadBoard(deps);
});
afterAll(() => deps.close());

const nothing = async () => {
  throw new Error("a read must not write");
};
const ask = (of: Board = board) =>
  statusRouter.createCaller({
    status: {
      config: deps.config,
      db: deps.db,
      clock: deps.clock,
      sealer: deps.sealer,
      outbound: deps.outbound,
      log: deps.log,
      board: () => of,
      productionUrl: "http://127.0.0.1:9",
      sandboxUrl: "http://127.0.0.1:9",
      journal: { append: nothing, pending: () => [] },
    },
  });

describe("the figures can be recomputed from the download, to the second (docs/spec/status.md, Uptime)", () => {
  test("for 90 days of demo data, for every component and month, with budgets and the chain of days", async () => {
    const { components: budgets } = await ask().errorBudgets();
    const { components } = await ask().uptime({});
    const seeded = components.filter(({ deployed }) => deployed);
    expect(seeded).toHaveLength(6);
    for (const { id } of seeded) {
      const { checked_at, components: whole } = await ask().uptime({ component: id });
      const [download] = whole as Download[];
      const budget = budgets.find((one) => one.id === id) as Budget | undefined;
      expect(download && recompute(download, budget, checked_at)).toEqual([]);
      expect(download?.intervals?.length).toBeGreaterThan(2);
      expect(download?.days?.filter(({ frozen }) => frozen)).toHaveLength(90);
    }
  });

  test("recomputing finds a figure that is wrong by one second", async () => {
    const { checked_at, components: whole } = await ask().uptime({ component: "sandbox" });
    const [download] = whole as unknown as [Download];
    const wrong = { ...download.last_90_days, down_ms: download.last_90_days.down_ms + 1001 };
    expect(recompute({ ...download, last_90_days: wrong }, undefined, checked_at)).toHaveLength(1);
    const forged = (download.days ?? []).map((day) => ({
      ...day,
      frozen: day.frozen && { ...day.frozen, figures: { ...day.frozen.figures, down: 0 } },
    }));
    const [problem] = recompute({ ...download, days: forged }, undefined, checked_at);
    expect(problem).toContain("the frozen day was altered");
  });

  test("the sandbox's announced resets are excluded, and outages caused by production count as up", async () => {
    const { components } = await ask().uptime({ component: "sandbox" });
    const [sandbox] = components;
    const resets = board.maintenances.length;
    expect(resets).toBeGreaterThan(11);
    expect(sandbox?.last_90_days).toMatchObject({ excluded_ms: resets * 8 * minute, down_ms: 50 * minute });
  });
});

describe("GET /status/v1/error-budgets", () => {
  test("compares this month's latency with each target", async () => {
    const counts = Array.from({ length: 20 }, (_, bucket) => (bucket === 7 ? 100 : 0));
    const row = { requests: 100, errors: 0, counts };
    const on = (day: string) => new Date(`2026-${day}T10:00:00Z`);
    const add = (day: string, operations: readonly string[]) =>
      addLatency(deps.db.sql, {
        at: on(day),
        process: "a",
        rows: operations.map((operation) => ({ operation, ...row })),
        total: row,
      });
    await add("10-31", ["token"]);
    await add("11-02", ["getStatusList", "getNewestStatusList"]);
    await add("11-03", ["verifyMandate"]);
    const { latency } = await ask(await createBoardReader(deps)()).errorBudgets();
    expect(latency.map(({ endpoint, requests, p95, p99 }) => [endpoint, requests, p95.met, p99.met])).toEqual([
      ["POST /oauth/par", 0, null, null],
      ["POST /oauth/token", 0, null, null],
      ["POST /merchant_test/verify-mandate", 100, false, true],
      ["GET /oauth/status-list", 200, false, true],
      ["POST /merchant_test/charge", 0, null, null],
    ]);
    expect(latency[2]?.p95).toEqual({ target_ms: 40, measured_ms: 59, met: false });
  });

  test("lists each component with an objective, with 43.2 minutes per month at 99.9%", async () => {
    const { components, month } = await ask().errorBudgets();
    expect(month).toBe("2026-11");
    expect(components.map(({ id }) => id)).not.toContain("sandbox");
    expect(components[0]).toMatchObject({ id: "authorization_server", allowed_ms: 43.2 * minute, policy: "features" });
  });

  test("returns 'reliability first' if the budget is used up", async () => {
    const out = { ...board.changes[0], component: "wallet_portal", source: "operator", subject: "inc_x" } as const;
    const change = (state: "major_outage" | "operational", at: string) =>
      ({ ...out, id: at, state, at: new Date(at), reason: "", actor: "" }) as const;
    const changes = [
      ...board.changes,
      change("major_outage", "2026-11-10T00:00:00Z"),
      change("operational", "2026-11-10T00:43:12Z"),
    ];
    const { components } = await ask({ ...board, changes }).errorBudgets();
    expect(components.find(({ id }) => id === "wallet_portal")).toMatchObject({
      used_ms: 43.2 * minute,
      left_ms: 0,
      used_up: true,
      policy: "reliability_first",
      meaning: expect.stringContaining("reliability comes first"),
    });
  });
});

describe("unpublished content is not public", () => {
  test("drafts and unpublished postmortems are in no response", async () => {
    const [incident] = board.incidents;
    if (!incident?.postmortem) throw new Error("no incident was seeded");
    const draft = { ...incident, id: "inc_secret", title: "secret", state: "draft" as const, publicAt: null };
    const unpublished = { ...incident, postmortem: { ...incident.postmortem, summary: "secret", publishedAt: null } };
    const caller = ask({ ...board, incidents: [draft, unpublished] });
    const answers = [
      await caller.summary(),
      await caller.components(),
      await caller.incidents(),
      await caller.uptime({}),
    ];
    expect(JSON.stringify(answers)).not.toContain("secret");
    expect((await caller.incidents()).incidents).toHaveLength(1);
  });

  test("no response names the author", async () => {
    const caller = ask();
    const answers = [await caller.summary(), await caller.incidents(), await caller.uptime({ component: "sandbox" })];
    expect(JSON.stringify(answers)).not.toContain("acc_operator");
  });
});

describe("cascade (docs/spec/status.md, Dependencies)", () => {
  const affected = async (component: "authorization_server" | "sandbox") => {
    const out = { component, source: "operator", subject: "inc_x", state: "major_outage" } as const;
    const changes = [
      ...board.changes,
      { ...out, id: "x", reason: "", actor: "", at: new Date("2026-11-21T14:00:00Z") },
    ];
    const { components } = await ask({ ...board, changes }).summary();
    return components.filter(({ affected_by }) => affected_by.length > 0);
  };

  test("an outage of production marks the sandbox as affected", async () => {
    expect(await affected("authorization_server")).toMatchObject([
      { id: "sandbox", affected_by: ["Authorization server"] },
    ]);
  });

  test("an outage of the sandbox affects no other component", async () => {
    expect(await affected("sandbox")).toEqual([]);
  });
});

describe("GET /status/v1/summary and /components", () => {
  test("returns the current states right after the last probe", async () => {
    const { overall, components, incidents } = await ask().summary();
    expect(overall).toEqual({ state: "operational", description: "All components are operational" });
    expect(components.filter(({ deployed }) => deployed).map(({ state }) => state)).toEqual(
      Array(6).fill("operational"),
    );
    expect(incidents).toEqual([]);
  });

  test("never returns an outdated 'operational': if the last probe is over 90 seconds ago, every state is unknown", async () => {
    const later = new Date(deps.clock.now().getTime() + 90_001);
    const { components } = await statusRouter
      .createCaller({
        status: {
          config: deps.config,
          db: deps.db,
          sealer: deps.sealer,
          outbound: deps.outbound,
          log: deps.log,
          clock: { now: () => later },
          board: () => board,
          productionUrl: "http://127.0.0.1:9",
          sandboxUrl: null,
          journal: { append: nothing, pending: () => [] },
        },
      })
      .summary();
    expect(new Set(components.map(({ state }) => state))).toEqual(new Set(["unknown"]));
  });

  test("returns 90 days per component, today last", async () => {
    const { components } = await ask().components();
    for (const { days } of components.filter(({ deployed }) => deployed)) {
      expect(days).toHaveLength(90);
      expect(days.at(-1)?.day).toBe("2026-11-21");
    }
  });
});
