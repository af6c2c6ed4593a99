import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { connectDatabase, type Db, type Sql, type Statement, statement } from "../data/client.ts";
import { startSilentPeer } from "../data/silent-peer.fixture.ts";
import { checkReadiness } from "./check-readiness.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const ready = { database: true, keys: true, migrations: true };
const unready = { database: false, keys: true, migrations: false };

/** Another connection holds the lock until the test releases it. Nothing else ends that transaction. */
const hold = async (db: Pick<Db, "sqlTransaction">, what: Statement<never>) => {
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  const held = db.sqlTransaction(async (sql) => {
    await sql.query(what, []);
    isHeld.resolve();
    await until;
  });
  await isHeld.promise;
  return async () => {
    letGo();
    await held;
  };
};
const nothing = statement<never>("hold_nothing", "SELECT");
const migrations = statement<never>("hold_migrations", 'LOCK TABLE "_prisma_migrations" IN ACCESS EXCLUSIVE MODE');

test("is ready if only the first of two tries times out, and not ready if both do", async () => {
  const one = connectDatabase(deps.config.databaseUrl, 1, { connection: 500 });
  try {
    const letGo = await hold(one, nothing);
    expect(await checkReadiness({ db: one, keys: deps.keys })).toEqual(unready);
    let queries = 0;
    const query: Sql["query"] = async (...sent) => {
      queries += 1;
      if (queries === 2) await letGo();
      return one.sql.query(...sent);
    };
    expect(await checkReadiness({ db: { ...one, sql: { query } }, keys: deps.keys })).toEqual(ready);
    expect(queries).toBe(2);
  } finally {
    await one.close();
  }
});

test("reports a hanging database before the caller's time-out", async () => {
  const other = connectDatabase(deps.config.databaseUrl, 1);
  try {
    const letGo = await hold(other, migrations);
    expect(await checkReadiness(deps)).toEqual(unready);
    await letGo();
    expect(await checkReadiness(deps)).toEqual(ready);
  } finally {
    await other.close();
  }
});

test("reports an unavailable database immediately", async () => {
  const away = connectDatabase("postgresql://unknown@127.0.0.1:1/nothing", 1);
  try {
    expect(await checkReadiness({ db: away, keys: deps.keys })).toEqual(unready);
  } finally {
    await away.close();
  }
});

test("is not ready while new connections to the database hang", async () => {
  const peer = await startSilentPeer(deps.config.databaseUrl);
  const db = connectDatabase(peer.databaseUrl, 4, { statement: 500 });
  try {
    const readiness = () => checkReadiness({ db, keys: deps.keys });
    expect(await readiness()).toEqual(ready);
    peer.silence();
    // The check tries twice within four seconds, the second time over a new connection.
    expect(await readiness()).toEqual(ready);
    peer.silence(true);
    expect(await readiness()).toEqual(unready);
    peer.answer();
    await expect.poll(readiness).toEqual(ready);
  } finally {
    await db.close();
    await peer.close();
  }
});
