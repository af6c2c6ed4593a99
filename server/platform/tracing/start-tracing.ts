import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { NodeHandler } from "../../contract/node-handler.ts";
import { type StatementSent, watchStatements } from "../../data/watch-statements.ts";
import type { Log } from "../../deps/deps.ts";
import type { TraceJob } from "./trace-job.ts";
import { type CallMade, watchCalls } from "./watch-calls.ts";

/** A span per request and per job run, with a child span for each call and each SQL statement. */
export type Tracing = {
  handler(handler: NodeHandler): NodeHandler;
  job: TraceJob;
  /** by its line a request's span gets the endpoint's name */
  log(log: Log): Log;
  /** sends what is left */
  stop(): Promise<void>;
};

type Options = {
  /** of the collector; OTLP over HTTP is answered below it at /v1/traces */
  endpoint: string;
  environment: string;
  role: string;
};

/** Nobody waits longer for a collector, least of all who is to end. */
const patienceMilliseconds = 3_000;

/**
 * `held`: what a run of a job has ended, until it is known whether the run is told; null: it is told at once, or never.
 */
type Current = { span: Span; context: Context; held: (() => void)[] | null; isDropped: boolean };

/**
 * Nothing that a caller sent becomes an attribute but the method: paths, queries, headers and values of statements may
 * hold what is secret. Each request begins a trace of its own, since callers are strangers.
 */
export const startTracing = ({ endpoint, environment, role }: Options): Tracing => {
  const url = `${endpoint.replace(/\/+$/, "")}/v1/traces`;
  const collector = new URL(url).host;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: patienceMilliseconds });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": `paygrant-${role}`,
      "deployment.environment.name": environment,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: patienceMilliseconds })],
  });
  const tracer = provider.getTracer("paygrant");
  const work = new AsyncLocalStorage<Current>();
  /** @returns null where nothing is to be told. */
  const findCurrent = (): Current | null => {
    const current = work.getStore();
    return current && !current.isDropped ? current : null;
  };
  const end = (span: Span, { held, isDropped }: Current): void => {
    if (isDropped) return;
    const at = performance.now();
    if (held) held.push(() => span.end(at));
    else span.end(at);
  };
  const begin = (
    name: string,
    kind: SpanKind,
    { attributes, held }: { attributes: Attributes; held: Current["held"] },
  ): Current => {
    const span = tracer.startSpan(name, { kind, attributes }, ROOT_CONTEXT);
    return { span, context: trace.setSpan(ROOT_CONTEXT, span), held, isDropped: false };
  };

  const beginStatement = ({ kind, name }: StatementSent) => {
    const current = findCurrent();
    if (!current) return null;
    const attributes = { "db.system.name": "postgresql", "db.operation.name": kind };
    const named = name === null ? attributes : { ...attributes, "db.query.summary": name };
    const span = tracer.startSpan(name ?? kind, { kind: SpanKind.CLIENT, attributes: named }, current.context);
    return (failed: boolean) => {
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      end(span, current);
    };
  };
  const beginCall = ({ method, host }: CallMade) => {
    const current = findCurrent();
    // The exporter's own are no work of any request's.
    if (!current || host === collector) return null;
    const attributes = { "http.request.method": method, "server.address": host };
    const span = tracer.startSpan(method, { kind: SpanKind.CLIENT, attributes }, current.context);
    return (status: number | null) => {
      if (status !== null) span.setAttribute("http.response.status_code", status);
      if (status === null || status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      end(span, current);
    };
  };
  const endStatements = watchStatements(beginStatement);
  const endCalls = watchCalls(beginCall);

  return {
    handler: (handler) => (incoming, outgoing) => {
      const method = incoming.method ?? "";
      const current = begin(method, SpanKind.SERVER, { attributes: { "http.request.method": method }, held: null });
      const { span } = current;
      outgoing.once("close", () => {
        span.setAttribute("http.response.status_code", outgoing.statusCode);
        if (outgoing.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      });
      return work.run(current, () => handler(incoming, outgoing));
    },
    async job(name, run, isTold) {
      const ended: (() => void)[] = [];
      const current = begin(name, SpanKind.INTERNAL, { attributes: {}, held: ended });
      const tell = () => {
        // What it has left under way is told as it ends.
        current.held = null;
        for (const tellOne of ended) tellOne();
        current.span.end();
      };
      try {
        const outcome = await work.run(current, run);
        if (isTold(outcome)) tell();
        // Nor what it left under way, however long that goes on.
        else Object.assign(current, { held: null, isDropped: true });
        return outcome;
      } catch (error) {
        current.span.setStatus({ code: SpanStatusCode.ERROR });
        tell();
        throw error;
      }
    },
    log: (log) => ({
      ...log,
      request(line) {
        const span = work.getStore()?.span;
        span?.updateName(line.operation).setAttribute("paygrant.request_id", line.requestId);
        log.request(line);
      },
    }),
    async stop() {
      endCalls();
      endStatements();
      // What the collector did not take by then is lost.
      await provider.shutdown().catch(() => {});
    },
  };
};
