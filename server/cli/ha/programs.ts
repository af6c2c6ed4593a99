import { execFile } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { installWithoutServices } from "../checks/install-packages.ts";
import { StartError } from "../supervisor/steps.ts";

/** The paths of the programs of a cluster, and the versions for the message of a run. */
export type Programs = {
  etcd: string;
  etcdctl: string;
  patroni: string;
  patronictl: string;
  haproxy: string;
  /** folder of PostgreSQL's programs */
  postgres: string;
  /** etcd's API for this version of Patroni */
  etcdApi: "v2" | "v3";
  versions: string;
};

const run = promisify(execFile);
const debianPostgres = "/usr/lib/postgresql";
/** On some machines, haproxy and nginx are in folders that only root's PATH has. */
const folders = [...(process.env["PATH"] ?? "").split(path.delimiter), "/usr/sbin", "/sbin"];

const isFile = (file: string): Promise<boolean> =>
  stat(file).then(
    (found) => found.isFile(),
    () => false,
  );

const findProgram = async (name: string): Promise<string | null> => {
  for (const folder of folders) if (await isFile(path.join(folder, name))) return path.join(folder, name);
  return null;
};

/**
 * The newest of Debian's PostgreSQL versions. The embedded PostgreSQL can't be used: its npm package has neither
 * pg_basebackup nor pg_controldata, which Patroni calls.
 */
const findPostgres = async (): Promise<string | null> => {
  const versions = (await readdir(debianPostgres).catch(() => [])).map(Number).filter((version) => version >= 15);
  for (const version of versions.toSorted((one, other) => other - one)) {
    const folder = path.join(debianPostgres, String(version), "bin");
    if ((await isFile(path.join(folder, "postgres"))) && (await isFile(path.join(folder, "pg_basebackup"))))
      return folder;
  }
  return null;
};

const versionOf = async (program: string, flag = "--version"): Promise<string> => {
  const { stdout } = await run(program, [flag]);
  return /\d+(\.\d+)+/.exec(stdout)?.[0] ?? "?";
};

/**
 * With etcd's v3 API, Patroni before 3.0.3 writes the leader key without a condition. A primary that was suspended
 * overwrites its successor's key when it continues (patroni/patroni#2689). With the v2 API, each write has a condition.
 */
export const etcdApiFor = (patroni: string): Programs["etcdApi"] => {
  const [major = 0, minor = 0, patch = 0] = patroni.split(".").map(Number);
  return major * 10_000 + minor * 100 + patch < 30_003 ? "v2" : "v3";
};

/** The Debian package of each program. */
const packages = {
  etcd: "etcd-server",
  etcdctl: "etcd-client",
  patroni: "patroni",
  patronictl: "patroni",
  haproxy: "haproxy",
  nginx: "nginx",
  setpriv: "util-linux",
} as const;

/** @throws StartError that names the missing programs and the command that installs them. */
export const findPrograms = async (): Promise<Programs> => {
  const found = new Map<string, string>();
  const missing = new Map<string, string>();
  for (const [name, debianPackage] of Object.entries(packages)) {
    const program = await findProgram(name);
    if (program) found.set(name, program);
    else missing.set(name, debianPackage);
  }
  const postgres = await findPostgres();
  if (!postgres) missing.set("PostgreSQL 15 or later", "postgresql");
  if (missing.size > 0 || !postgres) {
    const install = `apt-get install --no-install-recommends ${[...new Set(missing.values())].join(" ")}`;
    throw new StartError(
      `The cluster needs ${[...missing.keys()].join(", ")}, which this machine doesn't have.\nInstall the Debian packages: ${install}`,
    );
  }
  const at = (name: keyof typeof packages): string => found.get(name) ?? "";
  const versions = await Promise.all([
    versionOf(path.join(postgres, "postgres")),
    versionOf(at("patroni")),
    versionOf(at("etcd")),
    versionOf(at("haproxy"), "-v"),
  ]);
  return {
    etcd: at("etcd"),
    etcdctl: at("etcdctl"),
    patroni: at("patroni"),
    patronictl: at("patronictl"),
    haproxy: at("haproxy"),
    postgres,
    etcdApi: etcdApiFor(versions[1]),
    versions: ["PostgreSQL", "Patroni", "etcd", "HAProxy"]
      .map((name, index) => `${name} ${versions[index]}`)
      .join(", "),
  };
};

/**
 * Finds the programs, and installs Debian's packages if some are missing and this process may.
 * @throws StartError that names the missing programs
 */
export const findOrInstallPrograms = async (): Promise<Programs> => {
  const present = await findPrograms().catch((error: unknown) => {
    if (error instanceof StartError) return null;
    throw error;
  });
  if (present) return present;
  const all = Object.values(packages).filter((name) => name !== "util-linux");
  await installWithoutServices(...new Set(all), "postgresql");
  return findPrograms();
};
