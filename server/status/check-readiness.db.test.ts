import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { connectDatabase } from "../data/client.ts";
import { checkReadiness } from "./check-readiness.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const ready = { database: true, keys: true, migrations: true };
const unready = { database: false, keys: true, migrations: false };

test("whoever runs out of patience once, with the database there, is ready; with none of it, isn't", async () => {
  const patience = 1_500;
  const one = connectDatabase(deps.config.databaseUrl, 1, { connection: patience });
  try {
    const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const held = one.sqlTransaction(() => {
      isHeld.resolve();
      return until;
    });
    await isHeld.promise;
    expect(await checkReadiness({ db: one, keys: deps.keys })).toEqual(unready);
    const asked = checkReadiness({ db: one, keys: deps.keys });
    await pause(patience * 1.5);
    letGo();
    expect(await asked).toEqual(ready);
    await held;
  } finally {
    await one.close();
  }
});

test("a database that stands still is told as such, before whoever asks has gone", async () => {
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  const other = connectDatabase(deps.config.databaseUrl, 1);
  try {
    const held = other.transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE "_prisma_migrations" IN ACCESS EXCLUSIVE MODE`;
      isHeld.resolve();
      await until;
    });
    await isHeld.promise;
    expect(await checkReadiness(deps)).toEqual(unready);
    letGo();
    await held;
    expect(await checkReadiness(deps)).toEqual(ready);
  } finally {
    await other.close();
  }
});

test("a database that is away is told as such at once", async () => {
  const away = connectDatabase("postgresql://nobody@127.0.0.1:1/nothing", 1);
  try {
    expect(await checkReadiness({ db: away, keys: deps.keys })).toEqual(unready);
  } finally {
    await away.close();
  }
});
