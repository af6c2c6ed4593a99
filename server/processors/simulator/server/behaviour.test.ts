import { expect, test } from "vitest";
import { latencyMs } from "./behaviour.ts";

test("latency is derived from the key and spreads over the allowed range (docs/spec/payments.md, Simulator)", () => {
  const keys = Array.from({ length: 500 }, (_, index) => `key-${index}`);
  const taken = keys.map((key) => latencyMs(key, [5, 24]));
  expect(keys.map((key) => latencyMs(key, [5, 24]))).toEqual(taken);
  expect([Math.min(...taken), Math.max(...taken), new Set(taken).size]).toEqual([5, 24, 20]);
});
