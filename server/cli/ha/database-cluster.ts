import { randomBytes } from "node:crypto";
import { chown, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Log } from "../../deps/deps.ts";
import { chooseUser, clearLeftover, ownerOf } from "../../platform/embedded/cluster.ts";
import { StartError, step } from "../supervisor/steps.ts";
import type { SupervisedProcess } from "../supervisor/supervised.ts";
import { programKeeper } from "./keep-program.ts";
import { mountDisk, type NodeDisk } from "./node-disk.ts";
import type { Programs } from "./programs.ts";
import {
  type DatabaseNode,
  etcdEnvironment,
  haproxyConfiguration,
  type LocalCluster,
  patroniConfiguration,
} from "./runbook-files.ts";

export type DatabaseCluster = LocalCluster & {
  programs: Programs;
  /** the separate disk of each node, by its name; empty if the nodes have none */
  disks: ReadonlyMap<string, NodeDisk>;
  /** the members as Patroni sees them; empty if no node answers */
  listMembers(): Promise<Member[]>;
  stop(): Promise<void>;
};

const memberSchema = z.object({ name: z.string(), role: z.string(), state: z.string() });
export type Member = z.output<typeof memberSchema>;

const startSeconds = 180;
const stopMilliseconds = 60_000;
/**
 * After its start, HAProxy passes connections to every node. It excludes a node only after the first two checks of this
 * node have failed.
 */
const firstChecksMilliseconds = 4_000;

/** Ports of a cluster: each node's own four, and the two of HAProxy. */
export const portsOfCluster = 3 * 4 + 2;

export const configurationOf = ({ directory }: DatabaseNode): string => path.join(directory, "patroni.yml");

/** @param ports free ports; their number is `portsOfCluster` */
export const planCluster = (
  directory: string,
  programs: Programs,
  { ports, superuserPassword }: { ports: readonly number[]; superuserPassword: string },
): LocalCluster => {
  const freePorts = ports.values();
  const next = (): number => freePorts.next().value ?? 0;
  const nodes = ["db1", "db2", "db3"].map((name) => ({
    name,
    directory: path.join(directory, name),
    dataDirectory: path.join(directory, name, "disk/data"),
    ports: { postgres: next(), rest: next(), etcdClient: next(), etcdPeer: next() },
  }));
  const passwords = {
    superuser: superuserPassword,
    replication: randomBytes(16).toString("hex"),
    rest: randomBytes(16).toString("hex"),
  };
  return {
    nodes,
    ports: { primary: next(), standbys: next() },
    postgres: programs.postgres,
    passwords,
    etcdApi: programs.etcdApi,
  };
};

const askMembers = async ({ nodes }: LocalCluster): Promise<Member[]> => {
  for (const { ports } of nodes) {
    try {
      const answer = await fetch(`http://127.0.0.1:${ports.rest}/cluster`, { signal: AbortSignal.timeout(1_000) });
      return z.object({ members: z.array(memberSchema) }).parse(await answer.json()).members;
    } catch {
      // This node is stopped or suspended, so the next one is asked.
    }
  }
  return [];
};

/** Whether the cluster can continue without its current primary: all nodes run, and one standby is synchronous. */
export const isComplete = (members: readonly Member[]): boolean =>
  members.length === 3 &&
  members.every(({ state }) => state === "running" || state === "streaming") &&
  members.some(({ role }) => role === "leader") &&
  members.some(({ role }) => role === "sync_standby");

const awaitComplete = async (cluster: LocalCluster): Promise<void> => {
  let members: Member[] = [];
  for (const deadline = performance.now() + startSeconds * 1000; performance.now() < deadline; await sleep(500)) {
    members = await askMembers(cluster);
    if (isComplete(members)) return;
  }
  const found = members.map(({ name, role, state }) => `${name} ${role} ${state}`).join(", ");
  throw new StartError(
    `the database nodes were not ready within ${startSeconds} s (${found || "no node responded"}); see ${path.dirname(cluster.nodes[0]?.directory ?? "")}/logs`,
  );
};

type Preparing = { owner: Awaited<ReturnType<typeof ownerOf>>; disks: Map<string, NodeDisk> | null };

/**
 * Creates the node's folders and writes Patroni's configuration. If `disks` is given, the node's data is on a separate
 * disk if possible. Only PostgreSQL's user can read the configuration, because it contains passwords.
 */
const prepareNode = async (cluster: LocalCluster, node: DatabaseNode, { owner, disks }: Preparing) => {
  const file = configurationOf(node);
  const own = async (target: string) => {
    if (owner.uid !== undefined && owner.gid !== undefined) await chown(target, owner.uid, owner.gid);
  };
  const disk = path.dirname(node.dataDirectory);
  await mkdir(disk, { recursive: true, mode: 0o700 });
  const mounted = disks ? await mountDisk(disk) : null;
  if (mounted) disks?.set(node.name, mounted);
  await writeFile(file, await patroniConfiguration(cluster, node), { mode: 0o600 });
  for (const target of [node.directory, disk, file]) await own(target);
};

type Starting = {
  plan: LocalCluster;
  programs: Programs;
  log: Log;
  /** Each node's data gets a separate disk, if this process may mount one. */
  hasDisks: boolean;
};

/**
 * Starts the database part of docs/runbooks/ha on this machine: three nodes with etcd and Patroni, and HAProxy.
 * @throws StartError if the cluster isn't complete in time
 */
export const startDatabaseCluster = async (
  directory: string,
  { plan, programs, log, hasDisks }: Starting,
): Promise<DatabaseCluster> => {
  const logs = path.join(directory, "logs");
  await mkdir(logs, { recursive: true });
  const keep = programKeeper(logs, log);
  const disks = new Map<string, NodeDisk>();
  const [etcds, patronis, proxies]: SupervisedProcess[][] = [[], [], []];
  const stopEach = (kept: readonly SupervisedProcess[] = []) =>
    Promise.all(kept.map((one) => one.stop(stopMilliseconds)));
  const stop = async () => {
    await stopEach(proxies);
    await stopEach(patronis);
    // Patroni stops its PostgreSQL. If Patroni itself was killed, PostgreSQL still runs.
    await Promise.all(plan.nodes.map(({ dataDirectory }) => clearLeftover({ directory: dataDirectory })));
    await stopEach(etcds);
    for (const disk of disks.values()) await disk.unmount();
  };
  try {
    await step("etcd", async () => {
      for (const node of plan.nodes) {
        await mkdir(path.join(node.directory, "etcd"), { recursive: true, mode: 0o700 });
        const environment = await etcdEnvironment(plan, node);
        etcds?.push(keep({ name: `etcd-${node.name}`, command: [programs.etcd], environment }));
      }
    });
    await step("Patroni", async () => {
      const runAs = await chooseUser([programs.postgres, directory]);
      const owner = await ownerOf(runAs);
      for (const node of plan.nodes) {
        await prepareNode(plan, node, { owner, disks: hasDisks ? disks : null });
        const command = [programs.patroni, configurationOf(node)] as const;
        patronis?.push(keep({ name: `patroni-${node.name}`, command, runAs }));
      }
      await awaitComplete(plan);
    });
    await step("HAProxy", async () => {
      const file = path.join(directory, "haproxy.cfg");
      await writeFile(file, await haproxyConfiguration(plan));
      proxies?.push(keep({ name: "haproxy", command: [programs.haproxy, "-W", "-db", "-f", file] }));
      await sleep(firstChecksMilliseconds);
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { ...plan, programs, disks, listMembers: () => askMembers(plan), stop };
};
