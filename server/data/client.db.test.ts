import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { connectDatabase, statement } from "./client.ts";
import type { Prisma } from "./generated/client.ts";
import { isUnavailable } from "./unavailable.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

test("an unreachable database is reported as unavailable, by Prisma and by statements", async () => {
  const away = connectDatabase("postgresql://unknown@127.0.0.1:1/nothing", 1);
  try {
    const failures = await Promise.all(
      [away.prisma.environment.findFirst(), away.sql.query(backend, []), away.transaction((tx) => tx.mail.count())].map(
        (attempt) => attempt.then(() => null, isUnavailable),
      ),
    );
    expect(failures).toEqual([true, true, true]);
  } finally {
    await away.close();
  }
});

test("a database whose connections are all in use is reported as unavailable, by every interface", async () => {
  const one = connectDatabase(deps.config.databaseUrl, 1);
  try {
    const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
    const held = one.sqlTransaction(() => until);
    const failures = await Promise.all(
      [
        one.prisma.environment.findFirst(),
        one.transaction((tx) => tx.mail.count()),
        one.sqlTransaction((sql) => sql.query(backend, [])),
      ].map((attempt) => attempt.then(() => null, isUnavailable)),
    );
    expect(failures).toEqual([true, true, true]);
    letGo();
    await held;
  } finally {
    await one.close();
  }
});

test("connections to a demoted primary are closed at the first refused write, through Prisma or a statement", async () => {
  const name = new URL(deps.config.databaseUrl).pathname.slice(1);
  // This connection was opened before the change. A new connection would be read-only and couldn't undo the change.
  const admin = connectDatabase(deps.config.databaseUrl, 1);
  const setReadOnly = (value: "on" | "off") =>
    admin.prisma.$executeRawUnsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
  const write = statement<never>("write_denial", "INSERT INTO token_denial (jti, expires_at) VALUES ($1, now())");
  for (const interfaceOf of ["sql", "prisma"] as const) {
    const demoted = connectDatabase(deps.config.databaseUrl, 3);
    const add = (jti: string): Promise<unknown> =>
      interfaceOf === "sql"
        ? demoted.sqlTransaction((sql) => sql.query(write, [jti]))
        : demoted.transaction((tx) => tx.tokenDenial.create({ data: { jti, expiresAt: deps.clock.now() } }));
    try {
      await setReadOnly("on");
      await Promise.all([1, 2, 3].map(() => demoted.sql.query(backend, [])));
      await setReadOnly("off");
      expect(await add(`${interfaceOf}_1`).then(() => null, isUnavailable)).toBe(true);
      await Promise.all([2, 3, 4].map((count) => add(`${interfaceOf}_${count}`)));
    } finally {
      await demoted.close();
    }
  }
  await admin.close();
  expect(await deps.db.prisma.tokenDenial.count({ where: { jti: { contains: "sql_" } } })).toBe(3);
  expect(await deps.db.prisma.tokenDenial.count({ where: { jti: { contains: "prisma_" } } })).toBe(3);
});

test("a transaction that exceeds its time limit writes nothing, and the database counts as unavailable", async () => {
  const begin = async (jti: string, goOn: (tx: Prisma.TransactionClient) => Promise<unknown>): Promise<void> =>
    deps.db.prisma.$transaction(
      async (tx) => {
        await tx.tokenDenial.create({ data: { jti, expiresAt: deps.clock.now() } });
        await setTimeout(200);
        await goOn(tx);
      },
      { timeout: 50 },
    );
  const failures = await Promise.all(
    [
      begin("late_count", (tx) => tx.mail.count()),
      begin("late_query", (tx) => tx.$queryRaw`SELECT 1`),
      begin("late_commit", async () => {}),
    ].map((attempt) => attempt.then(() => null, isUnavailable)),
  );
  expect(failures).toEqual([true, true, true]);
  expect(await deps.db.prisma.tokenDenial.count({ where: { jti: { startsWith: "late_" } } })).toBe(0);
});

const backend = statement<{ pid: number }>("backend_pid", "SELECT pg_backend_pid() AS pid");

test("statements of a transaction run on its own connection while other transactions begin and end", async () => {
  const inOneTransaction = async (): Promise<number> =>
    deps.db.transaction(async (tx) => {
      const pids = new Set<number>();
      for (let round = 0; round < 20; round++) {
        const [byPrisma] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
        const [byStatement] = await tx.sql.query(backend, []);
        pids.add(byPrisma?.pid ?? -1).add(byStatement?.pid ?? -2);
      }
      return pids.size;
    });
  const counts = await Promise.all(Array.from({ length: 8 }, inOneTransaction));
  expect(counts).toEqual(Array.from({ length: 8 }, () => 1));
});

test("a transaction that throws writes nothing, through Prisma or statements", async () => {
  const id = "key_rolled_back";
  const failing = deps.db.transaction(async (tx) => {
    await tx.mail.create({
      data: {
        id,
        kind: "test",
        recipient: "a@example.test",
        subject: "",
        text: "",
        html: "",
        state: "pending",
        createdAt: deps.clock.now(),
        nextAttemptAt: deps.clock.now(),
      },
    });
    await tx.sql.query(statement("insert_denial", "INSERT INTO token_denial VALUES ($1, now())"), [id]);
    throw new Error("stop");
  });
  await expect(failing).rejects.toThrow("stop");
  expect(await deps.db.prisma.mail.count({ where: { id } })).toBe(0);
  expect(await deps.db.prisma.tokenDenial.count({ where: { jti: id } })).toBe(0);
});
