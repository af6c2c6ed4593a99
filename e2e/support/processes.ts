import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { EnvironmentName } from "./instance.ts";

export type ProcessRow = { pid: number; parent: number; command: string };

/** All processes of this machine. On Linux, they are read without `ps`. */
export const listProcesses = async (): Promise<ProcessRow[]> => {
  if (process.platform !== "linux") {
    const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,args="]);
    return stdout.split("\n").flatMap((line) => {
      const match = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line);
      return match ? [{ pid: Number(match[1]), parent: Number(match[2]), command: match[3] ?? "" }] : [];
    });
  }
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  return (await Promise.all(pids.map(readRow))).filter((row) => row !== null);
};

const readRow = async (pid: number): Promise<ProcessRow | null> => {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
  const [stat, command] = await Promise.all([read("stat"), read("cmdline")]);
  // `pid (name) state ppid …`; the name may contain any characters.
  const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  return command === "" || Number.isNaN(parent) ? null : { pid, parent, command: command.replaceAll("\0", " ").trim() };
};

export type Role = "web" | "worker" | "simulator" | "status" | "postgres";

/**
 * Whether a process belongs to the environment. On systems other than Linux, this is unknown, so a process counts for
 * both environments.
 */
const isOf = async (pid: number, environment: EnvironmentName): Promise<boolean> => {
  const variables = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => null);
  return variables === null || variables.split("\0").includes(`PAYGRANT_ENVIRONMENT=${environment}`);
};

/** Processes of one role under the supervisor of `dataDirectory`. @param environment null: both environments */
export const listRole = async (
  dataDirectory: string,
  role: Role,
  environment: EnvironmentName | null = null,
): Promise<number[]> => {
  const supervisor = Number(await readFile(path.join(dataDirectory, "supervisor.pid"), "utf8"));
  const pids = (await listProcesses())
    .filter(({ parent, command }) => parent === supervisor && command.endsWith(`main.ts --role ${role}`))
    .map(({ pid }) => pid);
  const isListed = await Promise.all(pids.map(async (pid) => environment === null || isOf(pid, environment)));
  return pids.filter((_, index) => isListed[index]);
};

/** The pid of PostgreSQL's main process, a child of the process that supervises it. */
export const findPostmaster = async (dataDirectory: string): Promise<number> =>
  Number((await readFile(path.join(dataDirectory, "postgres/postmaster.pid"), "utf8")).split("\n", 1)[0]);

/** A process that has just ended isn't an error. */
export const signalIfRunning = (pid: number, signal: "SIGKILL" | "SIGSTOP" | "SIGCONT"): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
};

/** SIGKILL, which a process can't handle. */
export const killOutright = (pid: number): void => signalIfRunning(pid, "SIGKILL");
