import { spawn } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const root = path.resolve(import.meta.dirname, "../../..");

/** What holds for all that one command runs. */
export type Bounds = {
  /** aborted where the person at the terminal ends it */
  stopped: AbortSignal;
  /** on the clock of performance.now() */
  endsAt: number;
};

/** `cutFor`: why it was ended before it ended by itself. */
export type Run = { code: number; output: string; cutFor: string | null };

/** How long those who are asked to end may take: a service stops its processes in order. */
const patienceMilliseconds = 10_000;

/** @returns whether anybody is left in the group to hear it. */
const signalGroup = (leader: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(-leader, signal);
  } catch {
    return false;
  }
};

const endGroup = async (leader: number): Promise<void> => {
  if (!signalGroup(leader, "SIGTERM")) return;
  for (const deadline = performance.now() + patienceMilliseconds; signalGroup(leader, 0); await sleep(50)) {
    if (performance.now() > deadline) return void signalGroup(leader, "SIGKILL");
  }
};

/** Calls `cut` with the reason once the time is over or the command is stopped. @returns what ends the watch. */
const watch = (seconds: number, { stopped, endsAt }: Bounds, cut: (reason: string) => void): (() => void) => {
  const left = Math.max(0, endsAt - performance.now());
  const stop = () => cut("the run was stopped");
  const timer = setTimeout(
    () => cut(left < seconds * 1000 ? "the time of the whole run was over" : `it took longer than ${seconds} s`),
    Math.min(seconds * 1000, left),
  );
  if (stopped.aborted) stop();
  stopped.addEventListener("abort", stop);
  return () => {
    clearTimeout(timer);
    stopped.removeEventListener("abort", stop);
  };
};

/**
 * Runs a program with this Node and keeps what it says. It leads a group of processes: what it started and left behind
 * ends with it, however it ends.
 * @param seconds the longest that it may take
 */
export const runProgram = async (
  args: readonly string[],
  { environment, bounds, seconds }: { environment: NodeJS.ProcessEnv; bounds: Bounds; seconds: number },
): Promise<Run> => {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk));
  const isHeard = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let ending: Promise<void> | undefined;
  const end = () => (ending ??= child.pid === undefined ? Promise.resolve() : endGroup(child.pid));
  let cutFor: string | null = null;
  const unwatch = watch(seconds, bounds, (reason) => {
    cutFor ??= reason;
    end();
  });
  try {
    const code = await new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (exitCode) => resolve(exitCode ?? 1));
    });
    unwatch();
    await end();
    // Somebody beyond its group may hold its output open.
    await Promise.race([isHeard, sleep(1_000)]);
    return { code, output, cutFor };
  } finally {
    unwatch();
  }
};
