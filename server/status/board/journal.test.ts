import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { outageRecords } from "../rules/journal/journal-records.fixture.ts";
import { openJournal } from "./journal.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), "status-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const logged: string[] = [];
const log = {
  debug() {},
  info() {},
  warn() {},
  error: (_: object, text: string) => void logged.push(text),
  request() {},
};
const open = () => openJournal({ directory, log });
const records = outageRecords("1");
const journalFiles = async () => (await readdir(directory)).filter((name) => name.endsWith(".jsonl")).sort();

test("appended records survive a kill, in order", async () => {
  const journal = await open();
  await journal.append(records.slice(0, 4));
  await Promise.all(records.slice(4).map((record) => journal.append([record])));
  expect((await open()).pending()).toEqual(records);
  await journal.close();
});

test("if the file is cut at any byte, every complete line is read, and a partial line is ignored", async () => {
  const few = records.slice(1, 4);
  const journal = await open();
  await journal.append(few);
  await journal.close();
  const [name = ""] = await journalFiles();
  const bytes = await readFile(path.join(directory, name));
  for (let length = 0; length <= bytes.length; length += 1) {
    await writeFile(path.join(directory, name), bytes.subarray(0, length));
    const whole = bytes.subarray(0, length).toString("latin1").split("\n").length - 1;
    expect((await open()).pending()).toEqual(few.slice(0, whole));
  }
  expect(logged).toEqual([]);
});

test("after an incomplete line, a new run writes to a new file", async () => {
  const journal = await open();
  await journal.append(records.slice(0, 2));
  await journal.close();
  const [name = ""] = await journalFiles();
  await writeFile(path.join(directory, name), '{"kind":"heart', { flag: "a" });
  const again = await open();
  await again.append(records.slice(2));
  await again.close();
  expect(await journalFiles()).toHaveLength(2);
  expect((await open()).pending()).toEqual(records);
});

test("records that were taken are kept until they are removed; later records stay pending", async () => {
  const journal = await open();
  await journal.append(records.slice(0, 5));
  const taken = await journal.take();
  expect(taken.records).toEqual(records.slice(0, 5));
  await journal.append(records.slice(5));
  expect((await open()).pending()).toEqual(records);
  await taken.remove();
  expect(journal.pending()).toEqual(records.slice(5));
  expect((await open()).pending()).toEqual(records.slice(5));
  await (await journal.take()).remove();
  expect(await journalFiles()).toEqual([]);
  await journal.close();
});

test("logs a damaged line and keeps a copy of the file; the other lines are read", async () => {
  const journal = await open();
  await journal.append(records.slice(0, 3));
  await journal.close();
  const [name = ""] = await journalFiles();
  const lines = (await readFile(path.join(directory, name), "utf8")).split("\n");
  await writeFile(path.join(directory, name), [lines[0], "{rubbish", ...lines.slice(2)].join("\n"));
  expect((await open()).pending()).toEqual([records[0], records[2]]);
  expect(logged).toHaveLength(1);
  expect(await readdir(directory)).toContain(`${name}.damaged`);
});
