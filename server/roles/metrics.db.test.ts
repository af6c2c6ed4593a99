import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, scriptedProcessor } from "../charges/charge/charge-setup.fixture.ts";
import { addJobPulse } from "../data/jobs/job-pulses.ts";
import { renderMetrics, requestMetrics } from "../platform/metrics/exposition.ts";
import { createProcessMetrics } from "../platform/metrics/process-metrics.ts";
import { countingLog, createRequestMetrics } from "../platform/metrics/request-metrics.ts";
import { type MetricsServer, serveMetrics } from "../platform/metrics/serve-metrics.ts";
import { cacheMetrics, poolMetrics, queueMetrics } from "./service-metrics.ts";

const requests = createRequestMetrics();
let deps: TestDeps;
let server: MetricsServer;
let isAway = false;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
  server = await serveMetrics({
    port: 0,
    host: "127.0.0.1",
    log: deps.log,
    collectors: [
      createProcessMetrics(),
      () => requestMetrics(requests.total()),
      () => poolMetrics(deps),
      () => cacheMetrics(deps),
      () => (isAway ? Promise.reject(new Error("away")) : queueMetrics(deps)),
    ],
  });
});
afterAll(async () => {
  await server?.close();
  await deps?.close();
});

const scrape = (path = "/metrics", method = "GET") => fetch(`http://127.0.0.1:${server.port}${path}`, { method });
const sampleOf = (text: string, sample: string): number | null => {
  const line = text.split("\n").find((each) => each.startsWith(`${sample} `));
  return line === undefined ? null : Number(line.slice(sample.length + 1));
};

describe("GET /metrics (docs/spec/operations.md, Metrics and traces)", () => {
  test("has rate, errors and duration per endpoint, from the log lines of requests", async () => {
    const log = countingLog(deps.log, requests);
    for (const [status, milliseconds] of [
      [200, 35],
      [200, 41],
      [401, 3],
      [503, 12_000],
    ] as const) {
      log.request({ requestId: "req", operation: "token", status, milliseconds });
    }
    const text = await (await scrape()).text();
    expect(sampleOf(text, 'paygrant_requests_total{operation="token",status="200"}')).toBe(2);
    expect(sampleOf(text, 'paygrant_requests_total{operation="token",status="503"}')).toBe(1);
    const bucket = (le: string) =>
      sampleOf(text, `paygrant_request_duration_seconds_bucket{operation="token",le="${le}"}`);
    expect([bucket("0.005"), bucket("0.04"), bucket("0.06"), bucket("10"), bucket("+Inf")]).toEqual([1, 2, 3, 3, 4]);
    expect(sampleOf(text, 'paygrant_request_duration_seconds_count{operation="token"}')).toBe(4);
    expect(sampleOf(text, 'paygrant_request_duration_seconds_sum{operation="token"}')).toBeCloseTo(12.079, 6);
  });

  test("has the figures of pool, caches, queues and jobs", async () => {
    await (await makeChargeableMandate(deps)).charge();
    await deps.db.prisma.event.updateMany({ data: { createdAt: new Date(deps.clock.now().getTime() - 90_000) } });
    const at = deps.clock.now();
    const pulse = { okAt: at, runs: 7, failures: 2, done: 3, lastError: "no", failedAt: at };
    await addJobPulse(deps.db.sql, { name: "send-mail", ranAt: at, ...pulse });
    const text = await (await scrape()).text();
    const events = await deps.db.prisma.event.count();
    expect(events).toBeGreaterThan(0);
    expect(sampleOf(text, 'paygrant_queue_waiting{queue="events"}')).toBe(events);
    expect(sampleOf(text, 'paygrant_queue_lag_seconds{queue="events"}')).toBe(90);
    expect(sampleOf(text, 'paygrant_queue_lag_seconds{queue="mail"}')).toBe(0);
    expect(sampleOf(text, 'paygrant_job_runs_total{job="send-mail"}')).toBe(7);
    expect(sampleOf(text, 'paygrant_job_failures_total{job="send-mail"}')).toBe(2);
    expect(sampleOf(text, 'paygrant_pool_connections{state="idle"}')).toBeGreaterThanOrEqual(0);
    expect(sampleOf(text, 'paygrant_cache_entries{cache="signing_keys"}')).toBe(deps.keys.jwks().keys.length);
    expect(sampleOf(text, "process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
  });

  test("every line is in Prometheus' text format, with each name declared once", async () => {
    const answer = await scrape();
    expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const lines = (await answer.text()).trimEnd().split("\n");
    const label = String.raw`[a-z_]+="(?:[^"\\\n]|\\.)*"`;
    const sample = new RegExp(String.raw`^[a-z0-9_]+(?:\{${label}(?:,${label})*\})? -?[0-9.e+-]+$`);
    for (const line of lines) {
      expect(line).toMatch(
        line.startsWith("#") ? /^# (HELP [a-z0-9_]+ .+|TYPE [a-z0-9_]+ (counter|gauge|histogram))$/ : sample,
      );
    }
    const types = lines.filter((line) => line.startsWith("# TYPE"));
    expect(new Set(types).size).toBe(types.length);
    const nasty = {
      name: "x",
      help: "X.",
      type: "gauge",
      samples: [{ labels: { l: 'a"b\\c\nd' }, value: 1 }],
    } as const;
    expect(renderMetrics([nasty])).toBe('# HELP x X.\n# TYPE x gauge\nx{l="a\\"b\\\\c\\nd"} 1\n');
  });

  test("without the database, the process still reports its own metrics", async () => {
    isAway = true;
    const text = await (await scrape()).text();
    expect(sampleOf(text, 'paygrant_queue_waiting{queue="events"}')).toBeNull();
    expect(sampleOf(text, "process_resident_memory_bytes")).toBeGreaterThan(0);
    isAway = false;
  });

  test("serves nothing else", async () => {
    expect((await scrape("/")).status).toBe(404);
    const written = await scrape("/metrics", "POST");
    expect([written.status, written.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect((await scrape("/metrics?name=x")).status).toBe(200);
  });
});
