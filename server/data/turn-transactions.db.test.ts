import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { type Sql, statement } from "./client.ts";

const add = statement<{ total: number; transaction: string }>(
  "test_add_to_total",
  "UPDATE shared_total SET total = total + $1::int RETURNING total, pg_current_xact_id()::text AS transaction",
);
const read = statement<{ total: number }>("test_read_total", "SELECT total FROM shared_total");

let deps: TestDeps;
let other: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
  await deps.db.prisma.$executeRawUnsafe("CREATE TABLE shared_total (total INTEGER NOT NULL)");
  await deps.db.prisma.$executeRawUnsafe("INSERT INTO shared_total VALUES (0)");
  other = await anotherNode(deps);
});
afterAll(async () => {
  await other.close();
  await deps.close();
});
beforeEach(() => deps.db.prisma.$executeRawUnsafe("UPDATE shared_total SET total = 0"));

const addTo = async (sql: Sql, amount: number) => {
  const [row] = await sql.query(add, [amount]);
  return row ?? { total: 0, transaction: "none" };
};
const total = async () => (await deps.db.sql.query(read, []))[0]?.total;
const connections = async () =>
  Number(
    (
      await deps.db.prisma.$queryRaw<{ count: bigint }[]>`SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`
    )[0]?.count,
  );

describe("turns at a contended row", () => {
  test("concurrent callers share a transaction, and each gets its own answer", async () => {
    const answers = await Promise.all(
      Array.from({ length: 17 }, () => deps.db.inSharedTurn("total", (sql) => addTo(sql, 1))),
    );
    expect(answers.map((answer) => answer.total)).toEqual(Array.from({ length: 17 }, (_, index) => index + 1));
    expect(new Set(answers.map(({ transaction }) => transaction)).size).toBe(2);
  });

  test("a failing caller doesn't affect the others, and its changes are rolled back", async () => {
    const attempts = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) =>
        deps.db.inSharedTurn("total", async (sql) => {
          await addTo(sql, 1);
          if (index % 4 === 3) throw new Error(`no ${index}`);
        }),
      ),
    );
    expect(attempts.flatMap(({ status }, index) => (status === "rejected" ? [index] : []))).toEqual([3, 7, 11]);
    expect(await total()).toBe(9);
  });

  test("interleaving callers don't wait for each other's answers, and all others run after them, one at a time", async () => {
    const went: string[] = [];
    const twice = (name: string, interleaves: boolean) =>
      deps.db.inSharedTurn(
        "total",
        async (sql) => {
          for (const step of ["first", "second"]) {
            went.push(`${name} ${step}`);
            await addTo(sql, 1);
          }
        },
        { interleaves },
      );
    await Promise.all([twice("alone", true), twice("a", false), twice("b", true), twice("c", false), twice("d", true)]);
    expect(went).toEqual([
      "alone first",
      "alone second",
      "b first",
      "d first",
      "b second",
      "d second",
      "a first",
      "a second",
      "c first",
      "c second",
    ]);
    expect(await total()).toBe(10);
  });

  test("a failing caller doesn't affect interleaving callers, and none of their work runs outside a transaction", async () => {
    const attempts = await Promise.allSettled(
      Array.from({ length: 13 }, (_, index) =>
        deps.db.inSharedTurn(
          "total",
          async (sql) => {
            const { transaction } = await addTo(sql, 1);
            if (index === 5) throw new Error("no");
            const again = await addTo(sql, 1);
            return again.transaction === transaction;
          },
          { interleaves: true },
        ),
      ),
    );
    const done = attempts.map((attempt) => (attempt.status === "fulfilled" ? attempt.value : "failed"));
    expect(done).toEqual(Array.from({ length: 13 }, (_, index) => (index === 5 ? "failed" : true)));
    expect(await total()).toBe(24);
  });

  test("a caller that shares its turn with no other runs without a transaction, unless its work needs one", async () => {
    const went: string[] = [];
    const adding = (key: string, count: number, result: "alone" | undefined) =>
      Promise.all(
        Array.from({ length: count }, () =>
          deps.db.inSharedTurn<string>(
            key,
            async (sql) => {
              await addTo(sql, 1);
              went.push("together");
              return "together";
            },
            {
              interleaves: true,
              async alone(sql) {
                went.push("alone");
                if (result) await addTo(sql, 1);
                return result;
              },
            },
          ),
        ),
      );
    expect(await adding("a", 1, "alone")).toEqual(["alone"]);
    expect(await adding("b", 1, undefined)).toEqual(["together"]);
    expect(went.splice(0)).toEqual(["alone", "alone", "together"]);
    // The first caller doesn't wait, so it has a turn of its own. The others share the next turn.
    expect(await adding("c", 4, "alone")).toEqual(["alone", "together", "together", "together"]);
    expect(await total()).toBe(6);
  });

  test("two processes with 200 callers each lose no change", async () => {
    const adding = [deps, other].flatMap(({ db }) =>
      Array.from({ length: 200 }, () => db.inSharedTurn("total", (sql) => addTo(sql, 1))),
    );
    await Promise.all(adding);
    expect(await total()).toBe(400);
  });

  test.each(["inTurn", "inSharedTurn"] as const)(
    "%s: while the row is locked, one caller per process waits at PostgreSQL",
    async (take) => {
      const held = Promise.withResolvers<void>();
      const has = Promise.withResolvers<void>();
      const holding = other.db.sqlTransaction(async (sql) => {
        await addTo(sql, 1);
        has.resolve();
        await held.promise;
      });
      await has.promise;
      const waiting = Array.from({ length: 30 }, () => deps.db[take]("total", (sql) => addTo(sql, 1)));
      await expect.poll(connections).toBe(1);
      // The others hold no connection, so callers of another row are served in the meantime.
      expect(await deps.db.inSharedTurn("another", (sql) => sql.query(read, []))).toEqual([{ total: 0 }]);
      expect(await connections()).toBe(1);
      held.resolve();
      await Promise.all([holding, ...waiting]);
      expect(await total()).toBe(31);
    },
  );

  test("no caller's work is repeated if a shared transaction may have been committed", async () => {
    let calls = 0;
    const first = deps.db.inSharedTurn("total", (sql) => addTo(sql, 1));
    const lost = Array.from({ length: 3 }, (_, index) =>
      deps.db.inSharedTurn("total", async () => {
        calls += 1;
        if (index === 2) throw Object.assign(new Error("terminating connection"), { code: "57P01" });
      }),
    );
    const attempts = await Promise.allSettled([first, ...lost]);
    expect(attempts.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "rejected"]);
    expect(calls).toBe(3);
  });
});
