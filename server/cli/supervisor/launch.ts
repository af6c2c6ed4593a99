import { type ChildProcess, fork, spawn } from "node:child_process";
import cluster from "node:cluster";
import path from "node:path";
import type { ChildEnvironment } from "./environments.ts";
import { handOnUntaken } from "./hand-on-untaken.ts";
import { StartError } from "./steps.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const main = path.join(root, "server/main.ts");
/**
 * By itself V8 begins with a small space of young objects and doubles it whenever enough of them have lived on, on a big
 * machine up to 128 MiB a process and for hours: with a bound that a service soon reaches, its memory stays as it is. It
 * begins there too: what waits for the database lives on in a smaller one and is copied again and again (measured: an eighth
 * of a request's CPU).
 */
export const youngSpace = ["--max-semi-space-size=16", "--min-semi-space-size=16"];
const execArgv = ["--disable-warning=ExperimentalWarning", ...youngSpace];

export type Role = "web" | "worker" | "status" | "simulator" | "postgres";

/** A process of its own with nothing but `environment`. */
export const launchRole = (role: Role, environment: ChildEnvironment): ChildProcess =>
  fork(main, ["--role", role], { cwd: root, env: environment, execArgv });

/** PostgreSQL's keeper gets a session of its own: a Ctrl-C at the terminal must not reach the database first. */
export const launchDetached = (role: Role, environment: ChildEnvironment): ChildProcess =>
  fork(main, ["--role", role], { cwd: root, env: environment, execArgv, detached: true });

/**
 * A web process that shares its port with its siblings: the supervisor accepts and hands connections round in turn,
 * so that each process gets an equal share and none is refused while one of them starts again.
 */
export const launchSharing = (role: Role, environment: ChildEnvironment): ChildProcess => {
  cluster.setupPrimary({ exec: main, args: ["--role", role], execArgv, cwd: root });
  // cluster.fork adds the supervisor's own environment: hide it for the moment of the call.
  const own = process.env;
  process.env = { NODE_ENV: "production" };
  try {
    const worker = cluster.fork(environment);
    // The same that its process tells, which is listened to: untold here it would end the supervisor.
    worker.on("error", () => {});
    handOnUntaken(worker.process);
    return worker.process;
  } finally {
    process.env = own;
  }
};

/** Runs a command of server/cli to its end. @throws StartError with what it said. */
export const runCommand = (command: string, args: readonly string[], environment: ChildEnvironment): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...execArgv, path.join(root, `server/cli/${command}.ts`), ...args], {
      cwd: root,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let complaint = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk));
    child.stderr.on("data", (chunk: Buffer) => (complaint += chunk));
    child.once("error", reject);
    child.once("exit", (code) =>
      code === 0 ? resolve(output.trim()) : reject(new StartError((complaint || output).trim())),
    );
  });
