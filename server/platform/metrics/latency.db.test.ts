import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { readLatency } from "./read-latency.ts";
import { startRecording } from "./record-latency.ts";
import { createRequestMetrics } from "./request-metrics.ts";

const now = new Date("2026-11-21T12:30:00Z");
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
let deps: TestDeps;
let node: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ now });
  node = await anotherNode(deps);
});
afterAll(async () => {
  await node?.close();
  await deps?.close();
});

const process = (on: TestDeps, durations: readonly number[], operation = "token") => {
  const metrics = createRequestMetrics();
  for (const milliseconds of durations) metrics.observe({ operation, status: 200, milliseconds });
  return { metrics, recording: startRecording(on, metrics) };
};

describe("measured latency (docs/spec/status.md, Latency)", () => {
  test("adds up the figures of two processes in any order", async () => {
    const one = process(
      deps,
      Array.from({ length: 90 }, () => 15),
    );
    const two = process(
      node,
      Array.from({ length: 10 }, () => 200),
    );
    two.metrics.observe({ operation: "token", status: 503, milliseconds: 200 });
    two.metrics.observe({ operation: "createCharge", status: 201, milliseconds: 700 });
    await Promise.all([one.recording.stop(), two.recording.stop()]);
    const groups = [["createCharge"], ["token"], ["createCharge", "token"], ["introspect"]];
    const [charge, token, both, none] = await readLatency(deps, { since: hoursAgo(1), groups });
    expect(charge).toMatchObject({ requests: 1, errors: 0 });
    expect(token).toMatchObject({ requests: 101, errors: 1 });
    expect(both).toMatchObject({ requests: 102, errors: 1 });
    expect(none).toEqual({ requests: 0, errors: 0, p50: null, p95: null, p99: null });
    expect(token?.p50).toBeGreaterThan(10);
    expect(token?.p50).toBeLessThanOrEqual(20);
    expect(token?.p95).toBeGreaterThan(180);
    expect(token?.p95).toBeLessThanOrEqual(250);
  });

  test("counts only requests since the given time", async () => {
    deps.clock.set(hoursAgo(48));
    await process(deps, [5_000, 5_000], "verifyMandate").recording.stop();
    deps.clock.set(now);
    const groups = [["verifyMandate"]];
    expect(await readLatency(deps, { since: hoursAgo(24), groups })).toMatchObject([{ requests: 0 }]);
    expect(await readLatency(deps, { since: hoursAgo(49), groups })).toEqual([
      { requests: 2, errors: 0, p50: 3_750, p95: 4_875, p99: 4_975 },
    ]);
  });

  test("neither loses nor repeats figures when the database fails", async () => {
    const { metrics, recording } = process(deps, [3, 3, 3], "introspect");
    const away = { ...deps, db: { ...deps.db, sql: { query: () => Promise.reject(new Error("away")) } } };
    await startRecording(away, metrics).stop();
    await recording.stop();
    await startRecording(deps, metrics).stop();
    expect(await readLatency(deps, { since: hoursAgo(1), groups: [["introspect"]] })).toMatchObject([{ requests: 3 }]);
    expect(metrics.total().get("introspect")?.requests).toBe(3);
  });
});
