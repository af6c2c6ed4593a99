import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { scheduleTestMaintenance, updateInput } from "../incidents/incidents.fixture.ts";
import { cancelMaintenance } from "./cancel-maintenance.ts";
import { completeMaintenance } from "./complete-maintenance.ts";
import { getMaintenance } from "./get-maintenance.ts";
import { listMaintenances } from "./list-maintenances.ts";
import { runDueMaintenances } from "./run-due-maintenances.ts";
import { scheduleMaintenance } from "./schedule-maintenance.ts";
import { startMaintenance } from "./start-maintenance.ts";
import { updateMaintenance } from "./update-maintenance.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const hour = 3600;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { code: string }) => error.code,
  );
const saidOf = async (subject: string) =>
  (await deps.db.prisma.componentChange.findMany({ where: { subject }, orderBy: { at: "asc" } })).map(
    ({ component, state, at }) => ({ component, state, at }),
  );
const runDue = (on: TestDeps = deps) => runDueMaintenances(on, { limit: 10 });

describe("the announcement of a maintenance window (docs/spec/status.md, Maintenance)", () => {
  test("is made once per id, and sets no component state yet", async () => {
    const input = {
      maintenanceId: newId("mtn"),
      title: "New database",
      components: ["billing_engine" as const],
      from: addSeconds(deps.clock.now(), hour),
      to: addSeconds(deps.clock.now(), 2 * hour),
      ...updateInput(),
    };
    const other = await anotherNode(deps);
    const answers = await Promise.all([scheduleMaintenance(deps, input), scheduleMaintenance(other, input)]);
    expect(answers.map(({ isNew }) => isNew).toSorted()).toEqual([false, true]);
    deps.clock.advance(3 * hour);
    expect(await scheduleMaintenance(deps, input)).toMatchObject({ isNew: false });
    const maintenance = await getMaintenance(deps, input);
    expect(maintenance).toMatchObject({ state: "scheduled", startedAt: null, updates: [{ sequence: 1 }] });
    expect(await saidOf(input.maintenanceId)).toEqual([]);
    while ((await runDue()) > 0);
    await other.close();
  });

  test("is refused if its update id is already used by another maintenance window", async () => {
    const { updateId } = updateInput();
    const from = addSeconds(deps.clock.now(), hour);
    const announced = { from, to: addSeconds(from, hour), updateId };
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () =>
        scheduleTestMaintenance(deps, announced).catch(({ code }: { code: string }) => code),
      ),
    );
    const [maintenanceId = "", ...others] = outcomes.filter((outcome) => outcome !== "update_id_taken");
    expect([outcomes.length, others]).toEqual([4, []]);
    await cancelMaintenance(deps, { maintenanceId, ...updateInput("Not needed.") });
  });

  test("is refused if the window isn't in the future", async () => {
    const window = { from: addSeconds(deps.clock.now(), -1), to: addSeconds(deps.clock.now(), hour) };
    await expect(scheduleTestMaintenance(deps, window)).rejects.toMatchObject({
      code: "invalid_request",
      errors: [{ pointer: "/from" }],
    });
  });
});

describe("a maintenance window", () => {
  test("can be started and completed earlier by an operator; its components are in maintenance during that time", async () => {
    const maintenanceId = await scheduleTestMaintenance(deps);
    const began = deps.clock.now();
    await startMaintenance(deps, { maintenanceId, ...updateInput() });
    deps.clock.advance(60);
    await updateMaintenance(deps, { maintenanceId, ...updateInput("Half way.") });
    deps.clock.advance(60);
    await completeMaintenance(deps, { maintenanceId, ...updateInput() });
    const { startedAt, endedAt, state, updates } = await getMaintenance(deps, { maintenanceId });
    expect(state).toBe("completed");
    expect(startedAt && startedAt.getTime() - began.getTime()).toBeLessThan(10);
    expect(updates.map((update) => update.state)).toEqual(["scheduled", "in_progress", "in_progress", "completed"]);
    expect(await saidOf(maintenanceId)).toEqual([
      { component: "billing_engine", state: "maintenance", at: startedAt },
      { component: "billing_engine", state: "operational", at: endedAt },
    ]);
    deps.clock.advance(3 * hour);
    expect(await runDue()).toBe(0);
  });

  test("starts and completes at the announced times, even if the worker is late", async () => {
    const maintenanceId = await scheduleTestMaintenance(deps);
    const { scheduledFrom, scheduledTo } = await getMaintenance(deps, { maintenanceId });
    expect(await runDue()).toBe(0);
    deps.clock.set(addSeconds(scheduledTo, 6 * hour));
    expect([await runDue(), await runDue(), await runDue()]).toEqual([1, 1, 0]);
    expect(await getMaintenance(deps, { maintenanceId })).toMatchObject({
      state: "completed",
      startedAt: scheduledFrom,
      endedAt: scheduledTo,
      updates: [{}, { actor: "run-maintenances" }, { actor: "run-maintenances" }],
    });
    expect(await saidOf(maintenanceId)).toMatchObject([{ at: scheduledFrom }, { at: scheduledTo }]);
  });

  test("can't be canceled after its start, even if the start isn't recorded", async () => {
    const maintenanceId = await scheduleTestMaintenance(deps);
    const { scheduledFrom } = await getMaintenance(deps, { maintenanceId });
    deps.clock.set(addSeconds(scheduledFrom, 600));
    expect(await codeOf(cancelMaintenance(deps, { maintenanceId, ...updateInput() }))).toBe("maintenance_in_progress");
    await startMaintenance(deps, { maintenanceId, ...updateInput() });
    expect(await getMaintenance(deps, { maintenanceId })).toMatchObject({ startedAt: scheduledFrom });
    await completeMaintenance(deps, { maintenanceId, ...updateInput() });
  });

  test("is started once by two concurrent workers and an operator", async () => {
    const [maintenanceId, other] = [await scheduleTestMaintenance(deps), await anotherNode(deps)];
    deps.clock.set((await getMaintenance(deps, { maintenanceId })).scheduledFrom);
    const byHand = codeOf(startMaintenance(deps, { maintenanceId, ...updateInput() }));
    await Promise.all([runDue(), runDue(other), byHand]);
    expect([null, "maintenance_in_progress"]).toContain(await byHand);
    expect(await saidOf(maintenanceId)).toHaveLength(1);
    expect((await getMaintenance(deps, { maintenanceId })).updates).toHaveLength(2);
    await completeMaintenance(deps, { maintenanceId, ...updateInput() });
    await other.close();
  });

  test("is started once by a double click", async () => {
    const input = { maintenanceId: await scheduleTestMaintenance(deps), ...updateInput() };
    const answers = await Promise.all([startMaintenance(deps, input), startMaintenance(deps, input)]);
    expect(answers.map(({ isNew }) => isNew).toSorted()).toEqual([false, true]);
    await completeMaintenance(deps, { ...input, ...updateInput() });
  });
});

describe("a canceled maintenance window", () => {
  test("doesn't affect the uptime and doesn't start", async () => {
    const maintenanceId = await scheduleTestMaintenance(deps);
    await cancelMaintenance(deps, { maintenanceId, ...updateInput("Not needed.") });
    deps.clock.advance(5 * hour);
    expect(await runDue()).toBe(0);
    expect(await saidOf(maintenanceId)).toEqual([]);
    expect(await getMaintenance(deps, { maintenanceId })).toMatchObject({ state: "cancelled", startedAt: null });
  });

  test("doesn't start, even if the start is requested concurrently", async () => {
    const [maintenanceId, other] = [await scheduleTestMaintenance(deps), await anotherNode(deps)];
    const codes = await Promise.all([
      codeOf(cancelMaintenance(deps, { maintenanceId, ...updateInput() })),
      codeOf(startMaintenance(other, { maintenanceId, ...updateInput() })),
    ]);
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    const { state } = await getMaintenance(deps, { maintenanceId });
    expect(await saidOf(maintenanceId)).toHaveLength(state === "cancelled" ? 0 : 1);
    await other.close();
  });

  test("gets no further updates", async () => {
    const maintenanceId = await scheduleTestMaintenance(deps);
    await cancelMaintenance(deps, { maintenanceId, ...updateInput() });
    for (const act of [startMaintenance, completeMaintenance, cancelMaintenance, updateMaintenance]) {
      expect(await codeOf(act(deps, { maintenanceId, ...updateInput() }))).toBe("maintenance_cancelled");
    }
    const { maintenances } = await listMaintenances(deps, { search: maintenanceId, limit: 10 });
    expect(maintenances.map(({ updates }) => updates.length)).toEqual([2]);
  });
});

test("an unknown maintenance window is not found", async () => {
  const nowhere = { maintenanceId: "mtn_nowhere" };
  expect(await codeOf(startMaintenance(deps, { ...nowhere, ...updateInput() }))).toBe("maintenance_not_found");
  expect(await codeOf(getMaintenance(deps, nowhere))).toBe("maintenance_not_found");
});

describe("lists of maintenance windows", () => {
  test("the pages of a list contain every window, even if there are more than 100", async () => {
    const own = await createTestDeps();
    const at = own.clock.now();
    const ids = Array.from({ length: 105 }, (_, index) => `mtn_p${String(index).padStart(3, "0")}`);
    await own.db.prisma.maintenance.createMany({
      data: ids.map((id, index) => ({
        id,
        title: `Window ${index}`,
        state: index % 2 === 0 ? ("completed" as const) : ("cancelled" as const),
        components: ["sandbox"],
        announcedAt: at,
        scheduledFrom: addSeconds(at, Math.floor(index / 3) * 3600),
        scheduledTo: addSeconds(at, Math.floor(index / 3) * 3600 + 60),
        actor: "acc_operator",
      })),
    });
    const found: string[] = [];
    for (let hasMore = true; hasMore; ) {
      const page = await listMaintenances(own, { startingAfter: found.at(-1), limit: 25 });
      found.push(...page.maintenances.map(({ id }) => id));
      hasMore = page.hasMore;
    }
    expect(found).toEqual(ids.toReversed());
    const canceled = await listMaintenances(own, { state: "cancelled", search: "window 1", limit: 100 });
    expect(canceled.maintenances.map(({ title }) => title)).toContain("Window 103");
    expect(canceled.maintenances.every(({ state }) => state === "cancelled")).toBe(true);
    await own.close();
  });

  test("the next page of a list follows the cursor, even if the window at the cursor no longer matches the filter", async () => {
    const own = await createTestDeps();
    const from = addSeconds(own.clock.now(), hour);
    const ids: string[] = [];
    for (let count = 0; count < 4; count++) {
      ids.push(await scheduleTestMaintenance(own, { from, to: addSeconds(from, hour) }));
    }
    const [first, last = "", ...earlier] = ids.toSorted().toReversed();
    const page = async (startingAfter?: string) => {
      const { maintenances, hasMore } = await listMaintenances(own, { state: "scheduled", startingAfter, limit: 2 });
      return { ids: maintenances.map(({ id }) => id), hasMore };
    };
    expect(await page()).toEqual({ ids: [first, last], hasMore: true });
    await cancelMaintenance(own, { maintenanceId: last, ...updateInput("Not needed.") });
    expect(await page(last)).toEqual({ ids: earlier, hasMore: false });
    expect(await page("mtn_unknown")).toEqual({ ids: [], hasMore: false });
    await own.close();
  });
});
