import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Log } from "../../deps.ts";
import { answerOperation, operationToWire } from "./answer-operation.ts";
import { answerAuthentication } from "./authentication-page.ts";
import { behaviourOf, latencyMs } from "./behaviour.ts";
import type { OperationKind, StoredPayment } from "./records.ts";
import { openStore, type Store } from "./store.ts";

export type SimulatorOptions = {
  /** 0 takes a free one */
  port: number;
  dataDirectory: string;
  /** what callers send as a Bearer token */
  key: string;
  log: Log;
  /** least and most, in ms; the same payment always takes as long */
  latency?: readonly [number, number];
};

export type Simulator = { port: number; close(): Promise<void> };

/** How long a call that is meant to time out is left without an answer. */
const silenceMs = 30_000;
const maxBodyBytes = 64 * 1024;

/** A payment processor that moves nothing: an HTTP service of its own, durable, with faults on demand. */
export const startSimulator = async (options: SimulatorOptions): Promise<Simulator> => {
  const store = openStore(options.dataDirectory);
  const stop = new AbortController();
  const server = createServer((request, response) => {
    answer(options, store, stop.signal, request, response).catch((error: unknown) => {
      if (stop.signal.aborted) return;
      options.log.error({ err: error }, "simulator fault");
      send(response, 500, { error: "internal" });
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(options.port, "127.0.0.1", () => resolve());
  });
  const address = server.address();
  return {
    port: address && typeof address === "object" ? address.port : options.port,
    async close() {
      stop.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      store.close();
    },
  };
};

const answer = async (
  options: SimulatorOptions,
  store: Store,
  stopped: AbortSignal,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const url = new URL(request.url ?? "/", "http://simulator");
  if (url.pathname === "/healthz") return send(response, 200, { status: "ok" });
  if (url.pathname.startsWith("/authenticate/")) return answerAuthentication(store, url, request, response);
  if (!isKnownKey(request.headers.authorization, options.key)) return send(response, 401, { error: "invalid_key" });
  const account = url.searchParams.get("account") ?? "";
  const operation = operationPath.exec(url.pathname);
  if (operation) return operate(options, store, account, operation, request, response);
  if (url.pathname.startsWith("/v1/refunds/") && request.method === "GET") {
    const refund = store.findOperationById(account, url.pathname.slice("/v1/refunds/".length));
    return send(response, refund ? 200 : 404, refund ? operationToWire(refund) : { error: "not_found" });
  }
  if (url.pathname !== "/v1/payments") return send(response, 404, { error: "not_found" });
  if (request.method === "GET") {
    const key = url.searchParams.get("key");
    if (key !== null) return sendPayment(options, response, request, store.findByKey(account, key));
    const limit = Number(url.searchParams.get("limit") ?? 1000);
    const offset = Number(url.searchParams.get("offset") ?? 0);
    return send(response, 200, { data: store.list(account, limit, offset).map((payment) => toWire(request, payment)) });
  }
  if (request.method !== "POST") return send(response, 405, { error: "method_not_allowed" });
  return createPayment(options, store, stopped, request, response);
};

const operationPath = /^\/v1\/payments\/([^/]+)\/(capture|void|refund)$/;

const operate = async (
  options: SimulatorOptions,
  store: Store,
  account: string,
  [, paymentId = "", kind]: RegExpExecArray,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  if (request.method !== "POST") return send(response, 405, { error: "method_not_allowed" });
  const key = request.headers["idempotency-key"];
  if (typeof key !== "string" || key === "") return send(response, 400, { error: "invalid_request" });
  const body = await readBody(request);
  await sleep(latencyMs(key, options.latency ?? defaultLatency));
  const answered = answerOperation(store, { account, paymentId, kind: kind as OperationKind, key, body });
  send(response, answered.status, answered.body);
};

const defaultLatency = [15, 60] as const;

const isKnownKey = (authorization: string | undefined, key: string): boolean => {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(authorization ?? ""), digest(`Bearer ${key}`));
};

const paymentSchema = z.object({
  account: z.string().min(1),
  amount: z.int().min(1),
  currency: z.string().length(3),
  capture: z.enum(["automatic", "manual"]),
  payment_method: z.string().min(1),
  payer_presence: z.enum(["in_session", "off_session"]),
  charge_id: z.string(),
  simulate: z.string().nullable(),
});

const createPayment = async (
  options: SimulatorOptions,
  store: Store,
  stopped: AbortSignal,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const body = await readBody(request);
  const parsed = paymentSchema.safeParse(parseJson(body));
  const key = request.headers["idempotency-key"];
  if (!parsed.success || typeof key !== "string" || key === "")
    return send(response, 400, { error: "invalid_request" });
  const { account, simulate, ...wanted } = parsed.data;
  const requestHash = createHash("sha256").update(body).digest("hex");
  const { fault, status, declineCode } = behaviourOf({
    ...{
      simulate,
      capture: wanted.capture,
      paymentMethod: wanted.payment_method,
      payerPresence: wanted.payer_presence,
    },
  });
  const known = store.findByKey(account, key);
  if (!known && fault === "timeout_before_accept") return beSilent(response, stopped);
  if (!known && fault === "error_once" && store.isFirstFailure(account, key)) {
    return send(response, 500, { error: "temporarily_broken" });
  }
  await sleep(latencyMs(key, options.latency ?? defaultLatency), undefined, { signal: stopped });
  const payment = store.accept({
    ...{ id: `sim_${randomBytes(12).toString("hex")}`, account, key, requestHash, status, declineCode },
    ...{ amount: wanted.amount, amountCaptured: status === "succeeded" ? wanted.amount : 0, amountRefunded: 0 },
    ...{ currency: wanted.currency, capture: wanted.capture, paymentMethod: wanted.payment_method },
    ...{ chargeId: wanted.charge_id, createdAt: Date.now() },
  });
  if (payment.requestHash !== requestHash) return send(response, 409, { error: "idempotency_key_reused" });
  if (!known && fault === "timeout_after_accept") return beSilent(response, stopped);
  sendPayment(options, response, request, payment);
};

const beSilent = async (response: ServerResponse, stopped: AbortSignal): Promise<void> => {
  await sleep(silenceMs, undefined, { signal: stopped }).catch(() => undefined);
  response.destroy();
};

const sendPayment = (
  options: SimulatorOptions,
  response: ServerResponse,
  request: IncomingMessage,
  payment: StoredPayment | null,
): void => {
  if (!payment) {
    send(response, 404, { error: "not_found" });
    return;
  }
  options.log.debug({ payment: payment.id, status: payment.status }, "payment");
  send(response, 200, toWire(request, payment));
};

/** A payer has 15 minutes to authenticate. */
const actionMs = 15 * 60_000;

const toWire = (request: IncomingMessage, payment: StoredPayment) => {
  const isLapsed = payment.status === "requires_action" && payment.createdAt + actionMs < Date.now();
  const status = isLapsed ? "declined" : payment.status;
  return {
    id: payment.id,
    account: payment.account,
    key: payment.key,
    status,
    amount: payment.amount,
    amount_captured: payment.amountCaptured,
    amount_refunded: payment.amountRefunded,
    currency: payment.currency,
    charge_id: payment.chargeId,
    decline_code: isLapsed ? "authentication_expired" : payment.declineCode,
    action_url: status === "requires_action" ? `http://${request.headers.host}/authenticate/${payment.id}` : null,
    created_at: new Date(payment.createdAt).toISOString(),
  };
};

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBodyBytes) return "";
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const send = (response: ServerResponse, status: number, body: object): void => {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(body);
  response
    .writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
    .end(text);
};
