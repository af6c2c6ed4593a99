import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { StatementSent } from "../../data/watch-statements.ts";
import type { CallMade } from "./watch-calls.ts";

/**
 * The span of a request or job run. `held`: the ended spans of a job run, kept until it is known whether the run is
 * exported. Null: the spans aren't kept; each is exported when it ends, unless `isDropped`.
 */
export type Current = { span: Span; context: Context; held: (() => void)[] | null; isDropped: boolean };

type Start = { kind: SpanKind; attributes: Attributes; held: Current["held"] };

/** @param collector host of the trace collector. Calls to it aren't traced. */
export const createSpans = (tracer: Tracer, collector: string) => {
  const work = new AsyncLocalStorage<Current>();
  /** @returns null if nothing is exported. */
  const findCurrent = (): Current | null => {
    const current = work.getStore();
    return current && !current.isDropped ? current : null;
  };
  const beginChild = (name: string, attributes: Attributes) => {
    const current = findCurrent();
    if (!current) return null;
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, current.context);
    return { span, end: () => endChild(span, current) };
  };
  return {
    work,
    begin: (name: string, { kind, attributes, held }: Start): Current => {
      const span = tracer.startSpan(name, { kind, attributes }, ROOT_CONTEXT);
      return { span, context: trace.setSpan(ROOT_CONTEXT, span), held, isDropped: false };
    },
    beginStatement({ kind, name }: StatementSent) {
      const summary = name === null ? {} : { "db.query.summary": name };
      const attributes = { "db.system.name": "postgresql", "db.operation.name": kind, ...summary };
      const child = beginChild(name ?? kind, attributes);
      return (
        child &&
        ((failed: boolean) => {
          if (failed) child.span.setStatus({ code: SpanStatusCode.ERROR });
          child.end();
        })
      );
    },
    beginCall({ method, host }: CallMade) {
      const child =
        host === collector ? null : beginChild(method, { "http.request.method": method, "server.address": host });
      return (
        child &&
        ((status: number | null) => {
          if (status !== null) child.span.setAttribute("http.response.status_code", status);
          if (status === null || status >= 500) child.span.setStatus({ code: SpanStatusCode.ERROR });
          child.end();
        })
      );
    },
  };
};

const endChild = (span: Span, { held, isDropped }: Current): void => {
  if (isDropped) return;
  const at = performance.now();
  if (held) held.push(() => span.end(at));
  else span.end(at);
};
