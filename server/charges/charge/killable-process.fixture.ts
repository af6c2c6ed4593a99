import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";

export const running = new Set<ChildProcess>();

export const killAll = (): void => {
  for (const child of running) child.kill("SIGKILL");
};

/**
 * Starts a TypeScript file as a separate process and waits for its first line.
 * @param file absolute, or relative to this folder
 */
export const startKillableProcess = async (file: string, args: string[], onLine: (line: string) => void = () => {}) => {
  const child = spawn(process.execPath, [path.resolve(import.meta.dirname, file), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.add(child);
  const lines = createInterface({ input: child.stdout });
  const first = await new Promise<string>((resolve) => lines.once("line", resolve));
  lines.on("line", onLine);
  const kill = async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
    running.delete(child);
  };
  return { first: JSON.parse(first) as { port?: number }, kill };
};
