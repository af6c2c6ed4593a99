import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { primarySettings, startPostgres, startStandby } from "#e2e/support/test-database.ts";
import { connectDatabase, type Db, statement } from "../client.ts";
import { type SilentPeer, startSilentPeer } from "../silent-peer.fixture.ts";
import { defaultTimeouts } from "../timeouts.ts";
import { isUnavailable } from "../unavailable.ts";
import { connectReplica, type Replica } from "./replica.ts";

/** The id that `environment` returns on the standby, which shows that Prisma read from the standby. */
const standbyId = 2;

let primary: Awaited<ReturnType<typeof startPostgres>>;
let standby: Awaited<ReturnType<typeof startStandby>>;
let peer: SilentPeer;
let db: Db;
let replica: Replica;
/** a new request for each use */
let reads: Db;
let failures: string[];

const timeouts = { ...defaultTimeouts, statement: 2_000 };
const open = (url: string): Replica =>
  connectReplica(db, { url, poolSize: 4, timeouts }, (error) => failures.push(String(error)));

beforeAll(async () => {
  primary = await startPostgres(primarySettings);
  await onServer(
    primary.url,
    `CREATE VIEW environment AS SELECT CASE WHEN pg_is_in_recovery() THEN ${standbyId} ELSE 1 END AS id`,
  );
  // Cancels a read at once if the standby must replay the removal of the rows that it reads.
  standby = await startStandby(primary, { max_standby_streaming_delay: 0, wal_receiver_status_interval: 1 });
});
afterAll(async () => {
  await standby.stop();
  await primary.stop();
});
beforeEach(async () => {
  failures = [];
  db = connectDatabase(primary.url, 4);
  peer = await startSilentPeer(standby.url);
  replica = open(peer.databaseUrl);
  reads = replica.reads();
  await expect.poll(isOnStandby).toBe(true);
  failures = [];
});
afterEach(async () => {
  await replica.close();
  await peer.close();
  await db.close();
});

const findPlace = statement<{ inRecovery: boolean }>("find_place", `SELECT pg_is_in_recovery() AS "inRecovery"`);
const isOnStandby = async (): Promise<boolean | undefined> =>
  (await replica.reads().sql.query(findPlace, []))[0]?.inRecovery;

const onServer = async (url: string, ...texts: string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const text of texts) await client.query(text);
  } finally {
    await client.end();
  }
};

test("the pool of the primary doesn't use a connection to a standby, not even for reads", async () => {
  const misled = connectDatabase(standby.url, 2);
  for (const read of [misled.sql.query(findPlace, []), misled.prisma.$queryRawUnsafe("SELECT 1")]) {
    expect(await read.then(() => "answered", isUnavailable)).toBe(true);
  }
  expect(misled.connections().total).toBe(0);
  await misled.close();
});

/**
 * Passes connections to a server on, but says the opposite about its role, as PgBouncer can
 * (docs/runbooks/pgbouncer.ini).
 * @param truth what the server says: whether it is a standby
 */
const startLiar = async (url: string, truth: "on" | "off" = "off") => {
  const lie = truth === "off" ? "on" : "off";
  const statusOf = (value: string) => {
    const text = Buffer.from(`in_hot_standby\0${value}\0`);
    return Buffer.concat([Buffer.from("S"), Buffer.from([0, 0, 0, text.length + 4]), text]).toString("latin1");
  };
  const { hostname, port } = new URL(url);
  let lies = 0;
  let delay = 0;
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(port), hostname);
    client.pipe(upstream);
    let hasStarted = false;
    upstream.on("data", (data) => {
      const text = data.toString("latin1");
      setTimeout(() => client.write(text.replace(statusOf(truth), statusOf(lie)), "latin1"), hasStarted ? delay : 0);
      if (!text.includes(statusOf(truth))) return;
      hasStarted = true;
      lies += 1;
    });
    upstream.on("close", () => client.destroy());
    client.on("close", () => upstream.destroy());
    for (const socket of [client, upstream]) socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const databaseUrl = Object.assign(new URL(url), {
    hostname: "127.0.0.1",
    port: String(typeof address === "object" ? address?.port : ""),
  }).toString();
  return {
    databaseUrl,
    lies: () => lies,
    /** Answers take this time, except those of the start of a connection. */
    delay(milliseconds: number) {
      delay = milliseconds;
    },
    close: () => server.close(),
  };
};

test("the pool of the primary uses a connection that a pooler reports as one to a standby, if it isn't", async () => {
  const liar = await startLiar(primary.url);
  const misled = connectDatabase(liar.databaseUrl, 2);
  expect(await misled.sql.query(findPlace, [])).toEqual([{ inRecovery: false }]);
  expect(liar.lies()).toBeGreaterThan(0);
  await misled.close();
  liar.close();
});

test("the pool of the primary doesn't use a connection that a pooler reports as one to the primary, if it isn't", async () => {
  const liar = await startLiar(standby.url, "on");
  const misled = connectDatabase(liar.databaseUrl, 2, { ...defaultTimeouts, sendsSettings: false });
  expect(await misled.sql.query(findPlace, []).then(() => "answered", isUnavailable)).toBe(true);
  expect(liar.lies()).toBeGreaterThan(0);
  await misled.close();
  liar.close();
});

test("if the answer about a standby takes too long, callers get an error in time, and the pool loses no connection", async () => {
  const liar = await startLiar(primary.url);
  const slow = connectDatabase(liar.databaseUrl, 1, { ...defaultTimeouts, connection: 1_000 });
  liar.delay(3_000);
  const read = () => slow.sql.query(findPlace, []);
  const outcomes = await Promise.all([read(), read()].map((one) => one.then(() => "answered", isUnavailable)));
  expect(outcomes).toEqual([true, true]);
  liar.delay(0);
  await expect.poll(() => read().catch(() => [])).toEqual([{ inRecovery: false }]);
  await slow.close();
  liar.close();
});

test("statements, transactions of statements and operations of models use the standby; everything else uses the primary", async () => {
  const inTransaction = await reads.sqlTransaction((sql) => sql.query(findPlace, []));
  const ofModel = await reads.prisma.environment.findFirst({ select: { id: true } });
  const ofPrisma = await reads.prisma.$queryRaw`SELECT pg_is_in_recovery() AS "inRecovery"`;
  expect(inTransaction).toEqual([{ inRecovery: true }]);
  expect(ofModel).toEqual({ id: standbyId });
  expect(ofPrisma).toEqual([{ inRecovery: false }]);
});

test("a standby that has replayed nothing for four seconds isn't read while the primary writes", async () => {
  await onServer(standby.url, "SELECT pg_wal_replay_pause()");
  try {
    await onServer(primary.url, "CREATE TABLE lagging (id int)");
    await sleep(5_100);
    expect(await isOnStandby()).toBe(false);
    expect(failures).toEqual(["StaleReplica: The replica lags."]);
  } finally {
    await onServer(standby.url, "SELECT pg_wal_replay_resume()");
  }
});

test("a standby that is stopped isn't read until it is started again", async () => {
  await standby.pause();
  try {
    expect([await isOnStandby(), await isOnStandby()]).toEqual([false, false]);
    expect(failures).toHaveLength(1);
  } finally {
    await standby.resume();
  }
  await expect.poll(isOnStandby, { interval: 500 }).toBe(true);
});

test("a silent standby delays one read by its time limit, and doesn't delay later reads", async () => {
  peer.silence();
  const startedAt = performance.now();
  expect(await isOnStandby()).toBe(false);
  const first = performance.now() - startedAt;
  expect(await isOnStandby()).toBe(false);
  const second = performance.now() - startedAt - first;
  expect(first).toBeLessThan(timeouts.statement + 4_000);
  expect(second).toBeLessThan(1_000);
});

test("a read that the standby cancels is repeated on the primary", async () => {
  await onServer(primary.url, "CREATE TABLE conflicting (id int)", "INSERT INTO conflicting VALUES (1)");
  await expect.poll(() => onServer(standby.url, "TABLE conflicting").then(() => true, String)).toBe(true);
  const count = statement<{ rows: bigint }>(
    "count_slowly",
    "SELECT count(*) AS rows FROM conflicting CROSS JOIN LATERAL (SELECT pg_sleep(1.5 + id)) AS pause",
  );
  const reading = reads.sql.query(count, []);
  // Waits until the standby runs the read, because a read that starts after the deletion isn't canceled. Until then,
  // the query divides by zero and fails.
  const isRunning = "SELECT 1 / count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
  await expect.poll(() => onServer(standby.url, isRunning).then(() => true, String), { interval: 20 }).toBe(true);
  await onServer(primary.url, "DELETE FROM conflicting", "VACUUM conflicting");
  expect(await reading).toEqual([{ rows: 0n }]);
  expect(failures.join()).toMatch(/conflict with recovery/);
});

test.each([
  ["the primary", () => primary.url, "StaleReplica: The replica is not a standby."],
  ["a server that refuses connections", () => "postgresql://127.0.0.1:1/postgres", /ECONNREFUSED/],
  ["a standby that refuses the password", () => standby.url.replace(":test@", ":wrong@"), /password authentication/],
  ["a standby without the database", () => standby.url.replace(/postgres$/, "none"), /database "none" does not exist/],
])("%s isn't read as a replica", async (_, url, failure) => {
  const wrong = open(url());
  try {
    expect(await wrong.reads().sql.query(findPlace, [])).toEqual([{ inRecovery: false }]);
    expect(failures).toEqual([expect.stringMatching(failure)]);
  } finally {
    await wrong.close();
  }
});

test("a standby of another cluster isn't read", async () => {
  const other = await startPostgres();
  const otherDb = connectDatabase(other.url, 2);
  const wrong = connectReplica(otherDb, { url: standby.url, poolSize: 2, timeouts }, (error) =>
    failures.push(String(error)),
  );
  try {
    expect(await wrong.reads().sql.query(findPlace, [])).toEqual([{ inRecovery: false }]);
    expect(failures).toEqual(["StaleReplica: The replica belongs to another cluster."]);
  } finally {
    await wrong.close();
    await otherDb.close();
    await other.stop();
  }
});

test("after a failure, the rest of the request uses the primary, and a later request uses the standby again", async () => {
  const request = replica.reads();
  const placeOf = async (db: Db) => (await db.sql.query(findPlace, []))[0]?.inRecovery;
  expect(await placeOf(request)).toBe(true);
  await standby.pause();
  expect(await placeOf(request)).toBe(false);
  await standby.resume();
  await expect.poll(isOnStandby, { interval: 500 }).toBe(true);
  expect(await placeOf(request)).toBe(false);
});

test("a statement that exceeds its time limit isn't repeated on the primary", async () => {
  const slow = statement<never>("sleep_too_long", "SELECT pg_sleep(4)");
  await expect(replica.reads().sql.query(slow, [])).rejects.toThrow("canceling statement due to statement timeout");
  expect(failures).toEqual([]);
  expect(await isOnStandby()).toBe(true);
});
