import { execFile, spawn } from "node:child_process";
import { chown, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { connectAlone } from "../../../data/connect.ts";
import { findFreeRow } from "../free-ports.ts";
import { findPgbouncer } from "./find-pgbouncer.ts";

const runbook = path.resolve(import.meta.dirname, "../../../../docs/runbooks/pgbouncer.ini");
const startSeconds = 10;

export type PoolMode = "session" | "transaction";
type PoolerRole = { role: string; password: string };

export type Pgbouncer = {
  /** the URL of the same database through PgBouncer; the user in the URL must be one of the roles */
  through(databaseUrl: string): string;
  stop(): Promise<void>;
};

type Options = {
  /** the PostgreSQL server */
  serverUrl: string;
  mode: PoolMode;
  roles: readonly PoolerRole[];
  /** settings that replace those in the file */
  settings?: Readonly<Record<string, string | number>>;
};

/** The runbook's file with other values. @throws Error if the file has no such setting. */
const adapt = (text: string, values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values).reduce((edited, [name, value]) => {
    const line = new RegExp(`^${name.replace("*", "\\*")} = .*$`, "m");
    if (!line.test(edited)) throw new Error(`${runbook} has no setting ${name}`);
    return edited.replace(line, `${name} = ${value}`);
  }, text);

/** PgBouncer refuses to run as root. */
const ownUser = async (): Promise<{ uid: number; gid: number } | null> => {
  if (process.getuid?.() !== 0) return null;
  const idOf = async (flag: string) => Number((await promisify(execFile)("id", [flag, "nobody"])).stdout);
  return { uid: await idOf("-u"), gid: await idOf("-g") };
};

/** Runs PgBouncer with docs/runbooks/pgbouncer.ini on a free port of loopback. @throws Error with its output. */
export const startPgbouncer = async ({ serverUrl, mode, roles, settings = {} }: Options): Promise<Pgbouncer> => {
  const program = await findPgbouncer();
  const directory = await mkdtemp(path.join(os.tmpdir(), "paygrant-pgbouncer-"));
  const [file, users] = [path.join(directory, "pgbouncer.ini"), path.join(directory, "userlist.txt")];
  const port = await findFreeRow(1);
  const { hostname, port: serverPort } = new URL(serverUrl);
  const text = adapt(await readFile(runbook, "utf8"), {
    "*": `host=${hostname} port=${serverPort}`,
    listen_port: port,
    auth_file: users,
    pool_mode: mode,
    ...settings,
  });
  await writeFile(file, text, { mode: 0o600 });
  const lines = roles.map(({ role, password }) => `"${role}" "${password.replaceAll('"', '""')}"\n`);
  await writeFile(users, lines.join(""), { mode: 0o600 });
  const user = await ownUser();
  if (user) for (const each of [directory, file, users]) await chown(each, user.uid, user.gid);
  const child = spawn(program, [file], { cwd: "/", stdio: ["ignore", "ignore", "pipe"], ...user });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk));
  const exited = new Promise<true>((resolve) => child.once("exit", () => resolve(true)));
  const terminate = () => child.kill("SIGTERM");
  // This process may end before it calls stop().
  process.once("exit", terminate);
  const stop = async () => {
    process.off("exit", terminate);
    terminate();
    await exited;
    await rm(directory, { recursive: true, force: true });
  };
  const through = (databaseUrl: string) => Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}` }).href;
  const [first] = roles;
  const own = new URL(serverUrl);
  if (first) Object.assign(own, { username: first.role, password: first.password });
  for (const deadline = performance.now() + startSeconds * 1000; !(await answers(through(own.href))); ) {
    if ((await Promise.race([exited, sleep(50, false)])) || performance.now() > deadline) {
      await stop();
      throw new Error(`PgBouncer did not start:\n${output}`);
    }
  }
  return { through, stop };
};

/** An error from PostgreSQL also shows that PgBouncer is running. */
const answers = (databaseUrl: string): Promise<boolean> =>
  connectAlone(databaseUrl, {}).then(
    async (client) => {
      await client.end();
      return true;
    },
    (error: NodeJS.ErrnoException) => error.code !== "ECONNREFUSED",
  );
