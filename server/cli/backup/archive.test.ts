import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ArchiveOwner, type ArchiveRecord, describeArchive, readArchive, writeArchive } from "./archive.ts";

let directory: string;
let file: string;
const production: ArchiveOwner = { name: "production", issuer: "https://pay.example", masterKey: randomBytes(32) };
const sandbox: ArchiveOwner = { name: "sandbox", issuer: "https://sandbox.example", masterKey: randomBytes(32) };
const createdAt = new Date("2026-11-21T12:00:00Z");

const rowsOf = (owner: ArchiveOwner): ArchiveRecord[] =>
  Array.from({ length: 30 }, (_, index) => ({
    kind: "rows" as const,
    table: "account",
    columns: ["id", "email"],
    // Larger than one frame, and hard to compress.
    rows: [`(acc_${index},${owner.name}@secret.example)`, randomBytes(60_000).toString("base64")],
  }));
const records = { production: rowsOf(production), sandbox: rowsOf(sandbox) };
const read = async (from: string, owner: ArchiveOwner) => {
  const records: ArchiveRecord[] = [];
  for await (const record of readArchive(from, owner)) records.push(record);
  return records;
};
/** A copy with its bytes changed. */
const spoiled = async (change: (bytes: Buffer) => Buffer) => {
  const copy = path.join(directory, `spoiled-${randomBytes(4).toString("hex")}`);
  await writeFile(copy, change(await readFile(file)));
  return copy;
};

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), "paygrant-archive-"));
  file = path.join(directory, "backup");
  await writeArchive(file, { id: "one", createdAt, owners: [production, sandbox] }, async ({ name }, write) => {
    for (const record of records[name]) await write(record);
  });
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe("the file of a backup", () => {
  test("contains the records of each environment, and shows the environments' names even without a key", async () => {
    expect(await read(file, production)).toEqual(records.production);
    expect(await read(file, sandbox)).toEqual(records.sandbox);
    expect(await describeArchive(file)).toMatchObject({
      created_at: createdAt.toISOString(),
      environments: [{ name: "production", issuer: "https://pay.example" }, { name: "sandbox" }],
    });
  });

  test("reveals none of its contents, and only its owner may read it", async () => {
    const bytes = await readFile(file);
    for (const secret of ["secret.example", "account"]) expect(bytes.includes(secret)).toBe(false);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test("can't be opened with another key, or with the key of the other environment", async () => {
    for (const masterKey of [randomBytes(32), sandbox.masterKey]) {
      await expect(read(file, { ...production, masterKey })).rejects.toThrow("encrypted with another MASTER_KEY");
    }
  });

  test.each([
    [
      "a changed byte",
      (bytes: Buffer) => bytes.fill((bytes.at(-3_000) ?? 0) ^ 1, bytes.length - 3_000, bytes.length - 2_999),
      "altered",
    ],
    ["a missing end", (bytes: Buffer) => bytes.subarray(0, bytes.length - 10), "the file is incomplete"],
    [
      "another header",
      (bytes: Buffer) => Buffer.from(bytes.toString("latin1").replace('"id":"one"', '"id":"two"'), "latin1"),
      "altered",
    ],
    ["a file that isn't a backup", () => Buffer.from("hello\n"), "not a Paygrant backup"],
  ])("detects %s", async (_name, change, why) => {
    await expect(read(await spoiled(change), sandbox)).rejects.toThrow(why);
  });

  test("detects missing frames", async () => {
    const headerEnd = (await readFile(file)).indexOf(10) + 1;
    const firstGone = await spoiled((bytes) =>
      Buffer.concat([bytes.subarray(0, headerEnd), bytes.subarray(headerEnd + 5 + bytes.readUInt32BE(headerEnd))]),
    );
    await expect(read(firstGone, production)).rejects.toThrow("altered");
  });

  test("is written by only one of two concurrent writers, and no other file remains", async () => {
    const twice = path.join(directory, "twice");
    const write = (id: string) => writeArchive(twice, { id, createdAt, owners: [production] }, async () => {});
    const ends = await Promise.allSettled([write("a"), write("b")]);
    expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await readdir(directory)).filter((name) => name.startsWith("twice"))).toEqual(["twice"]);
  });

  test("never replaces an existing file, and is removed after a failure", async () => {
    const input = { id: "two", createdAt, owners: [production] };
    await expect(writeArchive(file, input, async () => {})).rejects.toThrow("the file already exists");
    const failing = path.join(directory, "failing");
    const fail = () => Promise.reject(new Error("the database is unavailable"));
    await expect(writeArchive(failing, input, fail)).rejects.toThrow("the database is unavailable");
    expect((await readdir(directory)).filter((name) => name.startsWith("failing"))).toEqual([]);
  });
});
