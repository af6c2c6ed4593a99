import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findNginx } from "./find-nginx.ts";

const runbook = path.resolve(import.meta.dirname, "../../../docs/runbooks/nginx.conf");
const startSeconds = 30;

/** One `server` block with its upstream: what a caller asks on `port` goes to one of the nodes. */
export type Site = {
  name: string;
  port: number;
  /** ports on this machine */
  nodes: readonly number[];
  /** null: plain HTTP */
  tls: { certificate: string; key: string } | null;
  /** Whether callers on this machine are limited too. */
  limitsLoopback?: true;
};

type Edit = readonly [pattern: RegExp, text: string];

const loopback = (port: number, options: string): string =>
  ["127.0.0.1", "[::1]"].map((address) => `listen ${address}:${port}${options};`).join(" ");

/** The runbook's file with other addresses, and everything else as it stands. @throws Error where it no longer has them. */
const adapt = (text: string, { name, port, nodes, tls, limitsLoopback }: Site): string => {
  const [node = ""] = /^ {2}server 10\..*$/m.exec(text) ?? [];
  const servers = nodes.map((each) => node.replace(/10\.\S+/, `127.0.0.1:${each}`)).join("\n");
  const edits: Edit[] = [
    [/(^ {2}server 10\..*\n)+/m, `${servers}\n`],
    [/^upstream paygrant /m, `upstream ${name} `],
    // Zones and variables are the whole process's.
    [/(?<=[$ =])paygrant_(?=[a-z])/g, `${name}_`],
    [/^ {2}127\.0\.0\.0\/8 1;\n {2}::1\/128 1;$/m, limitsLoopback ? "" : "$&"],
    [/http:\/\/paygrant;/, `http://${name};`],
    [/server_name \S+;/, "server_name localhost;"],
    [/listen 443( ssl http2);/, loopback(port, tls ? "$1" : "")],
    [/ssl_certificate \S+;/, tls ? `ssl_certificate ${tls.certificate};` : ""],
    [/ssl_certificate_key \S+;/, tls ? `ssl_certificate_key ${tls.key};` : ""],
    [/ssl_protocols [^;]+;/, tls ? "$&" : ""],
  ];
  return edits.reduce((edited, [pattern, replacement]) => {
    if (!pattern.test(edited)) throw new Error(`${runbook} has no ${pattern}`);
    return edited.replace(pattern, replacement);
  }, text);
};

/** What surrounds it on a machine: here everything is below one directory, and whoever runs it stays who they are. */
const surround = (directory: string, sites: readonly string[]): string => {
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return [
    process.getuid?.() === 0 ? "user root;" : "",
    `daemon off; worker_processes 1; pid ${directory}/nginx.pid; error_log stderr warn;`,
    "events { worker_connections 2048; }",
    "http {",
    "access_log off;",
    ...kinds.map((kind) => `${kind}_temp_path ${directory}/${kind};`),
    ...sites,
    "}",
  ].join("\n");
};

export type Nginx = {
  /** what it said, warnings among it */
  output(): string;
  stop(): Promise<void>;
};

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1");
    const tell = (isUp: boolean) => {
      socket.destroy();
      resolve(isUp);
    };
    socket.once("connect", () => tell(true)).once("error", () => tell(false));
  });

/** Runs nginx with docs/runbooks/nginx.conf for each site. @throws Error with what it said where it does not start. */
export const startNginx = async (directory: string, sites: readonly Site[]): Promise<Nginx> => {
  await mkdir(directory, { recursive: true });
  const text = await readFile(runbook, "utf8");
  const file = path.join(directory, "nginx.conf");
  await writeFile(
    file,
    surround(
      directory,
      sites.map((site) => adapt(text, site)),
    ),
  );
  const child = spawn(await findNginx(), ["-e", "stderr", "-p", directory, "-c", file], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk));
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const hasEnded = exited.then(() => true);
  // Whoever started it may be ended before it stops it.
  const stopOutright = () => child.kill("SIGTERM");
  process.once("exit", stopOutright);
  const isUp = async () => (await Promise.all(sites.map(({ port }) => isListening(port)))).every(Boolean);
  for (const deadline = performance.now() + startSeconds * 1000; !(await isUp()); ) {
    if ((await Promise.race([hasEnded, sleep(50, false)])) || performance.now() > deadline) {
      stopOutright();
      throw new Error(`nginx did not start:\n${output}`);
    }
  }
  return {
    output: () => output,
    async stop() {
      process.off("exit", stopOutright);
      child.kill("SIGTERM");
      await exited;
    },
  };
};
