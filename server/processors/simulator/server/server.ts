import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../../deps/deps.ts";
import type { OperationKind } from "../store/records.ts";
import { openStore } from "../store/store.ts";
import { answerControl } from "./answer-control.ts";
import { disputeToWire } from "./answer-dispute.ts";
import { answerOperation, operationToWire } from "./answer-operation.ts";
import { type Answer, answerPayment, type Books, outage, paymentToWire } from "./answer-payment.ts";
import { answerAuthentication } from "./authentication-page.ts";
import { noWebhooks, startWebhooks } from "./deliver-webhooks.ts";

export type SimulatorOptions = {
  /** 0: any free port */
  port: number;
  dataDirectory: string;
  /** the callers' Bearer token, and the key that signs webhooks */
  key: string;
  /** the URL that receives webhooks; null: none are sent */
  webhookUrl: string | null;
  log: Log;
  /** minimum and maximum in ms; a payment's latency is derived from its key */
  latency?: readonly [number, number];
};

export type Simulator = { port: number; close(): Promise<void> };

/** How long a simulated time-out leaves the call without an answer. */
const silenceMs = 30_000;
const maxBodyBytes = 64 * 1024;
const defaultLatency = [15, 60] as const;

/** A payment processor that moves no money: a durable HTTP service with faults on request. */
export const startSimulator = async (options: SimulatorOptions): Promise<Simulator> => {
  const { log, webhookUrl, key } = options;
  const store = openStore(options.dataDirectory);
  const stop = new AbortController();
  const webhooks = webhookUrl === null ? noWebhooks : startWebhooks({ url: webhookUrl, key, store, log });
  const server = createServer((request, response) => {
    const host = request.headers.host ?? "";
    const books: Books = { store, webhooks, latency: options.latency ?? defaultLatency, stopped: stop.signal, host };
    reply(options, books, { request, response }).catch((error: unknown) => {
      if (stop.signal.aborted) return;
      log.error({ err: error }, "simulator fault");
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
      await webhooks.close();
      store.close();
    },
  };
};

const reply = async (
  options: SimulatorOptions,
  books: Books,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> => {
  const url = new URL(request.url ?? "/", "http://simulator");
  if (url.pathname === "/healthz") return send(response, 200, { status: "ok" });
  if (url.pathname.startsWith("/authenticate/")) return answerAuthentication(books, { url, request, response });
  if (!isKnownKey(request.headers.authorization, options.key)) return send(response, 401, { error: "invalid_key" });
  const answer = await answerCall(books, url, request);
  if (answer === null) return withholdResponse(response, books.stopped);
  options.log.debug({ path: url.pathname, status: answer.status }, "answered");
  send(response, answer.status, answer.body);
};

const operationPath = /^\/v1\/payments\/([^/]+)\/(capture|void|refund)$/;

const answerCall = async (books: Books, url: URL, request: IncomingMessage): Promise<Answer> => {
  const method = request.method ?? "";
  if (url.pathname.startsWith("/control/")) {
    return answerControl(books, { method, url, body: await readBody(request) });
  }
  const account = url.searchParams.get("account") ?? "";
  if (method === "GET") return books.store.isOut(account) ? outage : answerLookup(books, url, account);
  if (method !== "POST") return { status: 405, body: { error: "method_not_allowed" } };
  const key = request.headers["idempotency-key"];
  const body = await readBody(request);
  if (typeof key !== "string" || key === "") return { status: 400, body: { error: "invalid_request" } };
  const [, paymentId = "", kind] = operationPath.exec(url.pathname) ?? [];
  if (books.store.isOut(account)) return outage;
  if (kind) return answerOperation(books, { account, paymentId, kind: kind as OperationKind, key, body });
  return url.pathname === "/v1/payments" ? answerPayment(books, key, body) : notFound;
};

const notFound: Answer = { status: 404, body: { error: "not_found" } };

/** Look-ups: one payment by the caller's key, an account's payments, one refund, one dispute. */
const answerLookup = ({ store, host }: Books, url: URL, account: string): Answer => {
  if (url.pathname.startsWith("/v1/refunds/")) {
    const refund = store.findOperationById(account, url.pathname.slice("/v1/refunds/".length));
    return refund ? { status: 200, body: operationToWire(refund) } : notFound;
  }
  if (url.pathname.startsWith("/v1/disputes/")) {
    const dispute = store.findDispute(account, url.pathname.slice("/v1/disputes/".length));
    const payment = dispute && store.findById(dispute.paymentId);
    return payment ? { status: 200, body: disputeToWire(dispute, payment) } : notFound;
  }
  if (url.pathname === "/v1/refunds") {
    const refund = store.findOperation(account, url.searchParams.get("key") ?? "");
    return refund?.kind === "refund" && refund.status !== "refused"
      ? { status: 200, body: operationToWire(refund) }
      : notFound;
  }
  if (url.pathname !== "/v1/payments") return notFound;
  const key = url.searchParams.get("key");
  if (key !== null) {
    const payment = store.findByKey(account, key);
    return payment ? { status: 200, body: paymentToWire(payment, host) } : notFound;
  }
  const limit = Number(url.searchParams.get("limit") ?? 1000);
  const offset = Number(url.searchParams.get("offset") ?? 0);
  const data = store.list(account, limit, offset).map((payment) => paymentToWire(payment, host));
  return { status: 200, body: { data } };
};

const isKnownKey = (authorization: string | undefined, key: string): boolean => {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(authorization ?? ""), digest(`Bearer ${key}`));
};

const withholdResponse = async (response: ServerResponse, stopped: AbortSignal): Promise<void> => {
  await sleep(silenceMs, undefined, { signal: stopped }).catch(() => undefined);
  response.destroy();
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

const send = (response: ServerResponse, status: number, body: object): void => {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(body);
  response
    .writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
    .end(text);
};
