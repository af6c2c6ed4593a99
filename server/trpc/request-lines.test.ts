import { beforeEach, describe, expect, test } from "vitest";
import type { Deps } from "../deps/deps.ts";
import { provideDeps } from "../http/runtime.ts";
import { serveTrpc } from "../http/serve-trpc.ts";
import { requestMetrics } from "../platform/metrics/exposition.ts";
import { countingLog, createRequestMetrics } from "../platform/metrics/request-metrics.ts";

type Line = { requestId: string; operation: string; status: number; milliseconds: number };
let lines: Line[];
let metrics: ReturnType<typeof createRequestMetrics>;
beforeEach(() => {
  lines = [];
  metrics = createRequestMetrics();
  const log = { debug() {}, info() {}, warn() {}, error() {}, request: (line: Line) => void lines.push(line) };
  const config = { baseUrl: "https://a.example", walletUrl: "https://a.example" };
  provideDeps({ log: countingLog(log, metrics), clock: { now: () => new Date() }, config } as unknown as Deps);
});

const ask = (path: string, init?: RequestInit): Promise<Response> =>
  serveTrpc(new Request(`https://a.example/api/trpc/${path}`, init));
const loggedLines = () => lines.map(({ operation, status }) => `${operation} ${status}`).toSorted();

describe("each procedure call is logged and counted (docs/spec/operations.md, Metrics and traces)", () => {
  test("logs one line per existing procedure of a batch, with the request id of the answer", async () => {
    const answer = await ask("wallet.mandates,wallet.nothing,auth.me?batch=1&input=%7B%7D");
    expect(loggedLines()).toEqual(["trpc.auth.me 401", "trpc.wallet.mandates 401"]);
    expect(new Set(lines.map(({ requestId }) => requestId))).toEqual(new Set([answer.headers.get("x-request-id")]));
    const [total] = requestMetrics(metrics.total());
    expect(total?.samples).toContainEqual({ labels: { operation: "trpc.wallet.mandates", status: "401" }, value: 1 });
  });

  test.each<[string, RequestInit | undefined, number]>([
    ["a procedure that doesn't exist", undefined, 404],
    ["wallet.mandates", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }, 405],
    ["wallet.revoke", { method: "POST", headers: { "content-type": "text/plain" }, body: "x" }, 415],
    ["wallet.revoke", { method: "POST", body: "x".repeat(70_000) }, 413],
    ["wallet.mandates?input=%7B", undefined, 400],
  ])(
    "a request that is refused before its procedure runs logs one line, without a name that the caller invented: %s",
    async (path, init, status) => {
      const answer = await ask(path, init);
      expect(answer.status).toBe(status);
      expect(lines).toHaveLength(1);
      expect(["pages", "trpc.wallet.mandates"]).toContain(lines[0]?.operation);
      expect(lines[0]?.status).toBe(status);
    },
  );
});
