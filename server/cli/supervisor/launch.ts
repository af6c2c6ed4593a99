import { type ChildProcess, fork, spawn } from "node:child_process";
import cluster from "node:cluster";
import path from "node:path";
import type { ChildEnvironment } from "./environments.ts";
import { reassignUnaccepted } from "./reassign-unaccepted.ts";
import { StartError } from "./steps.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const main = path.join(root, "server/main.ts");
/**
 * By default, V8 starts with a small young generation and doubles it whenever enough objects survive. On a large
 * machine, each process then grows for hours, by up to 128 MiB. A limit that is soon reached keeps the memory of the
 * service constant. The young generation also starts at this size: if it were smaller, the objects of requests that
 * wait for the database would survive and be copied repeatedly. (In a measurement, this used an eighth of a request's
 * CPU time.)
 */
export const youngSpace = ["--max-semi-space-size=16", "--min-semi-space-size=16"];
const execArgv = ["--disable-warning=ExperimentalWarning", ...youngSpace];

export type Role = "web" | "worker" | "status" | "simulator" | "postgres";

/** Starts a separate process that gets only the variables in `environment`. */
export const launchRole = (role: Role, environment: ChildEnvironment): ChildProcess =>
  fork(main, ["--role", role], { cwd: root, env: environment, execArgv });

/** PostgreSQL's keeper gets a separate session, because a Ctrl-C at the terminal must not stop the database first. */
export const launchDetached = (role: Role, environment: ChildEnvironment): ChildProcess =>
  fork(main, ["--role", role], { cwd: root, env: environment, execArgv, detached: true });

/**
 * A web process that shares its port with its siblings. The supervisor accepts connections and distributes them in
 * turn, so that each process gets an equal share and no connection is refused while a process restarts.
 */
export const launchSharing = (role: Role, environment: ChildEnvironment): ChildProcess => {
  cluster.setupPrimary({ exec: main, args: ["--role", role], execArgv, cwd: root });
  // cluster.fork passes the supervisor's own environment to the process, so this environment is hidden during the call.
  const own = process.env;
  process.env = { NODE_ENV: "production" };
  try {
    const worker = cluster.fork(environment);
    // The process reports the same error, and that report is handled. Without this listener, the error would end the
    // supervisor.
    worker.on("error", () => {});
    reassignUnaccepted(worker.process);
    return worker.process;
  } finally {
    process.env = own;
  }
};

/** Runs a command of server/cli to its end. @throws StartError with its output. */
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
