import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSealer } from "../../kernel/crypto/seal.ts";
import { type Board, emptyBoard } from "../rules/board.ts";
import { openSnapshot } from "./snapshot.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), "status-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const silent = { debug() {}, info() {}, warn() {}, error() {}, request() {} };
const masterKey = randomBytes(32);
const open = (key = masterKey) =>
  openSnapshot({ directory, sealer: createSealer(key, "status_snapshot"), log: silent });
const at = new Date("2026-11-21T12:00:00.250Z");
const board: Board = {
  ...emptyBoard(at),
  heartbeats: [{ component: "sandbox", at }],
  changes: [
    {
      id: "chg_1",
      component: "sandbox",
      source: "probe",
      subject: "",
      state: "major_outage",
      at,
      reason: "the readiness check fails",
      actor: "probe",
    },
  ],
};

test("reads a board from the snapshot unchanged, with its dates", async () => {
  await open().write(board);
  expect(await open().read()).toEqual(board);
});

test("encrypts the snapshot, readable only by its owner", async () => {
  await open().write(board);
  const text = await readFile(path.join(directory, "snapshot"), "utf8");
  expect(text).toMatch(/^v1\.[\w-]+\.[\w-]+$/);
  expect((await stat(path.join(directory, "snapshot"))).mode & 0o777).toBe(0o600);
});

test("ignores a snapshot that was sealed with another master key, and an altered one", async () => {
  await open().write(board);
  expect(await open(randomBytes(32)).read()).toBeNull();
  const file = path.join(directory, "snapshot");
  await writeFile(file, (await readFile(file, "utf8")).slice(0, -3));
  expect(await open().read()).toBeNull();
});

test("a killed writer leaves the previous snapshot", async () => {
  await open().write(board);
  await writeFile(path.join(directory, "snapshot.new"), "v1.half");
  expect(await open().read()).toEqual(board);
});

test("writes nothing if only the time of reading changed", async () => {
  const snapshot = open();
  await snapshot.write(board);
  await rm(path.join(directory, "snapshot"));
  await snapshot.write({ ...board, readAt: new Date(at.getTime() + 5_000) });
  expect(await readdir(directory)).toEqual([]);
  await snapshot.write({ ...board, changes: [] });
  expect(await readdir(directory)).toEqual(["snapshot"]);
});
