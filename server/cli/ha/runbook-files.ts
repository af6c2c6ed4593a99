import { readFile } from "node:fs/promises";
import path from "node:path";
import { parseEnv } from "node:util";

const folder = path.resolve(import.meta.dirname, "../../../docs/runbooks/ha");

/**
 * A database node on this machine, with its own ports. In the runbook, each node is a separate machine and has the
 * usual ports.
 */
export type DatabaseNode = {
  /** `db1`, `db2` or `db3`, as in the runbook */
  name: string;
  /** folder of the node's own files */
  directory: string;
  /** PostgreSQL's folder */
  dataDirectory: string;
  ports: { postgres: number; rest: number; etcdClient: number; etcdPeer: number };
};

/** Everything that differs between the runbook's machines and a cluster on this machine. */
export type LocalCluster = {
  nodes: readonly DatabaseNode[];
  ports: { primary: number; standbys: number };
  /** folder of PostgreSQL's programs */
  postgres: string;
  passwords: { superuser: string; replication: string; rest: string };
  /** etcd's API that Patroni uses */
  etcdApi: "v2" | "v3";
};

type Change = readonly [from: string, to: string];

/** @throws Error if the text doesn't contain one of the addresses, paths or placeholders. */
const replace = (text: string, changes: readonly Change[]): string =>
  changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`the runbook's file has no ${from}`);
    return changed.replaceAll(from, to);
  }, text);

const addressOf = (name: string): string => `10.0.0.${name.slice(-1)}`;

const asNode = ({ name }: DatabaseNode): Change[] => [
  ["NODE_NAME", name],
  ["NODE_ADDRESS", addressOf(name)],
];

const localPorts = (
  { nodes }: LocalCluster,
  pick: (ports: DatabaseNode["ports"]) => readonly [number, number],
): Change[] =>
  nodes.map(({ name, ports }) => {
    const [usual, own] = pick(ports);
    return [`${addressOf(name)}:${usual}`, `127.0.0.1:${own}`];
  });

const read = (name: string): Promise<string> => readFile(path.join(folder, name), "utf8");

/** @returns the environment variables of the node's etcd. */
export const etcdEnvironment = async (cluster: LocalCluster, node: DatabaseNode): Promise<NodeJS.Dict<string>> => {
  const text = replace(await read("etcd.env"), [
    ...asNode(node),
    [`${addressOf(node.name)}:2379`, `127.0.0.1:${node.ports.etcdClient}`],
    ...localPorts(cluster, ({ etcdPeer }) => [2380, etcdPeer]),
    ["/var/lib/etcd/default", path.join(node.directory, "etcd")],
  ]);
  return parseEnv(cluster.etcdApi === "v2" ? `${text}ETCD_ENABLE_V2=true\n` : text);
};

export const patroniConfiguration = async (cluster: LocalCluster, node: DatabaseNode): Promise<string> =>
  replace(await read("patroni.yml"), [
    ...asNode(node),
    [`${addressOf(node.name)}:8008`, `127.0.0.1:${node.ports.rest}`],
    [`${addressOf(node.name)}:5432`, `127.0.0.1:${node.ports.postgres}`],
    ...localPorts(cluster, ({ etcdClient }) => [2379, etcdClient]),
    ["10.0.0.0/24", "127.0.0.0/8"],
    // The nodes of this machine share its disk.
    ["wal_keep_size: 8GB", "wal_keep_size: 64MB"],
    ["max_slot_wal_keep_size: 16GB", "max_slot_wal_keep_size: 256MB"],
    ["etcd3:", cluster.etcdApi === "v2" ? "etcd:" : "etcd3:"],
    ["REST_PASSWORD", cluster.passwords.rest],
    ["SUPERUSER_PASSWORD", cluster.passwords.superuser],
    ["REPLICATION_PASSWORD", cluster.passwords.replication],
    ["/usr/lib/postgresql/17/bin", cluster.postgres],
    ["/var/lib/postgresql/paygrant", node.dataDirectory],
    ["/var/lib/postgresql/.pgpass-patroni", path.join(node.directory, "pgpass")],
    ["/var/run/postgresql", node.directory],
  ]);

/** The process keeps running as the user that started it. */
export const haproxyConfiguration = async (cluster: LocalCluster): Promise<string> =>
  replace(await read("haproxy.cfg"), [
    ["  user haproxy\n  group haproxy\n", ""],
    ["127.0.0.1:5000", `127.0.0.1:${cluster.ports.primary}`],
    ["127.0.0.1:5001", `127.0.0.1:${cluster.ports.standbys}`],
    ...cluster.nodes.map(
      ({ name, ports }): Change => [
        `${addressOf(name)}:5432 check port 8008`,
        `127.0.0.1:${ports.postgres} check port ${ports.rest}`,
      ],
    ),
  ]);
