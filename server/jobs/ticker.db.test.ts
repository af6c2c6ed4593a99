import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { statementsOf } from "#e2e/support/statements.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { waitUntil } from "#e2e/support/wait-until.ts";
import { queueMail } from "../mail/queue-mail.ts";
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

describe("a tick that says when it is due", () => {
  /** Runs of a tick that is due where there is mail, in three intervals. */
  const runsOf = async (name: string, more = 0): Promise<number> => {
    let [runs, left] = [0, more];
    const ticker = startTick(deps, {
      ...{ name, intervalMilliseconds: 100, isDue: ({ mail }) => mail },
      async run() {
        runs += 1;
        return { done: 1, hasMore: left-- > 0 };
      },
    });
    await sleep(300);
    await ticker.stop();
    return runs;
  };

  it("is left alone until there is something to do, and is asked no more while it has more", async () => {
    expect(await runsOf("idle")).toBe(0);
    expect(await pulse("idle")).toMatchObject({ failures: 0n, done: 0n, okAt: deps.clock.now() });
    await queueMail(deps, deps.db.sql, {
      ...{ recipient: "a@example.test", requestId: "r" },
      content: { kind: "webhook_endpoint_off", endpointId: "whe_1", url: "https://shop.example/", reason: "failing" },
    });
    const statements = await statementsOf(deps.db, async () => expect(await runsOf("busy", 40)).toBeGreaterThan(40));
    expect(statements.filter((name) => name === "find_due_work").length).toBeLessThanOrEqual(4);
  });

  it("asks together with the others, whenever their last runs ended", async () => {
    const start = (index: number) =>
      startTick(deps, {
        ...{ name: `together-${index}`, intervalMilliseconds: 200, isDue: () => true },
        async run() {
          await sleep(20 * index);
          return { done: 1, hasMore: false };
        },
      });
    const names = await statementsOf(deps.db, async () => {
      const tickers = Array.from({ length: 6 }, (_, index) => start(index));
      await sleep(1_100);
      await Promise.all(tickers.map((ticker) => ticker.stop()));
    });
    // Five or six rounds of six askers each; a machine that stands still for a moment parts some of them.
    expect(names.filter((name) => name === "find_due_work").length).toBeLessThanOrEqual(15);
  });
});
