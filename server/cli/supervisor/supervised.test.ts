import { type ChildProcess, spawn } from "node:child_process";
import { expect, test } from "vitest";
import type { Log } from "../../deps/deps.ts";
import { configurationExitCode } from "../../roles/exit-codes.ts";
import { supervise } from "./supervised.ts";

const recording = () => {
  const lines: string[] = [];
  const write = (_fields: object, message: string) => void lines.push(message);
  const log: Log = { debug: write, info: write, warn: write, error: write, request: () => {} };
  return { log, lines };
};

/** A Node process that runs the script. */
const run = (script: string): ChildProcess =>
  spawn(process.execPath, ["-e", script], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
const readyThen = (after: string) => run(`process.send("ready", () => { ${after} })`);
const staying = () => readyThen("setInterval(() => {}, 1000)");

/** Each launch runs the next of these scripts. Later launches run the last one. */
const launching = (launches: readonly (() => ChildProcess)[]) => {
  let count = 0;
  const { log, lines } = recording();
  const supervised = supervise("worker", () => (launches[count++] ?? launches.at(-1) ?? staying)(), log);
  return { supervised, lines, count: () => count };
};

test("starts a process again after an exit and after a failed launch", async () => {
  const failing = () => spawn("/nonexistent");
  const throwing = () => {
    throw new Error("ENOMEM");
  };
  const launches = [() => readyThen("process.exit(1)"), failing, throwing, staying];
  const { supervised, lines, count } = launching(launches);
  await supervised.ready;
  await expect.poll(count).toBe(4);
  const [ended, failed] = ["process ended, starting it again", "process error"];
  expect(lines).toEqual([ended, failed, ended, failed, ended]);
  expect(supervised.pid()).toBeGreaterThan(0);
  await supervised.stop(5_000);
});

test("rejects when the first start refuses its configuration, and retries after a later refusal", async () => {
  const refusing = () => run(`process.exit(${configurationExitCode})`);
  const first = launching([refusing]);
  await expect(first.supervised.ready).rejects.toThrow("worker refuses to start");
  expect(first.count()).toBe(1);
  const later = launching([() => readyThen("process.exit(1)"), refusing, staying]);
  await later.supervised.ready;
  await expect.poll(later.count).toBe(3);
  await later.supervised.stop(5_000);
});

test("doesn't start a process again after a stop", async () => {
  const { supervised, lines, count } = launching([() => spawn("/nonexistent")]);
  await expect.poll(() => lines.length).toBeGreaterThan(0);
  await supervised.stop(5_000);
  const before = count();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(count()).toBe(before);
});
