import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { startWorker } from "../../jobs/runner.ts";
import { announceResetsJob } from "../../jobs/status/sandbox-resets.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { cancelMaintenance } from "./cancel-maintenance.ts";
import { listMaintenances } from "./list-maintenances.ts";
import { runDueMaintenances } from "./run-due-maintenances.ts";

const saturday = new Date("2026-11-21T12:00:00Z");
const hour = 3600;
let deps: TestDeps;
let node: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ now: saturday, config: { environment: "production" } });
  node = await anotherNode(deps);
});
afterAll(async () => {
  await node?.close();
  await deps?.close();
});

const announce = (on: TestDeps = deps) => announceResetsJob.run(on);
const windows = async (on: TestDeps = deps) => (await listMaintenances(on, { limit: 100 })).maintenances;
const announcements = async () =>
  (await windows()).map(({ scheduledFrom, state }) => `${scheduledFrom.toISOString()} ${state}`).sort();

describe("the announcement of the sandbox's weekly reset (docs/spec/sandbox.md, Reset)", () => {
  test("is made once per reset, with any number of workers and runs", async () => {
    await Promise.all([announce(), announce(node)]);
    expect(await announce()).toEqual({ announced: 0, cancelled: 0 });
    expect(await announcements()).toEqual(["2026-11-22T03:00:00.000Z scheduled", "2026-11-29T03:00:00.000Z scheduled"]);
    expect((await windows())[0]).toMatchObject({ components: ["sandbox"], actor: "announce-resets" });
  });

  test("is made every week, at least 72 hours ahead; the maintenance window starts and completes automatically", async () => {
    deps.clock.set(addSeconds(saturday, 24 * hour));
    while ((await runDueMaintenances(deps, { limit: 10 })) > 0);
    expect(await announce()).toEqual({ announced: 1, cancelled: 0 });
    expect(await announcements()).toEqual([
      "2026-11-22T03:00:00.000Z completed",
      "2026-11-29T03:00:00.000Z scheduled",
      "2026-12-06T03:00:00.000Z scheduled",
    ]);
    for (const { announcedAt, scheduledFrom, state } of await windows()) {
      const ahead = (scheduledFrom.getTime() - announcedAt.getTime()) / 1000;
      if (state === "scheduled") expect(ahead).toBeGreaterThanOrEqual(72 * hour);
    }
  });

  test("is canceled if the schedule changes, and can't be canceled by an operator", async () => {
    const second = (await windows()).find(({ scheduledFrom }) => scheduledFrom.getUTCMonth() === 11);
    const by = { actor: { kind: "operator", id: "acc_operator" } as const, requestId: "req" };
    const byOperator = cancelMaintenance(deps, {
      maintenanceId: second?.id ?? "",
      updateId: newId("upd"),
      text: "No.",
      ...by,
    });
    await expect(byOperator).rejects.toMatchObject({ code: "reset_by_schedule" });
    const wednesday = { weekday: 3, hour: 4, minute: 30 };
    const moved = { ...deps, config: { ...deps.config, sandboxReset: wednesday } };
    expect(await announceResetsJob.run(moved)).toEqual({ announced: 2, cancelled: 2 });
    expect(await announcements()).toEqual([
      "2026-11-22T03:00:00.000Z completed",
      "2026-11-25T04:30:00.000Z scheduled",
      "2026-11-29T03:00:00.000Z cancelled",
      "2026-12-02T04:30:00.000Z scheduled",
      "2026-12-06T03:00:00.000Z cancelled",
    ]);
    const never = { ...deps, config: { ...deps.config, sandboxReset: null } };
    expect(await announceResetsJob.run(never)).toEqual({ announced: 0, cancelled: 2 });
  });

  test("is made once more if the reset is scheduled again", async () => {
    expect(await announce()).toEqual({ announced: 2, cancelled: 0 });
    expect(await announce()).toEqual({ announced: 0, cancelled: 0 });
    const never = { ...deps, config: { ...deps.config, sandboxReset: null } };
    expect(await announceResetsJob.run(never)).toEqual({ announced: 0, cancelled: 2 });
    expect(await announce(node)).toEqual({ announced: 2, cancelled: 0 });
    const ofThatDay = (await announcements()).filter((one) => one.startsWith("2026-11-29"));
    expect(ofThatDay).toEqual([
      "2026-11-29T03:00:00.000Z cancelled",
      "2026-11-29T03:00:00.000Z cancelled",
      "2026-11-29T03:00:00.000Z scheduled",
    ]);
  });

  test("is made when a worker starts, since the schedule may have changed", async () => {
    const own = await createTestDeps({ now: saturday, config: { environment: "production" } });
    const workers = await Promise.all([startWorker(own), startWorker(own)]);
    const announced = async () => (await windows(own)).map(({ scheduledFrom }) => scheduledFrom.toISOString());
    await expect.poll(announced).toHaveLength(2);
    expect((await announced()).sort()).toEqual(["2026-11-22T03:00:00.000Z", "2026-11-29T03:00:00.000Z"]);
    await Promise.all(workers.map((worker) => worker.stop()));
    await own.close();
  });
});
