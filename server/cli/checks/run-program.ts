import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const root = path.resolve(import.meta.dirname, "../../..");

/** When all programs of a command must end. */
export type Bounds = {
  /** aborted by Ctrl-C, SIGTERM, SIGHUP or the end of the parent process */
  stopped: AbortSignal;
  /** on the clock of performance.now() */
  endsAt: number;
};

/** `endedBecause`: why this process ended the program; null if the program ended by itself. */
export type ProgramResult = { code: number; output: string; endedBecause: string | null };

export type Program = {
  args: readonly string[];
  environment: NodeJS.ProcessEnv;
  /** the maximum duration */
  seconds: number;
  /**
   * Opens a channel and receives what the program sends by process.send(). Ignores messages that arrive after this
   * process ended the program, because they only report what the end caused.
   */
  onMessage?: (message: unknown) => void;
};

/** Time to stop after SIGTERM: a service stops its processes in order. */
const graceMilliseconds = 10_000;

/** @returns whether the group still has a process. */
const signalGroup = (leader: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(-leader, signal);
  } catch {
    return false;
  }
};

const endGroup = async (leader: number): Promise<void> => {
  if (!signalGroup(leader, "SIGTERM")) return;
  for (const deadline = performance.now() + graceMilliseconds; signalGroup(leader, 0); await sleep(50)) {
    if (performance.now() > deadline) return void signalGroup(leader, "SIGKILL");
  }
};

/**
 * Calls `end` with the reason when a time limit is reached or the command is stopped.
 * @returns a function that ends the watch.
 */
const watchBounds = ({ stopped, endsAt }: Bounds, seconds: number, end: (reason: string) => void): (() => void) => {
  const left = Math.max(0, endsAt - performance.now());
  const reason =
    left < seconds * 1000 ? "the time limit of the whole run was reached" : `it took longer than ${seconds} s`;
  const timer = setTimeout(() => end(reason), Math.min(seconds * 1000, left));
  const stop = () => end("the run was stopped");
  if (stopped.aborted) stop();
  stopped.addEventListener("abort", stop);
  return () => {
    clearTimeout(timer);
    stopped.removeEventListener("abort", stop);
  };
};

const exitCodeOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });

/**
 * Runs a program with this Node and keeps its output. The program leads a process group. After the program has ended
 * for any reason, the remaining processes of the group are ended.
 */
export const runProgram = async (bounds: Bounds, program: Program): Promise<ProgramResult> => {
  const { args, environment, seconds, onMessage } = program;
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: environment,
    stdio: ["ignore", "pipe", "pipe", onMessage ? "ipc" : "ignore"],
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (output += chunk));
  const isClosed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let ending: Promise<void> | undefined;
  const end = () => (ending ??= child.pid === undefined ? Promise.resolve() : endGroup(child.pid));
  let endedBecause: string | null = null;
  child.on("message", (message) => endedBecause === null && onMessage?.(message));
  const unwatch = watchBounds(bounds, seconds, (reason) => {
    endedBecause ??= reason;
    end();
  });
  try {
    const code = await exitCodeOf(child);
    unwatch();
    await end();
    // A process outside the group may keep the output open.
    await Promise.race([isClosed, sleep(1_000)]);
    return { code, output, endedBecause };
  } finally {
    unwatch();
  }
};
