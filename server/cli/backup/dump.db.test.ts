import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { onServer } from "#e2e/support/test-database.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { claimEnvironment } from "../../data/platform/environment.ts";
import {
  clearDatabase,
  type DumpRecord,
  dumpDatabase,
  inspectTarget,
  loadDump,
  unknownMigrations,
} from "../../data/schema/dump.ts";
import { applyMigrations } from "../../data/schema/schema-engine.ts";
import { enterServerParticipant } from "../../oauth/keys/server-participant.ts";

let deps: TestDeps;
const target = `restored_${randomBytes(6).toString("hex")}`;
const targetUrl = () => Object.assign(new URL(inject("postgresUrl")), { pathname: target }).toString();
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
  await claimEnvironment(deps.db, { kind: "sandbox", issuer: "http://localhost:3001", fingerprint: "f" });
  await onServer(inject("postgresUrl"), `CREATE DATABASE ${target}`);
});
afterAll(async () => {
  await deps?.close();
  await onServer(inject("postgresUrl"), `DROP DATABASE IF EXISTS ${target} WITH (FORCE)`);
});

const dump = async (databaseUrl: string): Promise<DumpRecord[]> => {
  const records: DumpRecord[] = [];
  await dumpDatabase(databaseUrl, async (record) => void records.push(record));
  return records;
};
async function* each(records: readonly DumpRecord[]) {
  yield* records;
}
const rowsIn = (records: readonly DumpRecord[]) => {
  const byTable = new Map<string, string[]>();
  for (const record of records) {
    if (record.kind === "rows")
      byTable.set(record.table, [...(byTable.get(record.table) ?? []), ...record.rows].sort());
  }
  return Object.fromEntries(byTable);
};
const migrationsOf = (records: readonly DumpRecord[]) =>
  records.flatMap((record) => (record.kind === "schema" ? record.migrations : []));

describe("a dump (docs/spec/operations.md, Backup and restore)", () => {
  test("restores every row of every table, every partition and every sequence unchanged", async () => {
    const setup = await makeChargeableMandate(deps);
    await Promise.all([setup.charge(), setup.charge()]);
    const [at, actor] = [deps.clock.now(), { kind: "system", id: "test" } as const];
    // A trigger gives each new version an index in the log. It must not give a restored version a second index.
    await deps.db.transaction((tx) => enterServerParticipant(deps, { tx, at, actor }));
    // Text that is hard to encode: quotes, backslashes, commas, line breaks, the empty string and null.
    const nasty = `"a\\b", (c)\n{d}'é\u2028`;
    await deps.db.prisma.merchant.update({
      where: { id: setup.merchant.id },
      data: { displayName: nasty, legalName: "" },
    });
    await deps.db.prisma
      .$executeRaw`CREATE TABLE event_20200101 PARTITION OF event FOR VALUES FROM ('2020-01-01Z') TO ('2020-02-01Z')`;
    const before = await dump(deps.config.databaseUrl);
    await applyMigrations(targetUrl(), migrationsOf(before));
    const total = await loadDump(targetUrl(), each(before));
    const after = await dump(targetUrl());
    expect(rowsIn(after)).toEqual(rowsIn(before));
    expect(total).toBe(Object.values(rowsIn(before)).flat().length);
    expect(JSON.stringify(rowsIn(after)["merchant"])).toContain("é");
    const rest = (records: readonly DumpRecord[]) => records.filter(({ kind }) => kind !== "rows");
    expect(rest(after)).toEqual(rest(before));
  });

  test("loads nothing when a foreign key is violated", async () => {
    const before = await dump(deps.config.databaseUrl);
    await clearDatabase(targetUrl());
    expect(await inspectTarget(targetUrl())).toEqual({ tables: 0, others: 0 });
    await applyMigrations(targetUrl(), migrationsOf(before));
    const without = before.filter((record) => !(record.kind === "rows" && record.table === "account"));
    await expect(loadDump(targetUrl(), each(without))).rejects.toThrow(/foreign key/);
    expect(Object.keys(rowsIn(await dump(targetUrl())))).toEqual(["audit_chain"]);
  });

  test("is a consistent snapshot despite concurrent writes", async () => {
    const seen: string[] = [];
    let isWritten = false;
    await dumpDatabase(deps.config.databaseUrl, async (record) => {
      if (!isWritten) await makeChargeableMandate(deps);
      isWritten = true;
      if (record.kind === "rows") seen.push(...record.rows.map(() => record.table));
    });
    expect(seen.filter((table) => table === "mandate")).toHaveLength(1);
    expect(await deps.db.prisma.mandate.count()).toBe(2);
  });

  test("time limits of the role don't apply to dumps, migrations and restores (docs/runbooks/several-web-nodes.md)", async () => {
    const limited = `limited_${randomBytes(6).toString("hex")}`;
    const limitedUrl = Object.assign(new URL(inject("postgresUrl")), { pathname: limited }).toString();
    const server = inject("postgresUrl");
    await onServer(server, `CREATE DATABASE ${limited}`);
    try {
      await applyMigrations(limitedUrl);
      for (const name of ["statement_timeout", "idle_in_transaction_session_timeout"])
        await onServer(server, `ALTER DATABASE ${limited} SET ${name} = '1s'`);
      const records: DumpRecord[] = [];
      await dumpDatabase(limitedUrl, async (record) => {
        if (record.kind === "schema") await sleep(1_500);
        records.push(record);
      });
      async function* slowly() {
        for (const record of records) {
          if (record.kind === "schema") await sleep(1_500);
          yield record;
        }
      }
      expect(await loadDump(limitedUrl, slowly())).toBeGreaterThan(0);
      const holder = new pg.Client(limitedUrl);
      await holder.connect();
      await holder.query(`SET idle_in_transaction_session_timeout = 0; BEGIN; LOCK TABLE "_prisma_migrations"`);
      const applied = applyMigrations(limitedUrl);
      await sleep(2_500);
      await holder.query("COMMIT");
      await holder.end();
      expect(await applied).toEqual([]);
    } finally {
      await onServer(server, `DROP DATABASE ${limited} WITH (FORCE)`);
    }
  });

  test("recognizes a dump of a later version by its unknown migrations", async () => {
    const names = migrationsOf(await dump(deps.config.databaseUrl));
    expect(await unknownMigrations([...names, "20990101000000_later"])).toEqual(["20990101000000_later"]);
  });
});
