import type { Board } from "../board.ts";
import type { ComponentKey } from "../components.ts";

type Target = {
  /** method and path */
  endpoint: string;
  component: ComponentKey;
  /** operationIds, measured together */
  operations: readonly string[];
  /** milliseconds on the server */
  p95: number;
  p99: number;
};

/** docs/spec/product.md, Latency targets. */
export const latencyTargets: readonly Target[] = [
  {
    endpoint: "POST /oauth/par",
    component: "authorization_server",
    operations: ["pushAuthorizationRequest"],
    p95: 120,
    p99: 250,
  },
  {
    endpoint: "POST /oauth/token",
    component: "authorization_server",
    operations: ["token"],
    p95: 180,
    p99: 350,
  },
  {
    endpoint: "POST /merchant_test/verify-mandate",
    component: "authorization_server",
    operations: ["verifyMandate"],
    p95: 40,
    p99: 120,
  },
  {
    endpoint: "GET /oauth/status-list",
    component: "authorization_server",
    operations: ["getNewestStatusList", "getStatusList"],
    p95: 30,
    p99: 80,
  },
  {
    endpoint: "POST /merchant_test/charge",
    component: "authorization_server",
    operations: ["createCharge"],
    p95: 800,
    p99: 1500,
  },
];

/** A measured quantile and its target. */
export type LatencyQuantile = {
  targetMilliseconds: number;
  /** rounded up; null: nothing was measured, or more than ten seconds */
  measuredMilliseconds: number | null;
  /** null: nothing was measured */
  isMet: boolean | null;
};

export type LatencySummary = Pick<Target, "endpoint" | "component"> & {
  requests: number;
  p95: LatencyQuantile;
  p99: LatencyQuantile;
};

const quantileOf = (target: number, measured: number | null, requests: number): LatencyQuantile => ({
  targetMilliseconds: target,
  measuredMilliseconds: measured === null ? null : Math.ceil(measured),
  isMet: requests === 0 ? null : measured !== null && measured <= target,
});

/** The measured latency of each endpoint that has a target. */
export const summarizeLatency = ({ latency }: Pick<Board, "latency">): LatencySummary[] =>
  latencyTargets.map(({ endpoint, component, p95, p99 }) => {
    const measured = latency.endpoints.find((one) => one.endpoint === endpoint);
    const requests = measured?.requests ?? 0;
    return {
      endpoint,
      component,
      requests,
      p95: quantileOf(p95, measured?.p95 ?? null, requests),
      p99: quantileOf(p99, measured?.p99 ?? null, requests),
    };
  });
