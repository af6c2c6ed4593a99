import type { Measured } from "./measure.ts";
import type { Probed } from "./probe.ts";
import type { Contender, EndpointKey } from "./scenarios.ts";

/** docs/spec/product.md, Latency targets: p95 and p99 in milliseconds. The minimum. */
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

const atLeast = (text: string, value: number | undefined, least: number, unit: string): Aim[] =>
  value === undefined ? [] : [{ text, measured: `${round(value)}${unit}`, isMet: value >= least }];
const atMost = (text: string, value: number | undefined, most: number, unit: string): Aim[] =>
  value === undefined ? [] : [{ text, measured: `${round(value)}${unit}`, isMet: value <= most }];

export const round = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString("en-GB") : value.toFixed(2);

/** 'Performance targets' of docs/spec/oauth.md and docs/spec/payments.md: stricter targets than the minimum. */
export const listAims = ({ find, statements, ownShare }: Figures): Aim[] => {
  const rate = (key: EndpointKey, contender: Contender = "paygrant") => find(key, contender)?.result.perSecond;
  const ratio = (key: EndpointKey, contender: Contender) => {
    const [own, other] = [rate(key), rate(key, contender)];
    return own !== undefined && other !== undefined ? own / other : undefined;
  };
  const limit = ratio("token", "crypto limit");
  return [
    ...atLeast("token, 1.5 × oidc-provider", ratio("token", "oidc-provider"), 1.5, " ×"),
    ...atLeast("token, 60 % of the limit", limit === undefined ? undefined : limit * 100, 60, " %"),
    ...atLeast("PAR, 1.5 × oidc-provider", ratio("par", "oidc-provider"), 1.5, " ×"),
    ...atLeast("introspect, 2 × oidc-provider", ratio("introspect", "oidc-provider"), 2, " ×"),
    ...atLeast("jwks, 20,000/s", rate("jwks"), 20_000, "/s"),
    ...atLeast("status-list, 20,000/s", rate("status-list"), 20_000, "/s"),
    ...atMost("status-list at that rate, p99 5 ms", find("status-list", "paygrant")?.result.p99, 5, " ms"),
    ...atMost(
      "status-list at an even 20,000/s, p99 5 ms",
      find("status-list", "paygrant", 20_000)?.result.p99,
      5,
      " ms",
    ),
    ...atLeast("verify-mandate, 2,500/s", rate("verify-mandate"), 2_500, "/s"),
    ...atMost("verify-mandate at 500/s, p99 10 ms", find("verify-mandate", "paygrant", 500)?.result.p99, 10, " ms"),
    ...atMost("charge at 100/s, our own share p95 20 ms", ownShare?.p95, 20, " ms"),
    ...atLeast("charges of one mandate, 200/s", rate("hot-spot"), 200, "/s"),
    ...atMost("token, 2 SQL statements", statements.get("token"), 2, ""),
    ...atMost("introspect, 1 SQL statement", statements.get("introspect"), 1, ""),
  ];
};
