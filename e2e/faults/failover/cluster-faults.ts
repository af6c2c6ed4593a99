import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { z } from "zod";
import { configurationOf } from "#server/cli/ha/database-cluster.ts";
import type { DatabaseNode } from "#server/cli/ha/runbook-files.ts";
import type { HaInstallation } from "#server/cli/ha/start-ha.ts";
import { killOutright, listProcesses, listRole, signalIfRunning } from "../../support/processes.ts";
import { waitUntil } from "../../support/wait-until.ts";

const run = promisify(execFile);

export type Fault = {
  name: string;
  /** for how long writes may fail */
  withoutWritesSeconds: number;
  /** some writes succeed during the fault, so the gap of the sandbox, which has the load, says nothing about production */
  isPartial?: true;
  /** ends one web process or worker, which is then started again */
  endsProcess?: true;
  /** why this installation can't have the fault; null if it can */
  leftOutBecause?(installation: HaInstallation): string | null;
  inflict(installation: HaInstallation): Promise<void>;
};

/** After the primary's lease of 20 s, another node takes over. */
const takeoverSeconds = 60;

const findLeader = async ({ database }: HaInstallation): Promise<string | undefined> =>
  (await database.listMembers()).find(({ role }) => role === "leader")?.name;

/** On a busy machine, Patroni may respond late. */
const findPrimary = async (installation: HaInstallation): Promise<DatabaseNode> => {
  for (const deadline = performance.now() + takeoverSeconds * 1000; ; await sleep(200)) {
    const leader = await findLeader(installation);
    const node = installation.database.nodes.find(({ name }) => name === leader);
    if (node) return node;
    if (performance.now() > deadline) throw new Error("the cluster has no primary");
  }
};

const readPostmaster = async ({ dataDirectory }: DatabaseNode): Promise<number> =>
  Number((await readFile(path.join(dataDirectory, "postmaster.pid"), "utf8")).split("\n", 1)[0]);

/** Patroni, PostgreSQL and etcd of one node, which would all stop if the machine stopped. */
const listNode = async (node: DatabaseNode): Promise<number[]> => {
  const postmaster = await readPostmaster(node);
  const rows = await listProcesses();
  const ofNode = rows.filter(
    ({ pid, parent, command }) =>
      pid === postmaster || parent === postmaster || command.includes(configurationOf(node)),
  );
  return [...ofNode.map(({ pid }) => pid), await findEtcd(node)];
};

const findEtcd = async (node: DatabaseNode): Promise<number> => {
  for (const { pid, command } of await listProcesses()) {
    if (!/(^|\/)etcd$/.test(command)) continue;
    const variables = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
    if (variables.includes(`ETCD_DATA_DIR=${path.join(node.directory, "etcd")}`)) return pid;
  }
  throw new Error(`${node.name} has no etcd`);
};

const statusSchema = z.array(
  z.object({
    Status: z.object({ leader: z.number(), header: z.object({ member_id: z.number() }) }),
    Endpoint: z.string(),
  }),
);

const findEtcdLeader = async ({ database }: HaInstallation): Promise<DatabaseNode> => {
  const endpoints = database.nodes.map(({ ports }) => `127.0.0.1:${ports.etcdClient}`);
  const args = [`--endpoints=${endpoints.join()}`, "endpoint", "status", "--write-out=json"];
  const { stdout } = await run(database.programs.etcdctl, args, { env: { NODE_ENV: "production", ETCDCTL_API: "3" } });
  const leader = statusSchema.parse(JSON.parse(stdout)).find(({ Status }) => Status.leader === Status.header.member_id);
  const node = database.nodes.find(({ ports }) => leader?.Endpoint === `127.0.0.1:${ports.etcdClient}`);
  if (!node) throw new Error("etcd has no leader");
  return node;
};

const killRole = async ({ dataDirectory }: HaInstallation, role: "web" | "worker"): Promise<void> => {
  const [pid] = await listRole(dataDirectory, role, "sandbox");
  if (pid === undefined) throw new Error(`there is no ${role} process`);
  killOutright(pid);
};

/** The old primary stays suspended for this time after another node was promoted. */
const cutOffSeconds = 5;

const awaitOtherPrimary = (installation: HaInstallation, { name }: DatabaseNode): Promise<void> =>
  waitUntil(async () => {
    const leader = await findLeader(installation);
    return leader !== undefined && leader !== name;
  }, takeoverSeconds);

const cutOff = async (installation: HaInstallation): Promise<void> => {
  const node = await findPrimary(installation);
  const pids = await listNode(node);
  for (const pid of pids) signalIfRunning(pid, "SIGSTOP");
  try {
    await awaitOtherPrimary(installation, node);
    await sleep(cutOffSeconds * 1000);
  } finally {
    for (const pid of pids) signalIfRunning(pid, "SIGCONT");
  }
};

/** While the disk is full, PostgreSQL refuses inserts first. It crashes when it needs a new file of its log. */
const refusingSeconds = 4;
const crashSeconds = 20;

/**
 * Connects before the disk is full, because a full node may refuse new sessions.
 * @returns a function that switches to new files of the log until there is no space for the next one, so that
 *   PostgreSQL crashes. A busy primary does this by itself.
 */
const openLog = async ({ database }: HaInstallation, { ports }: DatabaseNode): Promise<() => Promise<void>> => {
  const client = new pg.Client({
    connectionString: `postgresql://postgres:${database.passwords.superuser}@127.0.0.1:${ports.postgres}/postgres`,
    connectionTimeoutMillis: 5_000,
  });
  let hasCrashed = false;
  client.on("error", () => {
    hasCrashed = true;
  });
  await client.connect();
  return async () => {
    for (const deadline = performance.now() + crashSeconds * 1000; !hasCrashed; await sleep(200)) {
      if (performance.now() > deadline) throw new Error(`PostgreSQL has not crashed within ${crashSeconds} s`);
      await client.query("SELECT pg_switch_wal()").catch(() => {
        hasCrashed = true;
      });
    }
    await client.end().catch(() => {});
  };
};

const fillDisk = async (installation: HaInstallation): Promise<void> => {
  const node = await findPrimary(installation);
  const disk = installation.database.disks.get(node.name);
  if (!disk) throw new Error(`${node.name} has no separate disk`);
  const exhaustLog = await openLog(installation, node);
  await disk.fill();
  try {
    await sleep(refusingSeconds * 1000);
    await exhaustLog();
    // PostgreSQL can't start on the full disk.
    await awaitOtherPrimary(installation, node);
  } finally {
    await disk.release();
  }
};

export const faults: readonly Fault[] = [
  {
    name: "kill the primary",
    withoutWritesSeconds: 30,
    inflict: async (installation) => killOutright(await readPostmaster(await findPrimary(installation))),
  },
  {
    name: "switchover",
    withoutWritesSeconds: 15,
    async inflict({ database }) {
      const [node] = database.nodes;
      if (node) await run(database.programs.patronictl, ["-c", configurationOf(node), "switchover", "--force"]);
    },
  },
  {
    name: "cut the primary off",
    withoutWritesSeconds: 30,
    inflict: cutOff,
  },
  {
    name: "kill etcd's leader",
    withoutWritesSeconds: 30,
    inflict: async (installation) => killOutright(await findEtcd(await findEtcdLeader(installation))),
  },
  {
    name: "kill a web process",
    withoutWritesSeconds: 30,
    endsProcess: true,
    inflict: (installation) => killRole(installation, "web"),
  },
  {
    name: "kill a worker",
    withoutWritesSeconds: 30,
    endsProcess: true,
    inflict: (installation) => killRole(installation, "worker"),
  },
  {
    name: "fill the primary's disk",
    withoutWritesSeconds: 30,
    isPartial: true,
    leftOutBecause: ({ database }) => (database.disks.size > 0 ? null : "this process can't mount a file system"),
    inflict: fillDisk,
  },
];
