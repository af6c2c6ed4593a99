import { expect, test } from "vitest";
import { latencyMs } from "./behaviour.ts";

test("latency is seeded: a key always takes as long, and keys spread over all that is allowed (docs/spec/payments.md, Simulator)", () => {
  const keys = Array.from({ length: 500 }, (_, index) => `key-${index}`);
  const taken = keys.map((key) => latencyMs(key, [5, 24]));
  expect(keys.map((key) => latencyMs(key, [5, 24]))).toEqual(taken);
  expect([Math.min(...taken), Math.max(...taken), new Set(taken).size]).toEqual([5, 24, 20]);
});
