import http, { type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTraceCollector } from "#e2e/support/peers/trace-collector.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { waitUntil } from "#e2e/support/wait-until.ts";
import type { NodeHandler } from "../../contract/node-handler.ts";
import { connectDatabase, type Db, statement } from "../../data/client.ts";
import { appendEvent } from "../../data/webhooks/events.ts";
import { startWorker } from "../../jobs/runner.ts";
import { systemClock } from "../../kernel/time/clock.ts";
import { startTracing, type Tracing } from "./start-tracing.ts";
import type { TraceJob } from "./trace-job.ts";

const findOne = statement<{ one: string }>("find_one_for_traces", "SELECT $1::text AS one");

let deps: TestDeps;
/** One connection, so that concurrent statements wait for each other. */
let db: Db;
let elsewhere: Server;
let elsewhereUrl: string;
let collector: Awaited<ReturnType<typeof startTraceCollector>>;
let tracing: Tracing;
beforeAll(async () => {
  deps = await createTestDeps({ config: { outboundLoopback: true } });
  db = connectDatabase(deps.config.databaseUrl, 1);
  elsewhere = http.createServer((_request, response) => void response.writeHead(204).end());
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  elsewhereUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
});
afterAll(async () => {
  elsewhere.closeAllConnections();
  elsewhere.close();
  await db.close();
  await deps.close();
});
beforeEach(async () => {
  collector = await startTraceCollector();
  tracing = startTracing({ endpoint: collector.url, environment: "sandbox", role: "web" });
});
afterEach(() => collector.close());

/** Runs `work` against a server with `handler`. Afterwards the collector has every span. */
const serve = async (handler: NodeHandler, work: (url: string) => Promise<unknown>): Promise<void> => {
  const server = http.createServer(tracing.handler(handler));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await tracing.stop();
};
const logRequest = (operation: string) =>
  tracing
    .log({ debug() {}, info() {}, warn() {}, error() {}, request() {} })
    .request({ requestId: "req_1", operation, status: 200, milliseconds: 1 });

describe("traces by OpenTelemetry (docs/spec/operations.md, Metrics and traces)", () => {
  test("a request has a span, with a child span for each statement and each call, without secrets", async () => {
    const secret = "s3cret-of-a-caller";
    const headers = { authorization: `DPoP ${secret}`, cookie: `session=${secret}` };
    await serve(
      async (_incoming, outgoing) => {
        await db.sql.query(findOne, [secret]);
        await db.prisma.$queryRawUnsafe(`SELECT '${secret}' AS two`);
        await fetch(`${elsewhereUrl}/${secret}?token=${secret}`, { method: "POST", headers, body: secret });
        await deps.outbound.request({
          url: `${elsewhereUrl}/hooks/${secret}`,
          method: "POST",
          headers,
          body: secret,
          maxBytes: 100,
          timeoutMilliseconds: 5_000,
        });
        logRequest("token");
        outgoing.writeHead(201).end(secret);
      },
      (url) => fetch(`${url}/oauth/${secret}?code=${secret}`, { method: "POST", headers, body: secret }),
    );
    const spans = collector.spans();
    const root = spans.find(({ parentSpanId }) => !parentSpanId);
    const host = new URL(elsewhereUrl).host;
    const call = { "http.request.method": "POST", "server.address": host, "http.response.status_code": 204 };
    expect(root).toMatchObject({
      name: "token",
      attributes: { "http.request.method": "POST", "http.response.status_code": 201, "paygrant.request_id": "req_1" },
    });
    expect(spans.filter((span) => span !== root)).toMatchObject([
      { name: "find_one_for_traces", attributes: { "db.operation.name": "SELECT" } },
      { name: "SELECT", attributes: { "db.system.name": "postgresql" } },
      { name: "POST", attributes: call },
      { name: "POST", attributes: call },
    ]);
    for (const { traceId, parentSpanId } of spans.filter((span) => span !== root))
      expect({ traceId, parentSpanId }).toEqual({ traceId: root?.traceId, parentSpanId: root?.spanId });
    expect(collector.text()).not.toContain(secret);
  });

  test("a statement is traced with its own request, even if it waits until another request releases the connection", async () => {
    await serve(
      async (incoming, outgoing) => {
        const kind = incoming.url === "/slow" ? "SELECT pg_sleep(0.2)::text" : "VALUES (1)";
        await db.prisma.$queryRawUnsafe(kind);
        logRequest(incoming.url ?? "");
        outgoing.end();
      },
      (url) => Promise.all([fetch(`${url}/slow`), fetch(`${url}/a`), fetch(`${url}/b`)]),
    );
    const spans = collector.spans();
    const kindsOf = (name: string) => {
      const root = spans.find((span) => span.name === name);
      return spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId).map((span) => span.name);
    };
    expect([kindsOf("/slow"), kindsOf("/a"), kindsOf("/b")]).toEqual([["SELECT"], ["VALUES"], ["VALUES"]]);
  });

  test("a hanging collector doesn't delay a shutdown (docs/spec/operations.md, Shutdown)", async () => {
    collector.hang();
    const startedAt = performance.now();
    await serve(async (_incoming, outgoing) => void outgoing.end(), fetch);
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect(collector.spans()).toEqual([]);
  });

  test("work outside of requests isn't traced", async () => {
    await db.sql.query(findOne, ["x"]);
    await serve(
      async (_incoming, outgoing) => void outgoing.end(),
      async () => {},
    );
    expect(collector.spans()).toEqual([]);
  });

  /** One span for the run, and the others below it. */
  const runsOf = (name: string) => {
    const spans = collector.spans();
    return spans
      .filter((span) => !span.parentSpanId && span.name === name)
      .map(({ spanId, traceId }) =>
        spans
          .filter((span) => span.parentSpanId === spanId && span.traceId === traceId)
          .map(({ name: own, attributes }) => [own, attributes["http.response.status_code"] ?? null]),
      );
  };
  const find = (value: string) => db.sql.query(findOne, [value]);

  test("a job run that did something is a trace with its statements and calls; a job run without work isn't traced", async () => {
    const secret = "s3cret-of-a-job";
    const work = async (done: number) => {
      await find(secret);
      await fetch(`${elsewhereUrl}/${secret}`);
      return done;
    };
    const isExported = (done: number) => done > 0;
    const outcomes = [0, 3, 0].map((done) => tracing.job("send-webhooks", () => work(done), isExported));
    expect(await Promise.all(outcomes)).toEqual([0, 3, 0]);
    await tracing.stop();
    expect(runsOf("send-webhooks")).toEqual([
      [
        ["find_one_for_traces", null],
        ["GET", 204],
      ],
    ]);
    expect(collector.spans()).toHaveLength(3);
    expect(collector.text()).not.toContain(secret);
  });

  test("a failed run is exported; spans that end after an exported run are exported too", async () => {
    const fail = async () => {
      await find("x");
      throw new Error("no luck");
    };
    await expect(tracing.job("fails", fail, () => false)).rejects.toThrow("no luck");
    const left: Promise<unknown>[] = [];
    const leave = async () => {
      left.push(sleep(50).then(() => find("y")));
    };
    for (const [name, isExported] of [
      ["leaves", true],
      ["finds-nothing", false],
    ] as const)
      await tracing.job(name, leave, () => isExported);
    await Promise.all(left);
    await tracing.stop();
    expect(runsOf("fails")).toEqual([[["find_one_for_traces", null]]]);
    expect(runsOf("leaves")).toEqual([[["find_one_for_traces", null]]]);
    expect(collector.spans()).toHaveLength(4);
  });

  test("a worker passes each run of a tick to the trace, under the tick's name", async () => {
    await appendEvent(deps.db.sql, { type: "mandate.updated", objectId: "mdt_1", data: {}, at: deps.clock.now() });
    const traced: string[] = [];
    const trace: TraceJob = (name, run) => {
      traced.push(name);
      return run();
    };
    const worker = await startWorker({ ...deps, clock: systemClock }, trace);
    await waitUntil(async () => ["chain-audit", "dispatch-events"].every((name) => traced.includes(name)));
    await worker.stop();
  });
});
