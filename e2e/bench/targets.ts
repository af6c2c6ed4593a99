import type { Measured } from "./measure.ts";
import type { Probed } from "./probe.ts";
import type { Contender, EndpointKey } from "./scenarios.ts";

/** docs/spec/product.md, Latency targets: the required p95 and p99 in milliseconds. */
export const latencyTargets: Partial<Record<EndpointKey, { p95: number; p99: number }>> = {
  par: { p95: 120, p99: 250 },
  token: { p95: 180, p99: 350 },
  "verify-mandate": { p95: 40, p99: 120 },
  "status-list": { p95: 30, p99: 80 },
  charge: { p95: 800, p99: 1_500 },
};

export const meetsFloor = ({ scenario, result }: Measured): boolean | null => {
  const target = latencyTargets[scenario.key];
  return target ? result.p95 <= target.p95 && result.p99 <= target.p99 : null;
};

export type Aim = { text: string; measured: string; isMet: boolean };

type Figures = Probed & {
  find(key: EndpointKey, contender: Contender, ratePerSecond?: number): Measured | undefined;
};

type Bounds = { atLeast?: number; atMost?: number; unit?: string };

/** Returns nothing if the figure wasn't measured. */
const aim = (
  text: string,
  value: number | undefined,
  { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY, unit = "" }: Bounds,
): Aim[] =>
  value === undefined ? [] : [{ text, measured: `${round(value)}${unit}`, isMet: value >= atLeast && value <= atMost }];

export const round = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString("en-GB") : value.toFixed(2);

/** 'Performance targets' of docs/spec/oauth.md and docs/spec/payments.md: stricter targets than the minimum. */
export const listAims = ({ find, statements, ownShare }: Figures): Aim[] => {
  const rate = (key: EndpointKey, contender: Contender = "paygrant") => find(key, contender)?.result.perSecond;
  const ratio = (key: EndpointKey, contender: Contender) => {
    const [own, other] = [rate(key), rate(key, contender)];
    return own !== undefined && other !== undefined ? own / other : undefined;
  };
  const limit = ratio("token", "baseline");
  return [
    ...aim("token, 1.5 × oidc-provider", ratio("token", "oidc-provider"), { atLeast: 1.5, unit: " ×" }),
    ...aim("token, 60% of the baseline", limit === undefined ? undefined : limit * 100, { atLeast: 60, unit: "%" }),
    ...aim("PAR, 1.5 × oidc-provider", ratio("par", "oidc-provider"), { atLeast: 1.5, unit: " ×" }),
    ...aim("introspect, 2 × oidc-provider", ratio("introspect", "oidc-provider"), { atLeast: 2, unit: " ×" }),
    ...aim("jwks, 20,000/s", rate("jwks"), { atLeast: 20_000, unit: "/s" }),
    ...aim("status-list, 20,000/s", rate("status-list"), { atLeast: 20_000, unit: "/s" }),
    ...aim("status-list at that rate, p99 5 ms", find("status-list", "paygrant")?.result.p99, {
      atMost: 5,
      unit: " ms",
    }),
    ...aim("status-list at an even 20,000/s, p99 5 ms", find("status-list", "paygrant", 20_000)?.result.p99, {
      atMost: 5,
      unit: " ms",
    }),
    ...aim("verify-mandate, 2,500/s", rate("verify-mandate"), { atLeast: 2_500, unit: "/s" }),
    ...aim("verify-mandate at 500/s, p99 10 ms", find("verify-mandate", "paygrant", 500)?.result.p99, {
      atMost: 10,
      unit: " ms",
    }),
    ...aim("charge at 100/s, our own share p95 20 ms", ownShare?.p95, { atMost: 20, unit: " ms" }),
    ...aim("charges of one mandate, 200/s", rate("hot-spot"), { atLeast: 200, unit: "/s" }),
    ...aim("token, 2 SQL statements", statements.get("token"), { atMost: 2 }),
    ...aim("introspect, 1 SQL statement", statements.get("introspect"), { atMost: 1 }),
  ];
};

/** What one charge costs, with everything that follows from it, such as the delivery of its webhook. */
export type ChargeCost = {
  perSecond: number;
  /** CPU time in ms by role of the processes */
  cpu: ReadonlyMap<string, number>;
  /** CPU time in ms without the simulated processor */
  ownCpu: number;
  /** statements that a web process sends, BEGIN and COMMIT included */
  statements: number;
  transactions: number;
  walBytes: number;
  walRecords: number;
  /** records that contain a whole page */
  walPages: number;
  /** pgbench's TPC-B-like transactions per second in the same run */
  tps: number;
};

/** A charge reserves, submits and settles, so it is compared with three transactions. */
const transactionsPerCharge = 3;

export const listCostAims = (cost: ChargeCost): Aim[] => [
  ...aim("CPU per charge, 4.0 ms", cost.ownCpu, { atMost: 4, unit: " ms" }),
  ...aim("charges/s, 0.5 × pgbench / 3", cost.perSecond / (cost.tps / transactionsPerCharge), {
    atLeast: 0.5,
    unit: " ×",
  }),
  ...aim("statements per charge, 6", cost.statements, { atMost: 6 }),
  ...aim("WAL per charge, 5 kB", cost.walBytes, { atMost: 5_000, unit: " bytes" }),
];
