import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import type { Sql } from "../../data/client.ts";
import { findKeyUses } from "../../data/merchants/own-clients.ts";
import { newId } from "../../kernel/ids.ts";
import { findMerchantApiLog } from "../../merchants/logs/find-api-log.ts";
import { listMerchantApiLogs } from "../../merchants/logs/list-api-logs.ts";
import { ApiLog, type Exchange } from "./api-log.ts";

// docs/spec/portal.md, API logs.

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

let merchantId: string;
beforeEach(() => {
  merchantId = newId("mch");
});

const assertion = `${Buffer.from('{"alg":"ES256","kid":"key-1"}').toString("base64url")}.e30.AA`;

const exchange = (more: Partial<Exchange> = {}): Exchange => ({
  merchantId,
  at: deps.clock.now(),
  requestId: newId("req"),
  clientId: "cl_test_shop",
  method: "POST",
  path: "/merchant_test/charge",
  query: "",
  status: 201,
  milliseconds: 3.4,
  content: "json",
  requestBody: '{"mandate_id":"mdt_1","presentation":"secret-presentation"}',
  responseBody: '{"id":"chg_1"}',
  usedKey: false,
  ...more,
});

const list = (filter: object = {}) => listMerchantApiLogs(deps, { merchantId, limit: 10, ...filter });

test("stores a request without its secrets, and the last use of its key", async () => {
  const log = new ApiLog(deps);
  const clientId = newId("cl_test");
  const requestBody = new URLSearchParams({ grant_type: "client_credentials", client_assertion: assertion }).toString();
  const token = exchange({ clientId, path: "/oauth/token", content: "form", requestBody, usedKey: true });
  log.offer(exchange());
  log.offer(token);
  await log.flush();
  expect(log.figures()).toEqual({ written: 2, dropped: 0, waiting: 0 });
  const { logs } = await list();
  expect(logs.map(({ path }) => path).toSorted()).toEqual(["/merchant_test/charge", "/oauth/token"]);
  expect(await findMerchantApiLog(deps, token)).toMatchObject({
    merchantId,
    milliseconds: 3,
    query: null,
    requestBody: "grant_type=client_credentials&client_assertion=[redacted]",
    responseBody: '{"id":"chg_1"}',
  });
  expect(await findKeyUses(deps.db.sql, clientId)).toEqual(new Map([["key-1", token.at]]));
});

test("the requests of a probe's merchant aren't stored", async () => {
  const { id } = await makeMerchant(deps);
  await deps.db.prisma.merchant.update({ where: { id }, data: { isProbe: true } });
  const log = new ApiLog(deps);
  log.offer(exchange({ merchantId: id }));
  log.offer(exchange());
  await log.flush();
  expect((await list({ merchantId: id })).logs).toEqual([]);
  expect((await list()).logs).toHaveLength(1);
});

describe("the queue is bounded", () => {
  test("drops and counts requests that would exceed its maximum length or size", async () => {
    const log = new ApiLog(deps, { exchanges: 2, characters: 1_000 });
    for (let count = 0; count < 5; count += 1) log.offer(exchange());
    expect(log.figures()).toEqual({ written: 0, dropped: 3, waiting: 2 });
    await log.flush();
    log.offer(exchange({ responseBody: `"${"x".repeat(2_000)}"` }));
    log.offer(exchange());
    await log.stop();
    expect(log.figures()).toEqual({ written: 3, dropped: 4, waiting: 0 });
    expect((await list()).logs).toHaveLength(3);
  });

  test("drops and counts exchanges that the database refuses, and continues", async () => {
    let isDown = true;
    const query: Sql["query"] = (...parameters) =>
      isDown ? Promise.reject(new Error("down")) : deps.db.sql.query(...parameters);
    const log = new ApiLog({ log: deps.log, db: { ...deps.db, sql: { ...deps.db.sql, query } } });
    log.offer(exchange());
    await log.flush();
    isDown = false;
    log.offer(exchange());
    await log.flush();
    expect(log.figures()).toEqual({ written: 1, dropped: 1, waiting: 0 });
  });
});

describe("the list of requests", () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 26, 12, minute));

  test("can be filtered, has pages with the newest first, and never shows another merchant's requests", async () => {
    const log = new ApiLog(deps);
    const own = [
      exchange({ at: at(1), status: 200, method: "GET", path: "/merchant_test/charges" }),
      exchange({ at: at(2), status: 403, clientId: "cl_test_other" }),
      exchange({ at: at(3), status: 500 }),
    ];
    const foreign = exchange({ at: at(4), merchantId: newId("mch") });
    for (const one of [...own, foreign]) log.offer(one);
    await log.flush();
    const ids = async (filter: object) => (await list(filter)).logs.map(({ requestId }) => requestId);
    const [first, second, third] = own.map(({ requestId }) => requestId);
    expect(await ids({})).toEqual([third, second, first]);
    expect(await ids({ method: "GET" })).toEqual([first]);
    expect(await ids({ path: "/charges" })).toEqual([first]);
    expect(await ids({ statusClass: 4 })).toEqual([second]);
    expect(await ids({ clientId: "cl_test_other" })).toEqual([second]);
    expect(await ids({ from: at(2), until: at(3) })).toEqual([second]);
    expect(await ids({ requestId: first })).toEqual([first]);
    expect(await ids({ requestId: first, method: "POST" })).toEqual([]);
    expect(await ids({ requestId: foreign.requestId })).toEqual([]);
    const page = await list({ limit: 2 });
    expect(page.hasMore).toBe(true);
    expect(await ids({ limit: 2, startingAfter: page.logs.at(-1)?.requestId })).toEqual([first]);
  });
});
