import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import type { Fetch } from "./call-options.ts";
import { send } from "./send.ts";

type Step = { status: number; headers?: Record<string, string>; body?: string } | "drop" | "hang";

let server: Server;
let received: number;

/** Answers each request with the next step, and all further requests with the last step. */
const start = async (steps: readonly Step[]): Promise<string> => {
  received = 0;
  server = createServer((request, response) => {
    const step = steps[Math.min(received, steps.length - 1)];
    received += 1;
    if (step === "drop" || step === undefined) return request.socket.destroy();
    if (step !== "hang") response.writeHead(step.status, step.headers).end(step.body ?? "{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const post = (url: string, isRepeatable: boolean, options = {}) =>
  send({ prepare: async () => ({ method: "POST", url }), isRepeatable }, options);
const problem = (code: string) => JSON.stringify({ type: `https://pay.example/docs/errors#${code}`, detail: "No." });
const busy = { status: 503, headers: { "retry-after": "0" }, body: problem("processor_unavailable") };
const ok = { status: 200 };

describe("send", () => {
  test("repeats a request if the response says that the server did nothing", async () => {
    const inUse = { status: 409, headers: { "retry-after": "0" }, body: problem("idempotency_key_in_use") };
    const limited = { status: 429, headers: { "retry-after": "0" }, body: problem("too_many_requests") };
    expect((await post(await start([busy, inUse, limited, ok]), false)).status).toBe(200);
    expect(received).toBe(4);
  });

  test("gives up after four attempts, with the server's problem", async () => {
    await expect(post(await start([busy]), true)).rejects.toMatchObject({
      kind: "problem",
      code: "processor_unavailable",
      problem: { status: 503, retryAfterSeconds: 0, detail: "No." },
    });
    expect(received).toBe(4);
  });

  test.each<[string, Step]>([
    ["doesn't say when to retry", { status: 503, body: problem("server_error") }],
    ["failed", { status: 500, headers: { "retry-after": "0" }, body: problem("server_error") }],
    [
      "reports a conflict that a retry doesn't resolve",
      { status: 409, headers: { "retry-after": "0" }, body: problem("charge_in_use") },
    ],
  ])("doesn't repeat a request when the server %s", async (_, step) => {
    await expect(post(await start([step, ok]), true)).rejects.toMatchObject({ kind: "problem" });
    expect(received).toBe(1);
  });

  test("repeats a request after a failure of the server's database only if the request is repeatable", async () => {
    const lost = { ...busy, body: problem("temporarily_unavailable") };
    expect((await post(await start([lost, ok]), true)).status).toBe(200);
    server.close();
    await expect(post(await start([lost, ok]), false)).rejects.toMatchObject({ code: "temporarily_unavailable" });
    expect(received).toBe(1);
  });

  test("repeats an OAuth request that was refused by a rate limit (code temporarily_unavailable)", async () => {
    const limited = { ...busy, status: 429, body: problem("temporarily_unavailable") };
    expect((await post(await start([limited, ok]), false)).status).toBe(200);
    expect(received).toBe(2);
  });

  test("if the response was lost, repeats the request only if it is repeatable", async () => {
    expect((await post(await start(["drop", ok]), true)).status).toBe(200);
    server.close();
    await expect(post(await start(["drop", ok]), false)).rejects.toMatchObject({ code: "network_error" });
    expect(received).toBe(1);
  });

  test("doesn't wait for a retry after the deadline", async () => {
    const later = { ...busy, headers: { "retry-after": "60" } };
    await expect(post(await start([later]), true, { timeoutMs: 5_000 })).rejects.toMatchObject({
      problem: { retryAfterSeconds: 60 },
    });
    expect(received).toBe(1);
  });

  test("ends at the timeout, or when the caller's signal is aborted", async () => {
    const url = await start(["hang"]);
    await expect(post(url, true, { timeoutMs: 50 })).rejects.toMatchObject({ kind: "request", code: "timed_out" });
    const controller = new AbortController();
    const aborted = post(url, true, { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    await expect(aborted).rejects.toMatchObject({ code: "aborted" });
    await expect(post(url, true, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
  });

  test("stops waiting for a retry when the caller's signal is aborted", async () => {
    const later = { ...busy, headers: { "retry-after": "20" } };
    const signal = AbortSignal.timeout(100);
    await expect(post(await start([later]), true, { signal })).rejects.toMatchObject({ code: "aborted" });
  });

  test("sends every attempt with the caller's fetch", async () => {
    const url = await start([busy, ok]);
    const sent: string[] = [];
    const record: Fetch = (address, init) => {
      sent.push(`${init.method} ${address}`);
      return fetch(address, init);
    };
    expect((await post(url, false, { fetch: record })).status).toBe(200);
    expect(sent).toEqual([`POST ${url}`, `POST ${url}`]);
  });

  test("follows no redirect", async () => {
    const redirect = { status: 307, headers: { location: "http://127.0.0.1:9/" } };
    await expect(post(await start([redirect]), false)).rejects.toMatchObject({ code: "network_error" });
    expect(received).toBe(1);
  });

  test("keeps the original text of an unknown code", async () => {
    await expect(post(await start([{ status: 400, body: '{"error":"new_code"}' }]), false)).rejects.toMatchObject({
      code: "unknown_problem",
      problem: { serverCode: "new_code" },
    });
  });
});
