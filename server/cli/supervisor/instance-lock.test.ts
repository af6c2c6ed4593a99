import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { commandOf } from "../../platform/embedded/process-table.ts";
import { acquireInstanceLock } from "./instance-lock.ts";

let directory: string;
let other: ChildProcess | undefined;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), "paygrant-lock-"));
});
afterEach(async () => {
  other?.kill("SIGKILL");
  await rm(directory, { recursive: true, force: true });
});

/** Starts a process with `file` in its command line, and records it as the supervisor of the directory. */
const keptBy = async (file: string): Promise<void> => {
  other = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)", file], { stdio: "ignore" });
  await writeFile(path.join(directory, "supervisor.pid"), String(other.pid));
  await expect.poll(() => commandOf(other?.pid ?? 0)).toContain(file);
};

test.each(["start", "backup", "restore", "operators", "plans", "check-invariants"])(
  "while `%s` runs PostgreSQL, no other process can acquire the lock",
  async (command) => {
    await keptBy(`server/cli/${command}.ts`);
    await expect(acquireInstanceLock(directory)).rejects.toThrow(/already running on .* \(process \d+\)/);
  },
);

test("a killed process, or another process with the same id, doesn't block a start", async () => {
  await keptBy("something/else.ts");
  const { wasKilled, release } = await acquireInstanceLock(directory);
  expect(wasKilled).toBe(true);
  await release();
  expect(await readdir(directory)).toEqual([]);
});
