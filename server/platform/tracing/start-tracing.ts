import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { NodeHandler } from "../../contract/node-handler.ts";
import { watchStatements } from "../../data/watch-statements.ts";
import type { Log } from "../../deps/deps.ts";
import { createSpans } from "./spans.ts";
import type { TraceJob } from "./trace-job.ts";
import { watchCalls } from "./watch-calls.ts";

/** A span per request and per job run, with a child span for each call and each SQL statement. */
export type Tracing = {
  handler(handler: NodeHandler): NodeHandler;
  job: TraceJob;
  /** a log that also writes the operation and the request ID of each request line into the request's span */
  log(log: Log): Log;
  /** sends the remaining spans */
  stop(): Promise<void>;
};

type Options = {
  /** the URL of the collector, which accepts OTLP over HTTP at /v1/traces below this URL */
  endpoint: string;
  environment: string;
  role: string;
};

/** How long the exporter waits for the collector, even when the process ends. */
const patienceMilliseconds = 3_000;

/**
 * The method is the only value of a caller's request that a span contains, because paths, queries, headers and values
 * of statements may contain secrets. Each request starts a new trace, because callers aren't trusted.
 */
export const startTracing = ({ endpoint, environment, role }: Options): Tracing => {
  const url = `${endpoint.replace(/\/+$/, "")}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: patienceMilliseconds });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": `paygrant-${role}`,
      "deployment.environment.name": environment,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: patienceMilliseconds })],
  });
  const spans = createSpans(provider.getTracer("paygrant"), new URL(url).host);
  const endStatements = watchStatements(spans.beginStatement);
  const endCalls = watchCalls(spans.beginCall);
  return {
    handler: (handler) => traceRequests(spans, handler),
    job: traceJobs(spans),
    log: (log) => nameSpans(spans, log),
    async stop() {
      endCalls();
      endStatements();
      // Spans that the collector doesn't accept in time are lost.
      await provider.shutdown().catch(() => {});
    },
  };
};

type Spans = ReturnType<typeof createSpans>;

const traceRequests =
  ({ begin, work }: Spans, handler: NodeHandler): NodeHandler =>
  (incoming, outgoing) => {
    const method = incoming.method ?? "";
    const attributes = { "http.request.method": method };
    const current = begin(method, { kind: SpanKind.SERVER, attributes, held: null });
    const { span } = current;
    outgoing.once("close", () => {
      span.setAttribute("http.response.status_code", outgoing.statusCode);
      if (outgoing.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    return work.run(current, () => handler(incoming, outgoing));
  };

const traceJobs =
  ({ begin, work }: Spans): TraceJob =>
  async (name, run, isExported) => {
    const ended: (() => void)[] = [];
    const current = begin(name, { kind: SpanKind.INTERNAL, attributes: {}, held: ended });
    const exportRun = () => {
      // Spans that are still open after the run are exported when they end.
      current.held = null;
      for (const end of ended) end();
      current.span.end();
    };
    try {
      const outcome = await work.run(current, run);
      if (isExported(outcome)) exportRun();
      // Also drops the spans that are still open after the run.
      else Object.assign(current, { held: null, isDropped: true });
      return outcome;
    } catch (error) {
      current.span.setStatus({ code: SpanStatusCode.ERROR });
      exportRun();
      throw error;
    }
  };

const nameSpans = ({ work }: Spans, log: Log): Log => ({
  ...log,
  request(line) {
    const span = work.getStore()?.span;
    span?.updateName(line.operation).setAttribute("paygrant.request_id", line.requestId);
    log.request(line);
  },
});
