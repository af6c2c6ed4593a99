import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { sumDueCharges } from "../../charges/lists/sum-due-charges.ts";
import { addJobPulse } from "../../data/jobs/job-pulses.ts";
import { dispatchEvents } from "../../jobs/messages/dispatch-events.ts";
import { deleteExpiredRows } from "../../jobs/upkeep/delete-expired-rows.ts";
import { startRecording } from "../../platform/metrics/record-latency.ts";
import { createRequestMetrics } from "../../platform/metrics/request-metrics.ts";
import { findServiceCharges, findServiceQueues, findServiceRequests } from "./find-service-figures.ts";

const now = new Date("2026-11-21T12:30:30Z");
const at = (time: string) => new Date(`2026-11-21T${time}Z`);
let deps: TestDeps;
let node: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors, now });
  node = await anotherNode(deps);
});
afterAll(async () => {
  await node?.close();
  await deps?.close();
});

/** A process that answers these requests in the current minute of the test clock and then ends. */
const answer = async (on: TestDeps, requests: readonly { status: number; milliseconds: number }[]) => {
  const metrics = createRequestMetrics();
  const recording = startRecording(on, metrics);
  for (const request of requests) metrics.observe({ operation: "token", ...request });
  await recording.stop();
};
const ok = (milliseconds: number) => ({ status: 200, milliseconds });

const countOf = async (range: "hour" | "day") =>
  (await findServiceCharges(deps, { range })).reduce((sum, { count }) => sum + count, 0);
const loadAll = (on: TestDeps) =>
  Promise.all([
    findServiceRequests(on, { range: "hour" }),
    findServiceQueues(on),
    findServiceCharges(on, { range: "hour" }),
  ]);

/** How many statements `work` sends to the database. */
const countStatements = async (work: (counted: TestDeps) => Promise<unknown>): Promise<number> => {
  let count = 0;
  const sql: TestDeps["db"]["sql"] = {
    query: (statement, values) => {
      count += 1;
      return deps.db.sql.query(statement, values);
    },
  };
  await work({ ...deps, db: { ...deps.db, sql } });
  return count;
};

describe("live figures (docs/spec/portal.md, Live figures)", () => {
  test("add up all processes, minute by minute", async () => {
    deps.clock.set(at("12:10:20"));
    await Promise.all([answer(deps, [ok(15), ok(15), ok(15)]), answer(node, [{ status: 503, milliseconds: 700 }])]);
    deps.clock.set(at("12:28:59"));
    await Promise.all([answer(deps, [ok(15)]), answer(node, [])]);
    deps.clock.set(now);
    const { points, current, total } = await findServiceRequests(deps, { range: "hour" });
    expect(points).toHaveLength(60);
    expect(points[0]?.at).toEqual(at("11:30:00"));
    const pointAt = (time: string) => points.find((point) => point.at.getTime() === at(time).getTime());
    expect(pointAt("12:10:00")).toMatchObject({ requestsPerMinute: 4, errorsPerMinute: 1 });
    expect(pointAt("12:10:00")?.p95).toBeGreaterThan(500);
    expect(pointAt("12:28:00")).toMatchObject({ requestsPerMinute: 1, errorsPerMinute: 0 });
    expect(pointAt("12:29:00")).toMatchObject({ requestsPerMinute: null });
    expect(current).toMatchObject({ requests: 1, requestsPerMinute: 1, processes: 2 });
    expect(total).toMatchObject({ requests: 5, errors: 1 });
  });

  test("a day has steps of 15 minutes, each with the mean of its minutes", async () => {
    const { points } = await findServiceRequests(deps, { range: "day" });
    expect(points).toHaveLength(96);
    expect(points.at(-1)).toMatchObject({ at: at("12:15:00"), requestsPerMinute: 0.1 });
    expect(points.filter(({ requestsPerMinute }) => requestsPerMinute !== null)).toHaveLength(2);
  });

  test("a process writes each of its minutes once, including minutes without requests", async () => {
    const rows = await deps.db.prisma.requestMinute.findMany({ orderBy: [{ minute: "asc" }, { requests: "asc" }] });
    expect(rows.map(({ minute, requests }) => [minute, Number(requests)])).toEqual([
      [at("12:10:00"), 1],
      [at("12:10:00"), 3],
      [at("12:28:00"), 0],
      [at("12:28:00"), 1],
    ]);
    expect(new Set(rows.map(({ process }) => process)).size).toBe(4);
  });

  test("charges of all merchants within the period are counted by state", async () => {
    await (await makeChargeableMandate(deps)).charge();
    await (await makeChargeableMandate(deps)).charge();
    deps.clock.advance(30);
    expect(await countOf("hour")).toBe(2);
    deps.clock.advance(3600);
    expect(await findServiceCharges(deps, { range: "hour" })).toEqual([]);
    expect(await countOf("day")).toBe(2);
  });

  test("a day's charges are summed by finished quarters of an hour, and each charge counts once", async () => {
    const own = await createTestDeps({ processors: scriptedProcessor().processors, now: at("12:07:00") });
    const setup = await makeChargeableMandate(own);
    const count = async () =>
      (await findServiceCharges(own, { range: "day" })).reduce((sum, one) => sum + one.count, 0);
    await setup.charge();
    own.clock.set(at("12:40:00"));
    await setup.charge();
    await setup.charge();
    while ((await dispatchEvents(own)) > 0);
    own.clock.set(at("16:00:00"));
    expect(await sumDueCharges(own, { limit: 10 })).toBe(2);
    await setup.charge();
    own.clock.advance(1);
    expect(await count()).toBe(4);
    own.clock.set(at("23:00:00"));
    while ((await dispatchEvents(own)) > 0);
    expect(await sumDueCharges(own, { limit: 10 })).toBe(1);
    // The period begins within the first charge's quarter of an hour, so the sum of this quarter isn't read.
    own.clock.set(new Date("2026-11-22T12:06:00Z"));
    expect(await count()).toBe(4);
    own.clock.set(new Date("2026-11-22T12:08:00Z"));
    expect(await count()).toBe(3);
    await own.db.prisma.$executeRaw`UPDATE charge_sum SET count = 1000`;
    own.clock.advance(61);
    expect(await count()).toBe(2_000);
    await own.close();
  });

  test("queues are shown with their oldest item, and with the last report of a worker", async () => {
    const ranAt = deps.clock.now();
    const pulse = { okAt: ranAt, runs: 1, failures: 0, done: 0, lastError: null, failedAt: null };
    await addJobPulse(deps.db.sql, { name: "send-mail", ranAt, ...pulse });
    const createdAt = new Date(ranAt.getTime() - 90_000);
    await deps.db.prisma.event.updateMany({ data: { createdAt } });
    deps.clock.advance(10);
    const { queues, workerSeenAt } = await findServiceQueues(deps);
    expect(workerSeenAt).toEqual(ranAt);
    expect(queues.map(({ queue }) => queue).toSorted()).toEqual(["charges", "events", "jobs", "mail", "webhooks"]);
    expect(queues.find(({ queue }) => queue === "events")).toMatchObject({ lagSeconds: 100 });
    expect(queues.find(({ queue }) => queue === "mail")).toEqual({ queue: "mail", waiting: 0, lagSeconds: 0 });
  });

  test("concurrent readers share five statements; a failure isn't cached", async () => {
    deps.clock.advance(100);
    const statements = await countStatements((counted) =>
      Promise.all(Array.from({ length: 20 }, () => loadAll(counted))),
    );
    expect(statements).toBe(5);
    const away = { ...deps.db, sql: { query: () => Promise.reject(new Error("away")) } };
    await expect(findServiceRequests({ ...deps, db: away }, { range: "hour" })).rejects.toThrow("away");
    const again = Object.assign(away, { sql: deps.db.sql });
    expect((await findServiceRequests({ ...deps, db: again }, { range: "hour" })).points).toHaveLength(60);
  });

  test("rows are deleted after a day", async () => {
    deps.clock.set(at("12:00:00"));
    deps.clock.advance(24 * 3600);
    await deleteExpiredRows(deps);
    expect(await deps.db.prisma.requestMinute.count()).toBe(4);
    deps.clock.advance(2 * 3600);
    await deleteExpiredRows(deps);
    expect(await deps.db.prisma.requestMinute.count()).toBe(0);
  });
});
