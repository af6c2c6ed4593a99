import type { RunResult } from "../load/job.ts";
import type { EndpointKey } from "../scenarios.ts";
import type { Memory } from "./memory.ts";

/**
 * A small version of a shop's day: each payment is verified several times, tokens are reused, and the list is polled.
 */
export const ratesPerSecond = {
  token: 30,
  par: 20,
  introspect: 60,
  "verify-mandate": 100,
  charge: 20,
  "status-list": 70,
} as const satisfies Partial<Record<EndpointKey, number>>;

export type SoakedKey = keyof typeof ratesPerSecond;
export const soakedKeys = Object.keys(ratesPerSecond) as SoakedKey[];
export const totalPerSecond = Object.values(ratesPerSecond).reduce((sum: number, rate) => sum + rate, 0);

/** The measurements of one period. `stolen`: the share of the processors' time that went to other machines. */
export type Period = { latency: Record<SoakedKey, RunResult>; memory: Memory[]; stolen: number };
