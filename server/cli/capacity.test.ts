import { describe, expect, test } from "vitest";
import {
  type ActCost,
  actKeys,
  type Costs,
  capacityOf,
  costOfMix,
  saturatedPerSecond,
} from "../../e2e/bench/capacity/formula.ts";

const nothing: ActCost = {
  cpu: { postgres: 0, web: 0, worker: 0, other: 0, simulator: 0, load: 0 },
  walBytes: 0,
  transactions: 0,
};
const free = Object.fromEntries(actKeys.map((key) => [key, nothing])) as Costs;
const costs: Costs = {
  ...free,
  token: { cpu: { ...nothing.cpu, postgres: 0.2, web: 0.3 }, walBytes: 600, transactions: 0.5 },
  charge: { cpu: { ...nothing.cpu, postgres: 3, web: 2.5, simulator: 1 }, walBytes: 9_000, transactions: 4 },
};

describe("capacity formula (docs/capacity.md)", () => {
  test("a mix costs the sum of its acts", () => {
    const cost = costOfMix(costs, { charge: 2, token: 10 });
    expect(cost.cpu.postgres).toBeCloseTo(8);
    expect(cost.cpu.web).toBeCloseTo(8);
    expect(cost.cpu.simulator).toBeCloseTo(2);
    expect(cost.walBytes).toBeCloseTo(24_000);
    expect(cost.transactions).toBeCloseTo(13);
  });

  test("the rate of a primary is cores × share ÷ CPU time of PostgreSQL", () => {
    const four = capacityOf({ cores: 4, share: 0.75 }, costs.charge);
    expect(four.perSecond).toBeCloseTo(1_000);
    expect(four.isLimitedByWal).toBe(false);
    expect(capacityOf({ cores: 16, share: 0.75 }, costs.charge).perSecond).toBeCloseTo(4_000);
  });

  test("the rate of a primary is limited by the WAL that its disk and network can carry", () => {
    const primary = { cores: 64, share: 0.75, walBytesPerSecond: 90e6 };
    expect(capacityOf(primary, costs.charge)).toEqual({ perSecond: 10_000, isLimitedByWal: true });
    expect(capacityOf({ ...primary, cores: 4 }, costs.charge).isLimitedByWal).toBe(false);
  });

  test("the busiest group of processes sets the rate", () => {
    const postgres = { parts: ["postgres"] as const, cores: 1 };
    const others = { parts: ["web", "simulator"] as const, cores: 1 };
    expect(saturatedPerSecond(costs.charge, [postgres, others])).toBeCloseTo(1000 / 3.5);
    expect(saturatedPerSecond(costs.charge, [postgres, { ...others, cores: 2 }])).toBeCloseTo(1000 / 3);
    expect(saturatedPerSecond(costs.charge, [{ parts: ["postgres", "web", "simulator"], cores: 2 }])).toBeCloseTo(
      2000 / 6.5,
    );
  });
});
