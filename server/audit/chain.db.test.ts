import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { appendAudit, appendAuditAlone } from "../data/audit/audit.ts";
import { findAuditChains, findAuditEntries } from "../data/audit/audit-chain.ts";
import { ensurePartition } from "../data/schema/partitions.ts";
import { readAuditHead, signAuditHead } from "./audit-head.ts";
import { chainEntries } from "./chain-entries.ts";
import { emptyLog } from "./empty-log.fixture.ts";
import { retireAudit } from "./retire-audit.ts";
import { chainRange, layout } from "./rules/chain.ts";
import { verifyAudit } from "./verify-audit.ts";

let deps: TestDeps;
beforeEach(async () => {
  deps = await createTestDeps({ now: new Date("2026-11-21T12:00:00Z") });
  await emptyLog(deps);
  // The template's own entries are in the month of the test run.
  for (const table of ["audit_entry", "audit_block"] as const) {
    expect(await ensurePartition(deps.db, { table, from: new Date("2026-11-01T00:00:00Z"), step: "1 month" })).toBe(
      true,
    );
  }
});
afterEach(() => deps.close());

let count = 0;
const entry = (subjectId = "grt_1", at: Date = deps.clock.now()) => ({
  at,
  actor: { kind: "client", id: "cl_test_1" } as const,
  action: "token.issued",
  subjectId,
  requestId: "req_1",
  data: { jti: `j${count++}`, n: 1 },
});

const append = (total: number) => Promise.all(Array.from({ length: total }, () => appendAuditAlone(deps.db, entry())));

const scalar = async (text: string): Promise<number> => {
  const rows = await deps.db.prisma.$queryRawUnsafe<{ n: number }[]>(text);
  return Number(rows[0]?.n);
};
const countEntries = () => scalar("SELECT count(*)::int AS n FROM audit_entry");
const countChained = () => scalar("SELECT coalesce(sum(entries), 0)::int AS n FROM audit_block");

/** Acts as an attacker with full access to the database, who can bypass its triggers. */
const tamper = (text: string) =>
  deps.db.transaction(async (tx) => {
    await tx.$executeRawUnsafe("SET LOCAL session_replication_role = replica");
    for (const one of text.split(";")) await tx.$executeRawUnsafe(one);
  });

const problems = async (anchors: Parameters<typeof verifyAudit>[1] = {}) =>
  (await verifyAudit(deps, anchors)).problems.map(({ shard, block, problem }) => `${shard}/${block}: ${problem}`);

describe("chainEntries", () => {
  it("chains every entry once, across stripes and shards, and the verification finds no problems", async () => {
    await append(3 * layout.stripe);
    const written = await countEntries();
    expect(await chainEntries(deps)).toBe(written);
    expect(await chainEntries(deps)).toBe(0);
    await append(10);
    expect(await chainEntries(deps)).toBe(10);
    expect(await countChained()).toBe(written + 10);
    const report = await verifyAudit(deps);
    expect(report).toMatchObject({ entries: written + 10, problems: [], waiting: { entries: 0 } });
    const used = (await findAuditChains(deps.db.sql)).filter(({ number }) => number > 0);
    expect(used.map(({ shard }) => shard)).toEqual([0, 1, 2, 3]);
  });

  it("waits for a transaction that commits late, and doesn't chain past it", async () => {
    await chainEntries(deps);
    const [isWritten, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const open = deps.db.sqlTransaction(async (sql) => {
      await appendAudit(sql, entry("late"));
      isWritten.resolve();
      await mayCommit.promise;
    });
    await isWritten.promise;
    await appendAudit(deps.db.sql, entry("early"));
    expect(await chainEntries(deps, { waitSeconds: 0.1 })).toBe(0);
    const chaining = chainEntries(deps);
    await sleep(50);
    mayCommit.resolve();
    await open;
    expect(await chaining).toBe(2);
    expect(await problems()).toEqual([]);
  });

  it("records when each block was made, even if one run makes several blocks of a shard", async () => {
    await append(3);
    await deps.db.prisma.$executeRawUnsafe(`SELECT setval('audit_entry_seq', ${layout.shards * layout.stripe})`);
    await append(3);
    const clock = {
      now: () => {
        deps.clock.advance(1);
        return deps.clock.now();
      },
    };
    expect(await chainEntries({ db: deps.db, clock })).toBe(6);
    expect(await scalar("SELECT count(DISTINCT made_at)::int AS n FROM audit_block WHERE shard = 0")).toBe(2);
    expect(await problems()).toEqual([]);
  });

  it("allows gaps for rolled-back transactions, even gaps of whole stripes", async () => {
    await deps.db.prisma.$executeRawUnsafe("SELECT setval('audit_entry_seq', 50000)");
    await deps.db
      .sqlTransaction(async (sql) => {
        await appendAudit(sql, entry());
        throw new Error("rolled back");
      })
      .catch(() => {});
    await append(5);
    expect(await chainEntries(deps)).toBe(await countEntries());
    expect(await problems()).toEqual([]);
  });

  it("makes one chain per shard, with several concurrent workers and writers", async () => {
    let isWriting = true;
    const chaining = Array.from({ length: 4 }, async () => {
      while (isWriting) await chainEntries(deps);
    });
    for (let round = 0; round < 20; round++) {
      await Promise.all([
        append(150),
        deps.db.sqlTransaction(async (sql) => {
          await appendAudit(sql, entry("slow"));
          await sleep(10);
        }),
      ]);
    }
    isWriting = false;
    await Promise.all(chaining);
    await chainEntries(deps);
    expect(await countChained()).toBe(await countEntries());
    expect(await problems()).toEqual([]);
  });

  it("continues in another cluster that has only the rows and the sequence", async () => {
    await append(40);
    await chainEntries(deps);
    await append(40);
    const copy = await createTestDeps({ now: deps.clock.now() });
    try {
      await copy.db.prisma.$executeRawUnsafe("TRUNCATE audit_chain");
      await emptyLog(copy);
      for (const table of ["audit_entry", "audit_block", "audit_chain"]) {
        const rows = await deps.db.prisma.$queryRawUnsafe<{ row: string }[]>(`SELECT t::text AS row FROM ${table} t`);
        for (const { row } of rows) {
          await copy.db.prisma.$executeRawUnsafe(`INSERT INTO ${table} SELECT ($1::${table}).*`, row);
        }
      }
      const last = await scalar("SELECT last_value::int AS n FROM audit_entry_seq");
      await copy.db.prisma.$executeRawUnsafe(`SELECT setval('audit_entry_seq', ${last})`);
      await appendAuditAlone(copy.db, entry());
      expect(await chainEntries(copy)).toBe(41);
      expect((await verifyAudit(copy)).problems).toEqual([]);
    } finally {
      await copy.close();
    }
  });

  it("throws an error if the sequence was set back, instead of leaving entries out", async () => {
    await append(10);
    await chainEntries(deps);
    await deps.db.prisma.$executeRawUnsafe("SELECT setval('audit_entry_seq', 3)");
    await expect(chainEntries(deps)).rejects.toThrow("audit_entry_seq is at 3, behind shard 0");
    expect(await problems()).toEqual([
      "0/1: the sequence is at 3, but the chain ends at entry 10: numbers can be assigned twice",
    ]);
  });
});

describe("the log is append-only for the application's role", () => {
  it.each([
    "UPDATE audit_entry SET action = 'x'",
    "DELETE FROM audit_entry",
    "TRUNCATE audit_entry",
    "UPDATE audit_block SET hash = 'x'",
    "DELETE FROM audit_block",
    "TRUNCATE audit_block",
  ])("%s", async (text) => {
    await append(2);
    await chainEntries(deps);
    await expect(deps.db.prisma.$executeRawUnsafe(text)).rejects.toThrow("is append-only");
  });
});

// Entries 1 to 1,023 are block 1 of shard 0. The later entries are in blocks of the shards 1, 2, 3 and then 0 again.
const tampering: [string, string, string][] = [
  [
    "changes an action",
    "UPDATE audit_entry SET action = 'token.refused' WHERE seq = 500",
    "0/1: entry 500 was changed",
  ],
  ["changes an actor", "UPDATE audit_entry SET actor_id = 'cl_test_2' WHERE seq = 1500", "1/1: entry 1500 was changed"],
  ["changes a time", "UPDATE audit_entry SET at = at - interval '1 ms' WHERE seq = 7", "0/1: entry 7 was changed"],
  [
    "changes a member of the data",
    `UPDATE audit_entry SET data = '{"jti":"j","n":2}' WHERE seq = 7`,
    "0/1: entry 7 was changed",
  ],
  [
    "deletes an entry",
    "DELETE FROM audit_entry WHERE seq = 500",
    "0/1: 1 entry is missing after entry 499 and before entry 501",
  ],
  [
    "deletes consecutive entries",
    "DELETE FROM audit_entry WHERE seq BETWEEN 10 AND 19",
    "0/1: 10 entries are missing after entry 9 and before entry 20",
  ],
  [
    "deletes the last entries",
    "DELETE FROM audit_entry WHERE seq > 2995",
    "2/1: 5 entries are missing after entry 2995",
  ],
  [
    "swaps two entries",
    "UPDATE audit_entry SET seq = -1 WHERE seq = 600; UPDATE audit_entry SET seq = 600 WHERE seq = 601; UPDATE audit_entry SET seq = 601 WHERE seq = -1",
    "0/1: entry 600 was changed",
  ],
  [
    "inserts an entry",
    "INSERT INTO audit_entry (seq, at, actor_kind, actor_id, action, subject_id, request_id, data) SELECT seq, at + interval '1 s', actor_kind, actor_id, action, 'x', request_id, data FROM audit_entry WHERE seq = 700",
    "0/1: entry 700 was inserted",
  ],
  [
    "inserts an entry of another month",
    "INSERT INTO audit_entry (seq, at, actor_kind, actor_id, action, subject_id, request_id, data) SELECT seq, at - interval '40 d', actor_kind, actor_id, action, 'x', request_id, data FROM audit_entry WHERE seq = 700",
    "0/null: entry 700 was inserted",
  ],
  [
    "inserts an entry before the beginning",
    "INSERT INTO audit_entry (seq, at, actor_kind, actor_id, action, subject_id, request_id, data) SELECT -1, at, actor_kind, actor_id, action, 'x', request_id, data FROM audit_entry WHERE seq = 700",
    "0/null: entry -1 was inserted before the chain's beginning",
  ],
  ["changes a block", "UPDATE audit_block SET entries = 1 WHERE shard = 1", "1/1: the block was changed"],
  [
    "changes a block's metadata",
    "UPDATE audit_block SET marks = '' WHERE shard = 1",
    "1/1: the block's metadata was changed; its entries are complete",
  ],
  ["deletes the first block", "DELETE FROM audit_block WHERE shard = 0 AND number = 1", "0/2: block 2 follows block 0"],
  [
    "deletes the last block",
    "DELETE FROM audit_block WHERE shard = 2",
    "2/0: the chain ends here, but should end at block 2",
  ],
  ["deletes a shard's chain", "DELETE FROM audit_chain WHERE shard = 3", "3/null: the shard's chain is missing"],
  [
    "deletes the oldest blocks and claims that they had expired",
    "UPDATE audit_chain SET base_number = 1, base_hash = b.hash, base_to_seq = b.to_seq, base_made_at = b.made_at FROM audit_block b WHERE b.shard = 0 AND b.number = 1 AND audit_chain.shard = 0; DELETE FROM audit_entry WHERE seq < 1024; DELETE FROM audit_block WHERE shard = 0 AND number = 1",
    "0/1: blocks up to this one were removed too early",
  ],
];

describe("verifyAudit locates the place where an attacker with database access", () => {
  it.each(tampering)("%s", async (_title, text, expected) => {
    await append(3000);
    await chainEntries(deps);
    await append(1200);
    await chainEntries(deps);
    expect(await problems()).toEqual([]);
    await tamper(text);
    expect(await problems()).toContain(expected);
  });

  it("drops a partition too early", async () => {
    await append(3);
    await chainEntries(deps);
    await deps.db.prisma.$executeRawUnsafe("DROP TABLE audit_entry_20261101");
    expect(await problems()).toEqual(["0/1: 3 entries are missing after the start of the block"]);
  });

  it("changes an entry and rebuilds the chain from there, if a signed head is stored elsewhere", async () => {
    await append(20);
    await chainEntries(deps);
    const head = await signAuditHead(deps, await findAuditChains(deps.db.sql));
    await tamper("UPDATE audit_entry SET action = 'token.refused' WHERE seq = 9");
    const entries = await findAuditEntries(deps.db.sql, { from: 0, to: 20 });
    const [block] = chainRange(
      { shard: 0, number: 0, hash: "", to: 0, madeAt: null },
      { to: 20, entries, now: deps.clock.now() },
    );
    await tamper(
      `UPDATE audit_block SET hash = '${block?.hash}', content = '${block?.content}', marks = decode('${block?.marks.toString("hex")}', 'hex'); UPDATE audit_chain SET hash = '${block?.hash}' WHERE shard = 0`,
    );
    expect(await problems()).toEqual([]);
    const anchors = [await readAuditHead(head)];
    expect(await problems({ anchors })).toEqual(["0/1: the block differs from the signed one"]);
    await tamper("DELETE FROM audit_block; UPDATE audit_chain SET number = 0, hash = '', to_seq = 0, made_at = NULL");
    expect(await problems({ anchors })).toEqual(["0/1: a signed block is missing"]);
  });
});

describe("after ten years", () => {
  it("deletes entries by month and their blocks a month later, and the rest of the chain can still be verified", async () => {
    deps.clock.set(new Date("2026-11-30T23:59:58Z"));
    await append(2000);
    await appendAuditAlone(deps.db, entry("december", new Date("2026-12-01T00:00:01Z")));
    await appendAuditAlone(deps.db, entry("november"));
    deps.clock.set(new Date("2026-12-01T00:00:05Z"));
    await chainEntries(deps);
    expect(await verifyAudit(deps)).toMatchObject({ entries: 2002, retired: 0, problems: [] });

    deps.clock.set(new Date("2036-11-30T23:59:59Z"));
    expect(await retireAudit(deps)).toBe(0);
    deps.clock.set(new Date("2036-12-01T00:00:00Z"));
    expect(await retireAudit(deps)).toBe(1);
    await chainEntries(deps);
    // December's entry, and the entry that records the deletion of November.
    expect(await verifyAudit(deps)).toMatchObject({ entries: 2, retired: 2001, problems: [] });

    deps.clock.set(new Date("2037-02-02T00:00:00Z"));
    await retireAudit(deps);
    await chainEntries(deps);
    const report = await verifyAudit(deps);
    expect(report.problems).toEqual([]);
    expect(report.retired).toBe(0);
    const [first] = await findAuditChains(deps.db.sql);
    expect(first?.baseNumber).toBeGreaterThan(0);
  });
});
