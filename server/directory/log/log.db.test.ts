import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Checkpoint,
  checkConsistency,
  checkInclusion,
  type FetchFile,
  readCheckpoint,
  readWholeLog,
  treeHashOf,
} from "#e2e/support/peers/log-verifier.ts";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { insertParticipant, updateParticipant } from "../../data/directory/participant-changes.ts";
import { findLatestDocument } from "../../data/directory/participant-versions.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { canonicalJson } from "../../kernel/text/canonical-json.ts";
import { recordVersion } from "../participants/record-version.ts";
import { entriesLevel, parseTilePath } from "../rules/log/tiles.ts";
import { proveConsistency, proveInclusion } from "./prove.ts";
import { publishLog, publishWholeLog } from "./publish-log.ts";
import { findPublishedTile, getCheckpoint, getVerifierKey } from "./published-log.ts";
import { verifyLog } from "./verify-log.ts";

/** `LOG_CHANGES=10000 LOG_KILLS=30` is the long form (docs/performance.md, Long forms of tests). */
const changes = Number(process.env["LOG_CHANGES"] ?? 700);

const kills = Number(process.env["LOG_KILLS"] ?? 3);

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

/** What the log's routes return (e2e/http/directory-log.test.ts). */
const fetchFileOf =
  (of: TestDeps): FetchFile =>
  async (path) => {
    const [, level = "", rest = ""] = /^tile\/([^/]+)\/(.+)$/.exec(path) ?? [];
    const place = parseTilePath(rest);
    return place && findPublishedTile(of, { level: level === "entries" ? entriesLevel : Number(level), ...place });
  };

const latest = async (of: TestDeps = deps): Promise<Checkpoint> =>
  readCheckpoint((await getCheckpoint(of)).note, await getVerifierKey(of));

const enter = (of: TestDeps, id: string) =>
  of.db.sqlTransaction(async (sql) => {
    const at = of.clock.now();
    await insertParticipant(sql, { id, role: "client", merchantId: null, displayName: id, legalName: null, at });
    await recordVersion(sql, { id, change: "registered", changedBy: "client", at, environment: "sandbox" });
  });

const rename = (of: TestDeps, id: string, displayName: string) =>
  of.db.sqlTransaction(async (sql) => {
    const at = of.clock.now();
    const edit = {
      displayName,
      legalName: null,
      websiteUri: null,
      logoUri: null,
      contacts: [],
      metadataUris: [],
      maxChargeAmounts: [],
      isWithdrawn: false,
    };
    await updateParticipant(sql, id, { edit, contactSalts: [], at });
    await recordVersion(sql, { id, change: "edited", changedBy: "client", at, environment: "sandbox" });
  });

/** Changes several participants concurrently. */
const change = async (of: TestDeps, { count, turn }: { count: number; turn: string }) => {
  const ids = Array.from({ length: 8 }, (_, index) => `ptc_${turn}${index}`);
  await Promise.all(ids.map((id) => enter(of, id)));
  const writers = ids.map(async (id, index) => {
    for (let at = index; at < count - ids.length; at += ids.length) await rename(of, id, `Name ${at}`);
  });
  await Promise.all(writers);
};

describe("the published log (docs/spec/directory.md, Transparency log)", () => {
  test("an empty log has a signed checkpoint", async () => {
    await publishLog(deps);
    expect((await latest()).size).toBe(0);
    expect(await verifyLog(deps.db.sql)).toEqual([]);
  });

  test("is consistent at each checkpoint while participants change concurrently and several processes publish", async () => {
    const other = await anotherNode(deps);
    const seen: Checkpoint[] = [await latest()];
    const startedAt = performance.now();
    const writing = change(deps, { count: changes, turn: "a" });
    let isWriting = true;
    const publish = async (node: TestDeps) => {
      while (isWriting) {
        await publishLog(node, { batch: 300 });
        await sleep(20);
      }
    };
    const publishers = [publish(deps), publish(other)];
    const watch = async () => {
      while (isWriting) {
        const checkpoint = await latest(other);
        if (checkpoint.size > (seen.at(-1)?.size ?? 0)) seen.push(checkpoint);
        await sleep(50);
      }
    };
    const watching = watch();
    await writing;
    const seconds = (performance.now() - startedAt) / 1000;
    isWriting = false;
    await Promise.all([...publishers, watching]);
    await publishWholeLog(deps);
    await other.close();
    const head = await latest();
    seen.push(head);
    expect(head.size).toBe(changes);
    if (process.env["LOG_CHANGES"])
      console.info(`${changes} changes in ${seconds.toFixed(1)} s, ${seen.length} checkpoints`);
    expect(seconds).toBeLessThan(60);
    const entries = await readWholeLog(fetchFileOf(deps), head);
    for (const [index, earlier] of seen.entries()) {
      const later = seen[index + 1] ?? head;
      checkConsistency(earlier, later, await proveConsistency(deps, { from: earlier.size, to: later.size }));
      if (index % Math.ceil(seen.length / 5) === 0) await readWholeLog(fetchFileOf(deps), earlier);
    }
    for (let index = 0; index < head.size; index += 37) {
      const proof = await proveInclusion(deps, { index, treeSize: head.size });
      checkInclusion(entries[index] ?? Buffer.alloc(0), { index, proof }, head);
    }
    expect(await verifyLog(deps.db.sql)).toEqual([]);
  });

  test("a process continues when another one publishes while it reads the sizes", async () => {
    const { sql } = deps.db;
    let reads = 0;
    const query: typeof sql.query = async (statement, values) => {
      const rows = await sql.query(statement, values);
      reads += 1;
      if (reads === 1) {
        await enter(deps, "ptc_between_reads");
        await publishWholeLog(deps);
      }
      return rows;
    };
    await enter(deps, "ptc_before_reads");
    const { size } = await latest();
    const slow = { ...deps, db: { ...deps.db, sql: { ...sql, query } } };
    expect(await publishLog(slow)).toMatchObject({ published: 0 });
    expect((await latest()).size).toBe(size + 2);
    expect(await verifyLog(deps.db.sql)).toEqual([]);
  });

  test("proves consistency between sizes around the edges of a tile, and refuses sizes that aren't published", async () => {
    const head = await latest();
    const entries = await readWholeLog(fetchFileOf(deps), head);
    for (const size of [1, 2, 3, 255, 256, 257, 511, 513, head.size]) {
      const index = Math.floor(size / 2);
      const proof = await proveInclusion(deps, { index, treeSize: size });
      const toHead = await proveConsistency(deps, { from: size, to: head.size });
      const earlier = { ...head, size, root: treeHashOf(entries.slice(0, size)) };
      checkInclusion(entries[index] ?? Buffer.alloc(0), { index, proof }, earlier);
      checkConsistency(earlier, head, toHead);
      const wrong = { ...earlier, root: Buffer.alloc(32) };
      expect(() => checkConsistency(wrong, head, toHead)).toThrow();
    }
    await expect(proveInclusion(deps, { index: 0, treeSize: head.size + 1 })).rejects.toThrow();
    await expect(proveInclusion(deps, { index: 5, treeSize: 5 })).rejects.toThrow();
    await expect(proveConsistency(deps, { from: 3, to: 2 })).rejects.toThrow();
  });

  test("each entry contains the hash of its version's document, and no personal data", async () => {
    const entries = await readWholeLog(fetchFileOf(deps), await latest());
    const last = entries.map((entry) => JSON.parse(String(entry))).findLast((one) => one.participant_id === "ptc_a0");
    const document = await findLatestDocument(deps.db.sql, "ptc_a0");
    expect(last.document_sha256).toBe(sha256Base64url(canonicalJson(document)));
    expect(Object.keys(last)).toEqual([
      "changed_at",
      "changed_by",
      "document_sha256",
      "participant_id",
      "type",
      "version",
    ]);
  });

  test("after a crash between tiles and checkpoint, serves only the earlier tree, and the next run continues it", async () => {
    const before = await latest();
    await change(deps, { count: 20, turn: "b" });
    const crash = publishLog(deps, {
      async afterTiles() {
        throw new Error("killed");
      },
    });
    await expect(crash).rejects.toThrow("killed");
    expect(await latest()).toEqual(before);
    await readWholeLog(fetchFileOf(deps), before);
    const unpublished = { level: 0, number: Math.floor(before.size / 256), width: (before.size % 256) + 1 };
    expect(await findPublishedTile(deps, unpublished)).toBeNull();
    await change(deps, { count: 10, turn: "c" });
    await publishWholeLog(deps);
    const after = await latest();
    expect(after.size).toBe(before.size + 30);
    checkConsistency(before, after, await proveConsistency(deps, { from: before.size, to: after.size }));
    await readWholeLog(fetchFileOf(deps), after);
  });
});

describe("processes that are killed while they publish (docs/spec/directory.md, Transparency log)", () => {
  const startPublisher = async (): Promise<ChildProcess> => {
    const child = fork(path.join(import.meta.dirname, "publisher-process.fixture.ts"), {
      env: {
        PATH: process.env["PATH"],
        NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
        NODE_ENV: "production" as const,
        DATABASE_URL: deps.config.databaseUrl,
        MASTER_KEY: Buffer.from(deps.config.masterKey).toString("base64url"),
        BASE_URL: deps.config.baseUrl,
        DISCOVERY_URL: deps.config.discoveryUrl,
      },
    });
    await once(child, "message");
    return child;
  };

  test("never fork the log: each later checkpoint continues every earlier one", async () => {
    const seen = [await latest()];
    for (let kill = 0; kill < kills; kill += 1) {
      const child = await startPublisher();
      const writing = change(deps, { count: 60, turn: `k${kill}x` });
      await sleep(Math.random() * 150);
      child.kill("SIGKILL");
      await once(child, "exit");
      seen.push(await latest());
      await writing;
    }
    const size = (seen[0]?.size ?? 0) + 60 * kills;
    // PostgreSQL may need a moment to end the transaction of the last killed process.
    while ((await latest()).size < size) await publishWholeLog(deps);
    const head = await latest();
    expect(head.size).toBe(size);
    for (const earlier of seen)
      checkConsistency(earlier, head, await proveConsistency(deps, { from: earlier.size, to: head.size }));
    await readWholeLog(fetchFileOf(deps), head);
    expect(await verifyLog(deps.db.sql)).toEqual([]);
  });
});

describe("tampering (docs/spec/directory.md, Transparency log)", () => {
  /** Changes stored rows as the owner of the database could, in a transaction that is rolled back. */
  const problemsAfter = async (text: string): Promise<string[]> => {
    let problems: string[] = [];
    await deps.db
      .sqlTransaction(async (sql) => {
        await sql.query({ name: "", text: "SET LOCAL session_replication_role = replica" }, []);
        await sql.query({ name: "", text }, []);
        problems = await verifyLog(sql);
        throw new Error("undo");
      })
      .catch((error: Error) => expect(error.message).toBe("undo"));
    return problems;
  };

  test.each([
    ["a document", `UPDATE participant_version SET document = '{}' WHERE participant_id = 'ptc_a1' AND version = 2`],
    [
      "an entry",
      `UPDATE participant_version SET log_entry = replace(log_entry, 'edited', 'changed') WHERE version = 2`,
    ],
    ["an index", "UPDATE directory_log_entry SET log_index = log_index + 1000000 WHERE log_index = 1"],
    [
      "a tile",
      "UPDATE directory_log_tile SET bytes = set_byte(bytes, 40, get_byte(bytes, 40) # 1) WHERE level = 0 AND number = 1",
    ],
    [
      "a tile of a level above",
      "UPDATE directory_log_tile SET bytes = set_byte(bytes, 4, get_byte(bytes, 4) # 1) WHERE level = 1",
    ],
    ["the root", "UPDATE directory_log_checkpoint SET root_hash = sha256(root_hash)"],
    ["the note", "UPDATE directory_log_checkpoint SET note = replace(note, 'directory', 'another')"],
  ])("with %s is found by check:invariants", async (_what, text) => {
    expect(await problemsAfter(text)).not.toEqual([]);
  });

  test("with an entry, a tile or the checkpoint is found by the verifier", async () => {
    const head = await latest();
    const fetchFile = fetchFileOf(deps);
    const flipping =
      (start: string): FetchFile =>
      async (path) => {
        const file = await fetchFile(path);
        if (!file || !path.startsWith(start)) return file;
        const changed = Buffer.from(file);
        changed[40] = (changed[40] ?? 0) ^ 1;
        return changed;
      };
    await expect(readWholeLog(flipping("tile/entries/001"), head)).rejects.toThrow();
    await expect(readWholeLog(flipping("tile/0/001"), head)).rejects.toThrow("tile 1 of level 0 differs");
    await expect(readWholeLog(flipping("tile/1/"), head)).rejects.toThrow("tile 0 of level 1 differs");
    const { note } = await getCheckpoint(deps);
    const key = await getVerifierKey(deps);
    expect(() => readCheckpoint(note.replace(`\n${head.size}\n`, `\n${head.size - 1}\n`), key)).toThrow("signature");
    expect(() => readCheckpoint(note, key.replace("+", "x+"))).toThrow();
  });

  test("with stored tiles stops publication instead of forking the log", async () => {
    const before = (await getCheckpoint(deps)).note;
    await change(deps, { count: 10, turn: "d" });
    const flip = "UPDATE directory_log_tile SET bytes = set_byte(bytes, 3, get_byte(bytes, 3) # 1) WHERE level = 1";
    await deps.db.prisma.$executeRawUnsafe(flip);
    await expect(publishLog(deps)).rejects.toThrow("don't match");
    expect((await getCheckpoint(deps)).note).toBe(before);
    await deps.db.prisma.$executeRawUnsafe(flip);
    await publishWholeLog(deps);
    expect(await verifyLog(deps.db.sql)).toEqual([]);
  });
});
