import { setTimeout as sleep } from "node:timers/promises";
import { PgBoss } from "pg-boss";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { connectDatabase, type Db, type Sql, statement } from "./client.ts";
import { connectAlone, connectionOptions } from "./connect.ts";
import { type SilentPeer, startSilentPeer } from "./silent-peer.fixture.ts";
import { isUnavailable } from "./unavailable.ts";

const connections = 4;
const timeouts = { connection: 5_000, statement: 500 };
/** Time limit for work that takes three seconds on an idle machine. */
const healSeconds = 20;

let deps: TestDeps;
let peer: SilentPeer;
let db: Db;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());
beforeEach(async () => {
  peer = await startSilentPeer(deps.config.databaseUrl);
  db = connectDatabase(peer.databaseUrl, connections, timeouts);
});
afterEach(async () => {
  await db.close();
  await peer.close();
});

const one = statement<{ one: number }>("select_one", "SELECT 1 AS one");
const lockTable = statement<never>("lock_environment", "LOCK TABLE environment IN ACCESS EXCLUSIVE MODE");
const slow = statement<never>("sleep_long", "SELECT pg_sleep(3.2)");
const query = (sql: Sql) => sql.query(one, []);

/** Each interface to the database; `between` runs inside its transaction, if it has one. */
const roads: [name: string, go: (db: Db, between: () => unknown) => Promise<unknown>][] = [
  [
    "a statement",
    (db, between) => {
      between();
      return query(db.sql);
    },
  ],
  [
    "Prisma",
    (db, between) => {
      between();
      return db.prisma.environment.findFirst();
    },
  ],
  [
    "a transaction of statements, in the middle",
    (db, between) =>
      db.sqlTransaction(async (sql) => {
        await query(sql);
        await between();
        await query(sql);
      }),
  ],
  [
    "a transaction of statements, at the end",
    (db, between) =>
      db.sqlTransaction(async (sql) => {
        await query(sql);
        await between();
      }),
  ],
  [
    "a Prisma transaction, in the middle",
    (db, between) =>
      db.transaction(async (tx) => {
        await tx.environment.findFirst();
        await between();
        await tx.environment.findFirst();
      }),
  ],
  [
    "a Prisma transaction, at the end",
    (db, between) =>
      db.transaction(async (tx) => {
        await tx.environment.findFirst();
        await between();
      }),
  ],
  [
    "a shared turn",
    (db, between) =>
      db.inSharedTurn("a row", async (sql) => {
        await between();
        await query(sql);
      }),
  ],
];

/** Opens all connections of the pool: none is released until all are open. */
const fillPool = async () => {
  const { promise: allOpen, resolve } = Promise.withResolvers<void>();
  let open = 0;
  const hold = () => {
    open += 1;
    if (open === connections) resolve();
    return allOpen;
  };
  await Promise.all(Array.from({ length: connections }, () => db.sqlTransaction(hold)));
};

const untilHealed = { timeout: healSeconds * 1_000 };

describe("a peer that stops answering without closing its connections (docs/spec/operations.md)", () => {
  test.each(roads)("%s fails as unavailable, and the next attempts succeed immediately", untilHealed, async (_, go) => {
    await fillPool();
    expect(db.connections()).toMatchObject({ total: connections, idle: connections });
    expect(await go(db, () => peer.silence()).then(() => null, isUnavailable)).toBe(true);
    const after = Array.from({ length: 2 * connections }, () => go(db, () => {}).then(() => "answered"));
    expect(new Set(await Promise.all(after))).toEqual(new Set(["answered"]));
    expect(db.connections().waiting).toBe(0);
  });

  test("blocks neither the job queue nor a separate connection", untilHealed, async () => {
    const boss = new PgBoss({ ...connectionOptions(peer.databaseUrl, timeouts), schema: "pgboss_silent", max: 3 });
    boss.on("error", () => {});
    await boss.start();
    const alone = await connectAlone(peer.databaseUrl, timeouts);
    try {
      await boss.createQueue("silent");
      peer.silence();
      const queries = Array.from({ length: 3 }, () => boss.getQueues().then(() => null, isUnavailable));
      expect(await Promise.all(queries)).not.toContain(false);
      await expect.poll(() => boss.getQueues().then((queues) => queues.map(({ name }) => name))).toContain("silent");
      expect(await alone.query("SELECT 1").then(() => null, isUnavailable)).toBe(true);
    } finally {
      await alone.end();
      await boss.stop({ graceful: false });
    }
  });
});

const settings = statement<{ statement: string; idle: string }>(
  "show_timeouts",
  `SELECT current_setting('statement_timeout') AS statement, current_setting('idle_in_transaction_session_timeout') AS idle`,
);

describe("PostgreSQL's own limits", () => {
  test("are sent when a connection starts, unless the PostgreSQL role already has them", async () => {
    expect(await db.sql.query(settings, [])).toEqual([{ statement: "500ms", idle: "1s" }]);
    const pooled = connectDatabase(peer.databaseUrl, 1, { ...timeouts, sendsSettings: false });
    try {
      expect(await pooled.sql.query(settings, [])).toEqual([{ statement: "0", idle: "0" }]);
    } finally {
      await pooled.close();
    }
  });

  test("cancel a statement, and every interface reports the database as unavailable", untilHealed, async () => {
    const failures = await Promise.all(
      [
        db.sql.query(slow, []),
        db.prisma.$queryRaw`SELECT 1 FROM pg_sleep(3.2)`,
        db.sqlTransaction((sql) => sql.query(slow, [])),
        db.transaction((tx) => tx.$queryRaw`SELECT 1 FROM pg_sleep(3.2)`),
        db.transaction((tx) => tx.sql.query(slow, [])),
        deps.db.sqlTransaction(async (sql) => {
          await sql.query(lockTable, []);
          await db.prisma.environment.findFirst();
        }),
      ].map((attempt) => attempt.then(() => null, isUnavailable)),
    );
    expect(failures).toEqual([true, true, true, true, true, true]);
    await query(db.sql);
  });

  test("end a transaction that is idle too long", untilHealed, async () => {
    const idle = db.sqlTransaction(async (sql) => {
      await query(sql);
      await sleep(1_500);
      await query(sql);
    });
    expect(await idle.then(() => null, isUnavailable)).toBe(true);
    await query(db.sql);
  });

  test("allow a longer time in a maintenance transaction", untilHealed, async () => {
    const upkeep = db.sqlTransaction(
      async (sql) => {
        await sql.query(slow, []);
        await sleep(1_500);
        return (await sql.query(settings, []))[0];
      },
      { timeoutMilliseconds: 60_000 },
    );
    expect(await upkeep).toEqual({ statement: "1min", idle: "1min" });
    expect(await db.sql.query(settings, [])).toEqual([{ statement: "500ms", idle: "1s" }]);
  });
});
