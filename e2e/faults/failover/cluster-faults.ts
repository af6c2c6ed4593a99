import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { z } from "zod";
import { configurationOf } from "#server/cli/ha/database-cluster.ts";
import type { DatabaseNode } from "#server/cli/ha/runbook-files.ts";
import type { HaInstallation } from "#server/cli/ha/start-ha.ts";
import { killOutright, listProcesses, listRole, signalIfRunning } from "../../support/processes.ts";

const run = promisify(execFile);

export type Fault = {
  name: string;
  /** for how long writes may fail */
  withoutWritesSeconds: number;
  inflict(installation: HaInstallation): Promise<void>;
};

const findPrimary = async ({ database }: HaInstallation): Promise<DatabaseNode> => {
  const leader = (await database.listMembers()).find(({ role }) => role === "leader");
  const node = database.nodes.find(({ name }) => name === leader?.name);
  if (!node) throw new Error("the cluster has no primary");
  return node;
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

/** Longer than the primary's lease, so that another node takes over. */
const cutOffSeconds = 40;

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
    async inflict(installation) {
      const pids = await listNode(await findPrimary(installation));
      for (const pid of pids) signalIfRunning(pid, "SIGSTOP");
      try {
        await sleep(cutOffSeconds * 1000);
      } finally {
        for (const pid of pids) signalIfRunning(pid, "SIGCONT");
      }
    },
  },
  {
    name: "kill etcd's leader",
    withoutWritesSeconds: 30,
    inflict: async (installation) => killOutright(await findEtcd(await findEtcdLeader(installation))),
  },
  { name: "kill a web process", withoutWritesSeconds: 30, inflict: (installation) => killRole(installation, "web") },
  { name: "kill a worker", withoutWritesSeconds: 30, inflict: (installation) => killRole(installation, "worker") },
];
