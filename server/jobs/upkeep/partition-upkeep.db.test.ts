import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { statement } from "../../data/client.ts";
import { appendEvent } from "../../data/webhooks/events.ts";
import { dispatchEvents } from "../messages/dispatch-events.ts";
import { dropOldPartitions, ensurePartitions } from "./partition-upkeep.ts";

let deps: TestDeps;
beforeEach(async () => {
  // The template has partitions for the day of the test run, and audit entries at the initial clock time. The tests use
  // a later time, far from both.
  deps = await createTestDeps({ now: new Date("2031-06-01T00:00:00Z") });
  deps.clock.set(new Date("2031-11-30T23:30:00Z"));
});
afterEach(() => deps.close());

const partitionsOf = async (table: string): Promise<string[]> => {
  const rows = await deps.db.prisma.$queryRaw<{ name: string }[]>`
    SELECT child.relname::text AS name FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid
    WHERE inhparent = ${table}::regclass AND child.relname ~ '_(203.*|default)$' ORDER BY 1`;
  return rows.map((row) => row.name);
};

const insertJti = (exp: string) => deps.db.prisma.$executeRaw`
  INSERT INTO assertion_jti (client_id, jti, exp, request_id)
  VALUES ('cl', ${randomUUID()}, ${exp}::timestamptz, gen_random_uuid())`;

const partitionOfJti = async (exp: string): Promise<string> => {
  await insertJti(exp);
  const rows = await deps.db.prisma.$queryRaw<{ name: string }[]>`
    SELECT tableoid::regclass::text AS name FROM assertion_jti WHERE exp = ${exp}::timestamptz LIMIT 1`;
  return rows[0]?.name ?? "none";
};

describe("ensurePartitions", () => {
  it("creates each partition once: for today and the next two days, and for three months of the audit log", async () => {
    await ensurePartitions(deps);
    await Promise.all([ensurePartitions(deps), ensurePartitions(deps)]);
    const days = (table: string) => [`${table}_20311130`, `${table}_20311201`, `${table}_20311202`, `${table}_default`];
    expect(await partitionsOf("assertion_jti")).toEqual(days("assertion_jti"));
    expect(await partitionsOf("dpop_jti")).toEqual(days("dpop_jti"));
    expect(await partitionsOf("audit_entry")).toEqual([
      "audit_entry_20311101",
      "audit_entry_20311201",
      "audit_entry_20320101",
      "audit_entry_default",
    ]);
  });

  it("stores a jti in the partition of its exp, whenever it arrives (docs/spec/oauth.md, Replay protection)", async () => {
    await ensurePartitions(deps);
    expect(await partitionOfJti("2031-11-30T23:59:59Z")).toBe("assertion_jti_20311130");
    expect(await partitionOfJti("2031-12-01T00:00:00Z")).toBe("assertion_jti_20311201");
  });

  it("splits days in UTC for any session time zone, even across a change of daylight saving time", async () => {
    deps.clock.set(new Date("2031-10-25T12:00:00Z"));
    await deps.db.prisma.$executeRawUnsafe(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET timezone = ''Europe/Paris''', current_database()); END $$`,
    );
    await deps.db.prisma.$disconnect();
    await ensurePartitions(deps);
    deps.clock.advance(3 * 86_400);
    await ensurePartitions(deps);
    expect(await partitionOfJti("2031-10-26T23:30:00Z")).toBe("assertion_jti_20311026");
    expect(await partitionOfJti("2031-10-27T00:30:00Z")).toBe("assertion_jti_20311027");
  });

  it("continues if the default partition already contains a day's rows, and these rows are still found", async () => {
    await insertJti("2031-11-30T23:40:00Z");
    await ensurePartitions(deps);
    expect(await partitionsOf("assertion_jti")).toEqual([
      "assertion_jti_20311201",
      "assertion_jti_20311202",
      "assertion_jti_default",
    ]);
    expect(await partitionOfJti("2031-11-30T23:40:00Z")).toBe("assertion_jti_default");
  });
});

describe("dropOldPartitions", () => {
  it("keeps codes for a day and refresh tokens for a month, because a second use must still be detected", async () => {
    await ensurePartitions(deps);
    const refreshMonths = await partitionsOf("refresh_token");
    expect([refreshMonths.length, refreshMonths.at(-2)]).toEqual([15, "refresh_token_20321201"]);
    deps.clock.set(new Date("2031-12-01T23:59:59Z"));
    await dropOldPartitions(deps);
    expect(await partitionsOf("authorization_code")).toContain("authorization_code_20311130");
    deps.clock.set(new Date("2031-12-02T00:00:00Z"));
    await dropOldPartitions(deps);
    expect(await partitionsOf("authorization_code")).not.toContain("authorization_code_20311130");
    deps.clock.set(new Date("2031-12-30T23:59:59Z"));
    await dropOldPartitions(deps);
    expect(await partitionsOf("refresh_token")).toContain("refresh_token_20311101");
    deps.clock.set(new Date("2031-12-31T00:00:00Z"));
    await dropOldPartitions(deps);
    expect(await partitionsOf("refresh_token")).not.toContain("refresh_token_20311101");
  });

  it("keeps a month of events while one of them isn't dispatched", async () => {
    await ensurePartitions(deps);
    await appendEvent(deps.db.sql, { type: "mandate.updated", objectId: "mdt_1", data: {}, at: deps.clock.now() });
    deps.clock.set(new Date("2034-06-01T00:00:00Z"));
    await dropOldPartitions(deps);
    expect(await partitionsOf("event")).toContain("event_20311101");
    await dispatchEvents(deps);
    await dropOldPartitions(deps);
    expect(await partitionsOf("event")).not.toContain("event_20311101");
  });

  it("keeps webhook deliveries and attempts, the logs of verdicts and API requests, and e-mails for 30 days (docs/spec/operations.md, Data retention)", async () => {
    await ensurePartitions(deps);
    const tables = ["webhook_delivery", "webhook_attempt", "verification_log", "api_log", "mail"];
    deps.clock.set(new Date("2031-12-30T23:59:59Z"));
    await dropOldPartitions(deps);
    for (const table of tables) expect(await partitionsOf(table)).toContain(`${table}_20311130`);
    deps.clock.set(new Date("2031-12-31T00:00:00Z"));
    await dropOldPartitions(deps);
    for (const table of tables) expect(await partitionsOf(table)).not.toContain(`${table}_20311130`);
  });

  it("blocks no statement: if a table is in use, upkeep tries again", async () => {
    await ensurePartitions(deps);
    deps.clock.set(new Date("2031-12-01T01:00:00Z"));
    const [hasRead, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const reader = deps.db.sqlTransaction(async (sql) => {
      await sql.query(statement("count_token_denials", "SELECT count(*) FROM token_denial"), []);
      hasRead.resolve();
      await mayEnd.promise;
    });
    await hasRead.promise;
    const upkeep = dropOldPartitions(deps);
    const waiting = async () => {
      const [row] = await deps.db.prisma.$queryRaw<{ total: number }[]>`
        SELECT count(*)::int AS total FROM pg_locks JOIN pg_class c ON c.oid = relation
        WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND c.relname LIKE 'token_denial%'`;
      return row?.total ?? 0;
    };
    await expect.poll(waiting, { interval: 10 }).toBeGreaterThan(0);
    // Each of these statements returns while the first reader still holds the lock that upkeep needs.
    for (let count = 0; count < 6; count++) {
      await deps.db.prisma.tokenDenial.count();
      await sleep(20);
    }
    expect(await partitionsOf("token_denial")).toContain("token_denial_20311130");
    mayEnd.resolve();
    await reader;
    await upkeep;
    expect(await partitionsOf("token_denial")).not.toContain("token_denial_20311130");
  });

  it("drops a day one hour after its end, usage months after 13 months and audit months after ten years", async () => {
    await ensurePartitions(deps);
    deps.clock.set(new Date("2031-12-01T00:59:59Z"));
    await dropOldPartitions(deps);
    expect(await partitionsOf("assertion_jti")).toContain("assertion_jti_20311130");
    deps.clock.set(new Date("2031-12-01T01:00:00Z"));
    // Both replay stores, pushed requests and denials.
    expect(await dropOldPartitions(deps)).toBe(4);
    expect(await partitionsOf("assertion_jti")).not.toContain("assertion_jti_20311130");
    deps.clock.set(new Date("2032-12-31T23:59:59Z"));
    await dropOldPartitions(deps);
    const tables = [
      "usage_event",
      "usage_hour",
      "verification",
      "verification_minute",
      "meter_event",
      "meter_minute",
      "meter_reconciliation",
    ] as const;
    const usageOf = async () => (await Promise.all(tables.map(partitionsOf))).flat();
    const november = tables.map((table) => `${table}_20311101`);
    expect(await usageOf()).toEqual(expect.arrayContaining(november));
    deps.clock.set(new Date("2033-01-01T00:00:00Z"));
    await dropOldPartitions(deps);
    expect((await usageOf()).filter((name) => november.includes(name))).toEqual([]);
    deps.clock.set(new Date("2041-11-30T23:59:59Z"));
    await dropOldPartitions(deps);
    expect(await partitionsOf("audit_entry")).toContain("audit_entry_20311101");
    deps.clock.set(new Date("2041-12-01T00:00:00Z"));
    await dropOldPartitions(deps);
    expect(await partitionsOf("audit_entry")).not.toContain("audit_entry_20311101");
  });
});
