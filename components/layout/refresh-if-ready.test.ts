import { afterEach, expect, test, vi } from "vitest";
import { refreshIfReady } from "./refresh-if-ready.ts";

afterEach(() => vi.unstubAllGlobals());

test.each([
  ["is refreshed if the service is ready", async () => new Response(null, { status: 200 }), 1],
  ["keeps its content if the service isn't ready", async () => new Response(null, { status: 503 }), 0],
  ["keeps its content if nothing responds", () => Promise.reject(new TypeError("fetch failed")), 0],
])("a page %s", async (_result, respond, refreshes) => {
  const ask = vi.fn(respond);
  vi.stubGlobal("fetch", ask);
  const refresh = vi.fn();
  await refreshIfReady({ refresh });
  expect(ask).toHaveBeenCalledWith("/readyz", { cache: "no-store" });
  expect(refresh).toHaveBeenCalledTimes(refreshes);
});
