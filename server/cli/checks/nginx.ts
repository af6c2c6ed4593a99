import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findNginx } from "./find-nginx.ts";

const runbook = path.resolve(import.meta.dirname, "../../../docs/runbooks/nginx.conf");
const startSeconds = 30;

/** One `server` block with its upstream: nginx passes the requests on `port` to one of the nodes. */
export type Site = {
  name: string;
  port: number;
  /** ports on this machine */
  nodes: readonly number[];
  /** null: plain HTTP */
  tls: { certificate: string; key: string } | null;
  /** also limits the rate of callers on this machine */
  limitsLoopback?: true;
};

type Edit = readonly [pattern: RegExp, text: string];

const loopback = (port: number, options: string): string =>
  ["127.0.0.1", "[::1]"].map((address) => `listen ${address}:${port}${options};`).join(" ");

/** The runbook's file, adapted to one site on this machine. @throws Error if a line that must be changed is missing. */
const adapt = (text: string, { name, port, nodes, tls, limitsLoopback }: Site): string => {
  const [node = ""] = /^ {2}server 127\.0\.0\.1:3000 .*$/m.exec(text) ?? [];
  const servers = nodes.map((each) => node.replace(/127\.\S+/, `127.0.0.1:${each}`)).join("\n");
  const edits: Edit[] = [
    [/^ {2}server 127\.0\.0\.1:3000 .*$/m, servers],
    // Removes the first server, which only redirects to https.
    [/^server \{\n {2}listen 80;[\s\S]*?^\}\n/m, ""],
    [/^upstream paygrant /m, `upstream ${name} `],
    [/^ {2}default paygrant;$/m, `  default ${name};`],
    // Zones, variables and upstreams are shared by the whole nginx process, so each site needs its own names.
    [/(?<=[$ =])paygrant_(?=[a-z])/g, `${name}_`],
    [/^ {2}127\.0\.0\.0\/8 1;\n {2}::1\/128 1;$/m, limitsLoopback ? "" : "$&"],
    [/server_name [^;]+;/, "server_name localhost;"],
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

/** The main part of the nginx configuration. All files are in one directory, and nginx runs as the current user. */
const surround = (directory: string, sites: readonly string[]): string => {
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return [
    process.getuid?.() === 0 ? "user root;" : "",
    `daemon off; worker_processes 1; pid ${directory}/nginx.pid; error_log stderr warn;`,
    "events { worker_connections 16384; }",
    "http {",
    "access_log off;",
    ...kinds.map((kind) => `${kind}_temp_path ${directory}/${kind};`),
    ...sites,
    "}",
  ].join("\n");
};

export type Nginx = {
  /** what it has printed, for example warnings */
  output(): string;
  stop(): Promise<void>;
};

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1");
    const settle = (isUp: boolean) => {
      socket.destroy();
      resolve(isUp);
    };
    socket.once("connect", () => settle(true)).once("error", () => settle(false));
  });

/** @throws Error with its output if nginx ends or doesn't listen in time. */
const awaitListening = async (sites: readonly Site[], hasEnded: Promise<true>, output: () => string): Promise<void> => {
  const isUp = async () => (await Promise.all(sites.map(({ port }) => isListening(port)))).every(Boolean);
  for (const deadline = performance.now() + startSeconds * 1000; !(await isUp()); ) {
    if ((await Promise.race([hasEnded, sleep(50, false)])) || performance.now() > deadline) {
      throw new Error(`nginx did not start:\n${output()}`);
    }
  }
};

/** Runs nginx with docs/runbooks/nginx.conf for each site. @throws Error with its output if it doesn't start. */
export const startNginx = async (directory: string, sites: readonly Site[]): Promise<Nginx> => {
  await mkdir(directory, { recursive: true });
  const runbookText = await readFile(runbook, "utf8");
  const blocks = sites.map((site) => adapt(runbookText, site));
  const file = path.join(directory, "nginx.conf");
  await writeFile(file, surround(directory, blocks));
  const child = spawn(await findNginx(), ["-e", "stderr", "-p", directory, "-c", file], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  const output = () => text;
  child.stderr.on("data", (chunk: Buffer) => (text += chunk));
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const terminate = () => child.kill("SIGTERM");
  // This process may end before it calls stop().
  process.once("exit", terminate);
  const hasEnded = exited.then((): true => true);
  await awaitListening(sites, hasEnded, output).catch((error) => {
    terminate();
    throw error;
  });
  return {
    output,
    async stop() {
      process.off("exit", terminate);
      terminate();
      await exited;
    },
  };
};
