import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { connectDatabase } from "../client.ts";
import { shareRateLimitUsage } from "./rate-limit-buckets.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());
beforeEach(() => deps.db.prisma.rateLimitBucket.deleteMany());

const usage = (
  key: string,
  takenMilliseconds: number,
  more: { sinceMilliseconds?: number; maxOwedMilliseconds?: number; isRefused?: boolean } = {},
) => ({
  key,
  takenMilliseconds,
  sinceMilliseconds: 0,
  maxOwedMilliseconds: 1e9,
  isRefused: false,
  ...more,
});
const share = (...usages: Parameters<typeof shareRateLimitUsage>[1]) => shareRateLimitUsage(deps.db.sql, usages);
const owed = async (...usages: Parameters<typeof shareRateLimitUsage>[1]) =>
  (await share(...usages))[0]?.owedMilliseconds;
const listKeys = async () =>
  (await deps.db.prisma.rateLimitBucket.findMany({ orderBy: { key: "asc" } })).map(({ key }) => key);

describe("rate limit buckets shared by nodes", () => {
  test("add up the tokens that each node took", async () => {
    expect(await owed(usage("a", 20_000_000))).toBeCloseTo(20_000_000, -1);
    const both = await owed(usage("a", 5_000_000));
    expect(both).toBeGreaterThan(24_900_000);
    expect(both).toBeLessThanOrEqual(25_000_000);
  });

  test("count tokens from the time at which they were taken", async () => {
    expect(await owed(usage("a", 3_000, { sinceMilliseconds: 1_000 }))).toBeCloseTo(2_000, -1);
    expect(await owed(usage("b", 1_000, { sinceMilliseconds: 60_000 }))).toBeLessThan(0);
    expect(await owed(usage("b", 500))).toBeCloseTo(500, -1);
  });

  test("lose nothing when nodes report the same buckets concurrently in any order", async () => {
    const keys = ["a", "b", "c", "d"];
    const nodes = Array.from({ length: 4 }, () => connectDatabase(deps.config.databaseUrl, 2, { connection: 30_000 }));
    const reports = nodes.flatMap(({ sql }, index) =>
      Array.from({ length: 25 }, () =>
        shareRateLimitUsage(
          sql,
          (index % 2 ? keys.toReversed() : keys).map((key) => usage(key, 1_000_000)),
        ),
      ),
    );
    await Promise.all(reports);
    await Promise.all(nodes.map((node) => node.close()));
    for (const { owedMilliseconds } of await share(...keys.map((key) => usage(key, 0)))) {
      expect(owedMilliseconds).toBeGreaterThan(99_900_000);
      expect(owedMilliseconds).toBeLessThanOrEqual(100_000_000);
    }
  });

  test("let one node per minute audit a refusal", async () => {
    const refused = () => share(usage("a", 0, { isRefused: true }));
    const answers = (await Promise.all(Array.from({ length: 8 }, refused))).flat();
    expect(answers.filter(({ isAuditDue }) => isAuditDue)).toHaveLength(1);
    expect((await share(usage("a", 10)))[0]).toMatchObject({ isAuditDue: false });
    const auditedAt = new Date(Date.now() - 61_000);
    await deps.db.prisma.rateLimitBucket.update({ where: { key: "a" }, data: { auditedAt } });
    expect((await refused())[0]).toMatchObject({ isAuditDue: true });
    expect((await refused())[0]).toMatchObject({ isAuditDue: false });
  });

  test("owe no more than their maximum after the clock stepped back an hour, and drain normally afterwards", async () => {
    const maxOwedMilliseconds = 40_000;
    await share(usage("a", 5_000, { maxOwedMilliseconds, isRefused: true }));
    const anHourAhead = new Date(Date.now() + 3_600_000);
    const ahead = { fullAt: anHourAhead, auditedAt: anHourAhead };
    await deps.db.prisma.rateLimitBucket.update({ where: { key: "a" }, data: ahead });
    const [state] = await share(usage("a", 0, { maxOwedMilliseconds, isRefused: true }));
    expect(state).toMatchObject({ owedMilliseconds: maxOwedMilliseconds, isAuditDue: true });
    const { fullAt } = await deps.db.prisma.rateLimitBucket.findUniqueOrThrow({ where: { key: "a" } });
    expect(fullAt.getTime() - Date.now()).toBeLessThanOrEqual(maxOwedMilliseconds + 1_000);
  });

  test("are deleted after they have been full for a minute", async () => {
    await share(usage("old", 1_000, { sinceMilliseconds: 62_000 }), usage("new", 1_000));
    await share(usage("other", 1_000));
    expect(await listKeys()).toEqual(["new", "other"]);
  });

  test("are in an unlogged table, which a crash may empty", async () => {
    const [table] = await deps.db.prisma.$queryRaw<{ relpersistence: string }[]>`
      SELECT relpersistence::text FROM pg_class WHERE relname = 'rate_limit_bucket'`;
    expect(table).toEqual({ relpersistence: "u" });
  });
});
