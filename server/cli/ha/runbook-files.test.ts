import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { youngSpace } from "../supervisor/launch.ts";
import { planCluster } from "./database-cluster.ts";
import { etcdApiFor, type Programs } from "./programs.ts";
import { etcdEnvironment, haproxyConfiguration, patroniConfiguration } from "./runbook-files.ts";

const folder = "docs/runbooks/ha";
const programs = { postgres: "/usr/lib/postgresql/15/bin", etcdApi: "v3" } as Programs;
const ports = Array.from({ length: 14 }, (_, index) => 20_001 + index);
const cluster = planCluster("/tmp/cluster", programs, { ports, superuserPassword: "secret" });
const placeholders = /10\.0\.0\.|NODE_|_PASSWORD/;

describe("the files of docs/runbooks/ha, for a cluster on one machine", () => {
  test.each(cluster.nodes)("$name has only addresses and paths of this machine, and its own ports", async (node) => {
    const etcd = await etcdEnvironment(cluster, node);
    const text = await patroniConfiguration(cluster, node);
    expect(`${JSON.stringify(etcd)}${text}`).not.toMatch(placeholders);
    expect(etcd["ETCD_LISTEN_CLIENT_URLS"]).toBe(`http://127.0.0.1:${node.ports.etcdClient}`);
    expect(etcd["ETCD_INITIAL_CLUSTER"]).toContain(`${node.name}=${etcd["ETCD_LISTEN_PEER_URLS"]}`);
    expect(parse(text)).toMatchObject({
      name: node.name,
      restapi: { listen: `127.0.0.1:${node.ports.rest}` },
      etcd3: { hosts: cluster.nodes.map(({ ports }) => `127.0.0.1:${ports.etcdClient}`).join() },
      bootstrap: { dcs: { synchronous_mode: true } },
      postgresql: { listen: `127.0.0.1:${node.ports.postgres}`, data_dir: node.dataDirectory },
    });
  });

  test("Patroni before 3.0.3 uses etcd's v2 API", async () => {
    expect(["3.0.2", "3.0.3", "3.1.0", "4.0.5"].map(etcdApiFor)).toEqual(["v2", "v3", "v3", "v3"]);
    const [node] = cluster.nodes;
    if (!node) throw new Error("the cluster has no node");
    const old = { ...cluster, etcdApi: "v2" } as const;
    expect(parse(await patroniConfiguration(old, node))).toHaveProperty("etcd.hosts");
    expect(await etcdEnvironment(old, node)).toHaveProperty("ETCD_ENABLE_V2", "true");
  });

  test("Patroni's lease is long enough for its loop and its retries", () => {
    const {
      ttl,
      loop_wait: loop,
      retry_timeout: retry,
    } = parse(readFileSync(`${folder}/patroni.yml`, "utf8")).bootstrap.dcs;
    expect(ttl).toBeGreaterThanOrEqual(loop + 2 * retry);
  });

  test("HAProxy checks each node at Patroni's port", async () => {
    const text = await haproxyConfiguration(cluster);
    expect(text).not.toMatch(placeholders);
    for (const { name, ports: own } of cluster.nodes) {
      const line = `server ${name} 127.0.0.1:${own.postgres} check port ${own.rest}`;
      expect(text.split(line)).toHaveLength(3);
    }
  });

  test.each([
    "paygrant-web@.service",
    "paygrant-worker@.service",
    "paygrant-simulator.service",
    "paygrant-status.service",
  ])("%s starts its role with the size of V8's young generation that npm start sets", (file) => {
    const [, command = "", role] =
      /^ExecStart=(\S+ .*) server\/main\.ts --role (\w+)$/m.exec(readFileSync(`${folder}/${file}`, "utf8")) ?? [];
    expect(command.split(" ").slice(1)).toEqual(youngSpace);
    expect(file).toContain(`paygrant-${role}`);
  });
});
