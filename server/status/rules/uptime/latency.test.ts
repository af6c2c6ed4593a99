import { describe, expect, test } from "vitest";
import { latencyTargets, summarizeLatency } from "./latency.ts";

const since = new Date("2026-11-01T00:00:00Z");
const summaryOf = (measured: { requests: number; p95: number | null; p99: number | null }) =>
  summarizeLatency({ latency: { since, endpoints: [{ endpoint: "POST /oauth/par", ...measured }] } })[0];

describe("measured latency compared with the targets (docs/spec/product.md, Latency targets)", () => {
  test("the five targets are those of the specification", () =>
    expect(latencyTargets.map(({ endpoint, p95, p99 }) => `${endpoint} ${p95} ${p99}`)).toEqual([
      "POST /oauth/par 120 250",
      "POST /oauth/token 180 350",
      "POST /merchant_test/verify-mandate 40 120",
      "GET /oauth/status-list 30 80",
      "POST /merchant_test/charge 800 1500",
    ]));

  test.each([
    ["within both", { p95: 120, p99: 250 }, [true, true], [120, 250]],
    ["slightly above one, rounded up", { p95: 120.2, p99: 250 }, [false, true], [121, 250]],
    ["one longer than ten seconds", { p95: 90, p99: null }, [true, false], [90, null]],
  ])("%s", (_, measured, met, milliseconds) => {
    const one = summaryOf({ requests: 7, ...measured });
    expect([one?.p95.isMet, one?.p99.isMet]).toEqual(met);
    expect([one?.p95.measuredMilliseconds, one?.p99.measuredMilliseconds]).toEqual(milliseconds);
  });

  test("without requests there is no result", () => {
    expect(summaryOf({ requests: 0, p95: null, p99: null })).toMatchObject({ requests: 0, p95: { isMet: null } });
    expect(summarizeLatency({ latency: { since, endpoints: [] } })[4]?.p99.isMet).toBeNull();
  });
});
