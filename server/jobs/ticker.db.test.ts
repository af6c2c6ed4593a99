import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { waitUntil } from "#e2e/support/wait-until.ts";
import { startTick } from "./ticker.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const pulse = (name: string) => deps.db.prisma.jobPulse.findUniqueOrThrow({ where: { name } });

it("goes on after a failure, and tells the operator of it", async () => {
  let runs = 0;
  const ticker = startTick(deps, {
    name: "fails-once",
    intervalMilliseconds: 10,
    async run() {
      runs += 1;
      if (runs === 2) throw new Error("no luck");
      return { done: 1, hasMore: false };
    },
  });
  await waitUntil(async () => runs > 3, 30);
  expect(await pulse("fails-once")).toMatchObject({ runs: 2n, failures: 1n, done: 1n, lastError: "no luck" });
  await ticker.stop();
  expect(runs).toBeGreaterThan(3);
  expect(await pulse("fails-once")).toMatchObject({ runs: BigInt(runs), failures: 1n, done: BigInt(runs - 1) });
});

it("runs again at once while there is more to do", async () => {
  let left = 50;
  const ticker = startTick(deps, {
    name: "has-more",
    intervalMilliseconds: 10_000,
    run: async () => ({ done: 1, hasMore: --left > 0 }),
  });
  await waitUntil(async () => left === 0, 9);
  await ticker.stop();
});

it("lets the run in hand end before it has stopped", async () => {
  let isDone = false;
  const ticker = startTick(deps, {
    name: "slow",
    intervalMilliseconds: 10,
    async run() {
      await sleep(200);
      isDone = true;
      return { done: 1, hasMore: false };
    },
  });
  await sleep(50);
  await ticker.stop();
  expect(isDone).toBe(true);
});
