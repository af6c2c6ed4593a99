import { beforeEach, expect, test, vi } from "vitest";
import type { Deps } from "../deps/deps.ts";
import { tokenEndpoint } from "../endpoints/oauth/token.ts";
import { provideDeps } from "../http/runtime.ts";
import { serve } from "../http/serve.ts";
import { serveTrpc } from "../http/serve-trpc.ts";

const log = { debug() {}, info() {}, warn() {}, error: vi.fn(), request() {} };
beforeEach(() => {
  log.error.mockClear();
  provideDeps({ log, clock: { now: () => new Date() }, config: { baseUrl: "https://a.example" } } as unknown as Deps);
});

/** The connection is reset after the first bytes of the body. */
const cutShort = (path: string, type: string): Request => {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from("{")),
    pull: (controller) => controller.error(Object.assign(new Error("aborted"), { code: "ECONNRESET" })),
  });
  const headers = { "content-type": type, "content-length": "10" };
  return new Request(`https://a.example${path}`, { method: "POST", headers, body, duplex: "half" } as RequestInit);
};

test("an aborted request body is not logged as an error at an endpoint", async () => {
  const answer = await serve(tokenEndpoint)(cutShort("/oauth/token", "application/x-www-form-urlencoded"));
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { error: "invalid_request", error_description: "The connection closed before the body was complete." },
  ]);
  expect(log.error).not.toHaveBeenCalled();
});

test("an aborted request body is not logged as an error at a procedure", async () => {
  const answer = await serveTrpc(cutShort("/api/trpc/wallet.revoke", "application/json"));
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: { data: { code: "BAD_REQUEST" } } }]);
  expect(log.error).not.toHaveBeenCalled();
});
