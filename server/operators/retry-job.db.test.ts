import { randomUUID } from "node:crypto";
import { PgBoss } from "pg-boss";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { toJobs } from "../trpc/operator/operator-service-views.ts";
import { listJobs } from "./list-jobs.ts";
import { retryJob } from "./retry-job.ts";

let deps: TestDeps;
let boss: PgBoss;
const name = "test-job";
const by = {
  actor: { kind: "operator", id: "acc_operator" } as const,
  requestId: "req_test",
  reason: "Fixed the disk",
};

beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(async () => {
  await boss?.stop({ graceful: false, close: true });
  await deps.close();
});

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { code: string }) => error.code,
  );
const failOne = async (job = name): Promise<string> => {
  await boss.send(job, {});
  const [run] = await boss.fetch(job);
  if (!run) throw new Error("nothing was queued");
  await boss.fail(job, run.id, { message: "the disk is full" });
  return run.id;
};
const audits = async () =>
  (await deps.db.prisma.$queryRaw<object[]>`SELECT 1 FROM audit_entry WHERE action = 'job.retried'`).length;

describe("listing and retrying jobs (docs/spec/operations.md, Jobs)", () => {
  test("lists nothing before the first worker starts", async () => {
    expect(await listJobs(deps)).toEqual({ ticks: [], schedules: [], failed: [] });
    expect(await codeOf(retryJob(deps, { runId: randomUUID(), ...by }))).toBe("job_run_not_found");
  });

  test("lists a schedule with its last run, and a failed run with its error", async () => {
    boss = new PgBoss({
      connectionString: deps.config.databaseUrl,
      schema: "pgboss",
      schedule: false,
      supervise: false,
    });
    // If the database closes a connection, pg-boss emits an error, which Node throws if there is no listener.
    boss.on("error", () => {});
    await boss.start();
    await boss.createQueue(name, { policy: "exclusive", retryLimit: 0 });
    await boss.schedule(name, "0 3 * * *", null, { tz: "UTC" });
    expect((await listJobs(deps)).schedules).toMatchObject([{ name, cron: "0 3 * * *", lastState: null }]);
    const id = await failOne();
    const { schedules, failed } = await listJobs(deps);
    expect(schedules).toMatchObject([{ name, lastState: "failed" }]);
    expect(failed).toMatchObject([{ id, name, attempts: 1, output: { message: "the disk is full" } }]);
    const pulse = { name: "a-test-tick", ranAt: deps.clock.now() };
    await deps.db.prisma.jobPulse.create({ data: pulse });
    const find = async (search: string) => {
      const found = await listJobs(deps, { search });
      return [found.ticks, found.schedules, found.failed].map((jobs) => jobs.map((job) => job.name));
    };
    expect(await find("TEST-")).toEqual([["a-test-tick"], [name], [name]]);
    expect(await find("test-j")).toEqual([[], [name], [name]]);
    expect(await find("a%tick")).toEqual([[], [], []]);
  });

  test("retries a failed run once, with an audit entry; a double click changes nothing", async () => {
    const [failed] = (await listJobs(deps)).failed;
    const runId = failed?.id ?? "";
    const answers = await Promise.all([retryJob(deps, { runId, ...by }), retryJob(deps, { runId, ...by })]);
    expect(answers.map(({ isNew }) => isNew).toSorted()).toEqual([false, true]);
    expect((await listJobs(deps)).failed).toEqual([]);
    const [run] = await boss.fetch(name);
    expect(run?.id).toBe(runId);
    await boss.complete(name, runId);
    expect(await retryJob(deps, { runId, ...by })).toEqual({ isNew: false });
    expect(await audits()).toBe(1);
  });

  test("refuses while the next run of the same schedule is queued", async () => {
    const runId = await failOne();
    await boss.send(name, {});
    expect(await codeOf(retryJob(deps, { runId, ...by }))).toBe("job_busy");
    expect((await listJobs(deps)).failed).toMatchObject([{ id: runId }]);
    expect(await audits()).toBe(1);
  });

  test("neither offers nor accepts a retry of the sandbox reset (docs/spec/sandbox.md, Reset)", async () => {
    const reset = "reset-sandbox";
    await boss.createQueue(reset, { policy: "exclusive", retryLimit: 0 });
    await boss.schedule(reset, "0 3 * * 0", null, { tz: "UTC" });
    const runId = await failOne(reset);
    expect(await codeOf(retryJob(deps, { runId, ...by }))).toBe("job_not_retried");
    const { failed } = toJobs(await listJobs(deps));
    expect(failed.map((run) => [run.name, run.mayRetry])).toEqual([
      [reset, false],
      [name, true],
    ]);
    expect(await audits()).toBe(1);
  });
});
