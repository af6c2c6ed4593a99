import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { gradualPool, maxOpening } from "./gradual-pool.ts";

const size = 8;

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

/** Connections that are being opened now, and the largest number at one time. */
let opening: { now: number; most: number };
let pool: pg.Pool;
beforeEach(() => {
  opening = { now: 0, most: 0 };
  class CountingClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      opening.now += 1;
      opening.most = Math.max(opening.most, opening.now);
      this.once("connect", () => {
        opening.now -= 1;
      });
    }
  }
  const Pool = gradualPool(pg.Pool, CountingClient);
  pool = new Pool({ connectionString: deps.config.databaseUrl, max: size, connectionTimeoutMillis: 30_000 });
});
afterEach(() => pool.end());

describe("a pool whose callers all need a connection at once", () => {
  test("opens few connections at a time", async () => {
    await Promise.all(Array.from({ length: 10 * size }, () => pool.query("SELECT 1")));
    expect(opening.most).toBe(maxOpening);
  });

  test("opens all of them although no caller releases its connection", async () => {
    const clients = await Promise.all(Array.from({ length: size }, () => pool.connect()));
    for (const client of clients) client.release();
    expect(opening.most).toBe(maxOpening);
  });

  test("refuses each caller if the server can't be reached, and connects later", async () => {
    const { connectionString } = pool.options;
    pool.options.connectionString = "postgresql://unknown@127.0.0.1:1/none";
    const refused = await Promise.allSettled(Array.from({ length: 3 * size }, () => pool.query("SELECT 1")));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set(["rejected"]));
    pool.options.connectionString = connectionString;
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  });

  test("connects although earlier attempts hang at a silent peer", async () => {
    const sockets: net.Socket[] = [];
    const silent = net.createServer((socket) => void sockets.push(socket)).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { connectionString } = pool.options;
    pool.options.connectionString = `postgresql://unknown@127.0.0.1:${(silent.address() as AddressInfo).port}/none`;
    const hung = Array.from({ length: maxOpening }, () => pool.query("SELECT 1").catch(() => "refused"));
    pool.options.connectionString = connectionString;
    const startedAt = performance.now();
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    for (const socket of sockets) socket.destroy();
    silent.close();
    expect(await Promise.all(hung)).toEqual(["refused", "refused"]);
  });
});
