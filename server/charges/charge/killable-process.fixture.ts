import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";

export const running = new Set<ChildProcess>();

export const killAll = (): void => {
  for (const child of running) child.kill("SIGKILL");
};

/**
 * Starts a TypeScript file as a separate process and waits for its first line, which must be JSON.
 * @param file absolute, or relative to this folder
 * @returns `first`: the parsed first line; `ended`: resolves when the process has ended and all its output is read.
 * @throws if the process ends before it prints a line.
 */
export const startKillableProcess = async (file: string, args: string[], onLine: (line: string) => void = () => {}) => {
  const child = spawn(process.execPath, [path.resolve(import.meta.dirname, file), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.add(child);
  const first = Promise.withResolvers<string>();
  let take = (line: string) => {
    take = onLine;
    first.resolve(line);
  };
  createInterface({ input: child.stdout }).on("line", (line) => take(line));
  const ended = once(child, "close").then(() => {
    running.delete(child);
    first.reject(new Error(`${file} ended before it printed a line`));
  });
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  return { first: JSON.parse(await first.promise) as { port?: number }, kill, ended };
};
