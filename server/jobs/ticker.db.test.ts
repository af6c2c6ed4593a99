import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { statementsOf } from "#e2e/support/statements.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { waitUntil } from "#e2e/support/wait-until.ts";
import type { DueWork } from "../data/jobs/due-work.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";
import { startTick } from "./ticker.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const pulse = (name: string) => deps.db.prisma.jobPulse.findUniqueOrThrow({ where: { name } });

it("continues after a failure, and reports it to the operator", async () => {
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
  await waitUntil(async () => runs > 3);
  expect(await pulse("fails-once")).toMatchObject({ runs: 2n, failures: 1n, done: 1n, lastError: "no luck" });
  await ticker.stop();
  expect(runs).toBeGreaterThan(3);
  expect(await pulse("fails-once")).toMatchObject({ runs: BigInt(runs), failures: 1n, done: BigInt(runs - 1) });
});

it("runs again immediately while it has more work", async () => {
  let left = 50;
  const ticker = startTick(deps, {
    name: "has-more",
    intervalMilliseconds: 10_000,
    run: async () => ({ done: 1, hasMore: --left > 0 }),
  });
  await waitUntil(async () => left === 0);
  await ticker.stop();
});

it("completes the current run before it stops", async () => {
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

describe("a tick with isDue", () => {
  const onMail = { intervalMilliseconds: 100, isDue: ({ mail }: DueWork) => mail };

  it("doesn't run until it is due, and isn't checked again while it has more work", async () => {
    let [runs, left] = [0, 40];
    const content = {
      kind: "webhook_endpoint_off",
      endpointId: "whe_1",
      url: "https://shop.example/",
      reason: "failing",
      docsUrl: "https://pay.test/docs/webhooks",
    } as const;
    const names = await statementsOf(deps.db, async () => {
      const ticker = startTick(deps, {
        ...onMail,
        name: "on-mail",
        async run() {
          runs += 1;
          return { done: 1, hasMore: left-- > 0 };
        },
      });
      await sleep(300);
      expect(runs).toBe(0);
      await queueMail(deps, deps.db.sql, { recipient: "a@example.test", requestId: "r", content });
      await waitUntil(async () => runs > 40);
      await ticker.stop();
    });
    const checks = names.filter((name) => name === "find_due_work").length;
    expect(checks).toBeGreaterThan(0);
    expect(checks).toBeLessThan(runs / 2);
    expect(await pulse("on-mail")).toMatchObject({ failures: 0n, done: BigInt(runs), okAt: deps.clock.now() });
  });

  it("is checked together with the others, regardless of when their last runs ended", async () => {
    let runs = 0;
    const start = (index: number) =>
      startTick(deps, {
        name: `together-${index}`,
        intervalMilliseconds: 200,
        isDue: () => true,
        async run() {
          runs += 1;
          await sleep(20 * index);
          return { done: 1, hasMore: false };
        },
      });
    const names = await statementsOf(deps.db, async () => {
      const tickers = Array.from({ length: 6 }, (_, index) => start(index));
      await waitUntil(async () => runs >= 36);
      await Promise.all(tickers.map((ticker) => ticker.stop()));
    });
    // A short pause of the machine can separate some of the checks.
    expect(names.filter((name) => name === "find_due_work").length).toBeLessThan(runs / 2);
  });

  it("runs anyway if due work can't be read", async () => {
    let runs = 0;
    const locked = Promise.withResolvers<void>();
    const holder = deps.db.transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE refund IN ACCESS EXCLUSIVE MODE`;
      await locked.promise;
    });
    const ticker = startTick(deps, {
      ...onMail,
      isDue: () => false,
      name: "unsignalled",
      async run() {
        runs += 1;
        return { done: 1, hasMore: false };
      },
    });
    await waitUntil(async () => runs > 0, 14).finally(() => locked.resolve());
    await holder;
    await ticker.stop();
    expect(await pulse("unsignalled")).toMatchObject({ failures: 0n });
  });
});
