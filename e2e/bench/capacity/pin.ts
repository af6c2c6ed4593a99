import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The cores that this process may use; empty if this system can't pin processes. */
export const listCores = async (): Promise<number[]> => {
  const text = await run("taskset", ["-c", "-p", `${process.pid}`]).then(
    ({ stdout }) => stdout,
    () => "",
  );
  const ranges = /: ([\d,-]+)\s*$/.exec(text)?.[1]?.split(",") ?? [];
  return ranges.flatMap((range) => {
    const [from = 0, to = from] = range.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
};

/** Restricts processes, with all their threads, to these cores. New child processes inherit the restriction. */
export const pin = async (pids: readonly number[], cores: readonly number[]): Promise<void> => {
  // A process that has ended in the meantime needs no core.
  for (const pid of pids) await run("taskset", ["-a", "-c", "-p", cores.join(","), `${pid}`]).catch(() => {});
};

/** USER_HZ, which Linux fixes at 100 for /proc/stat (proc(5)). */
const ticksPerSecond = 100;

/** The seconds since the machine started in which a process used one of these cores, or the host took the core away. */
export const busySecondsOf = async (cores: readonly number[]): Promise<number> => {
  const text = await readFile("/proc/stat", "utf8");
  return cores.reduce((sum, core) => {
    const ticks = (new RegExp(`^cpu${core} +(.+)$`, "m").exec(text)?.[1] ?? "").split(" ").slice(0, 8).map(Number);
    const [idle = 0, waiting = 0] = ticks.slice(3, 5);
    return sum + (ticks.reduce((all, each) => all + each, 0) - idle - waiting) / ticksPerSecond;
  }, 0);
};
