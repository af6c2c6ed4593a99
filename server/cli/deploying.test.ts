import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readVariables, toConfig } from "../platform/config.ts";
import { toTarget } from "./backup/with-databases.ts";
import { productionService, sandboxService } from "./supervisor/environments.ts";
import { youngSpace } from "./supervisor/launch.ts";

const read = (file: string) => readFileSync(file, "utf8");
const dockerfile = read("Dockerfile");
const compose = read("compose.yaml");
const roles = [...read("server/main.ts").matchAll(/^ {2}(\w+): async \(\) => \(await import/gm)].map(
  ([, role]) => role,
);
const settings = new Set(read(".env.example").match(/\b[A-Z][A-Z_]+[A-Z]\b/g));
/** Variables that only compose.yaml uses, for the database's image and the sandbox's simulator. */
const ownSettings = [
  "POSTGRES_PASSWORD",
  "DATABASE_PASSWORD",
  "SANDBOX_DATABASE_PASSWORD",
  "SANDBOX_SIMULATOR_KEY",
  "SANDBOX_WORKER_METRICS_PORT",
];

/** The lines below a key that are indented more than it. */
const below = (header: string): string[] => {
  const lines = compose.split("\n");
  const start = lines.findIndex((line) => line.trimStart().startsWith(`${header}:`));
  if (start < 0) throw new Error(`compose.yaml has no ${header}`);
  const depth = (line: string) => line.length - line.trimStart().length;
  const from = depth(lines[start] ?? "");
  const end = lines.findIndex((line, index) => index > start && line.trim() !== "" && depth(line) <= from);
  return lines.slice(start + 1, end < 0 ? undefined : end);
};
const entriesOf = (header: string): Record<string, string> =>
  Object.fromEntries(
    below(header).flatMap((line) => {
      const [, name, value] = /^\s+([A-Z][A-Z_]+): (.*)$/.exec(line) ?? [];
      return name ? [[name, (value ?? "").replaceAll('"', "")]] : [];
    }),
  );
const key = (byte: number) => Buffer.alloc(32, byte).toString("base64url");
/** The variables as compose fills them in from a minimal .env, which has only the required values. */
const filled = (header: string): Record<string, string> => {
  const values: Record<string, string> = {
    BASE_URL: "https://pay.example",
    SANDBOX_URL: "https://sandbox.example",
    STATUS_URL: "https://status.example",
    MASTER_KEY: key(1),
    SANDBOX_MASTER_KEY: key(2),
    PRODUCTION_FINGERPRINTS: ["a".repeat(22), "b".repeat(43), "c".repeat(43)].join(),
    SANDBOX_SIMULATOR_KEY: "k",
    DATABASE_PASSWORD: "one",
    SANDBOX_DATABASE_PASSWORD: "two",
  };
  const fill = (text: string) =>
    text.replace(/\$\{(\w+)(:-[^}]*|:\?[^}]*)?\}/g, (_, name: string) => values[name] ?? "");
  return Object.fromEntries(Object.entries(entriesOf(header)).map(([name, text]) => [name, fill(text)]));
};

describe("Dockerfile (docs/spec/operations.md, Deploying)", () => {
  const stages = dockerfile.split(/^FROM /m).slice(1);
  const last = stages.at(-1) ?? "";

  test("is built in stages on Node 24; it runs without root and downloads nothing", () => {
    expect(stages.length).toBeGreaterThan(1);
    for (const stage of stages) expect(stage).toMatch(/^node:24-slim/);
    expect(last).toMatch(/^USER node$/m);
    expect(last).not.toMatch(/\b(npm|npx|curl|wget|apt-get|apt)\b/);
    expect(last.indexOf("USER node")).toBeGreaterThan(last.lastIndexOf("RUN "));
  });

  test("contains every file and command that it names", () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, files]) => files?.split(" ") ?? [],
    );
    expect(copied).toContain("package-lock.json");
    for (const file of [...copied, ...(dockerfile.match(/server\/[\w/-]+\.ts/g) ?? [])])
      expect(existsSync(file)).toBe(true);
    expect(roles).toContain(/"--role", "(\w+)"/.exec(last)?.[1]);
  });

  test("contains no secrets, no data and no build output of the host", () => {
    const ignored = read(".dockerignore").split("\n");
    const built = [".next", "public/cdn", "public/packages", "packages/client/dist"];
    expect(ignored).toEqual(expect.arrayContaining([".env", ".env.*", ".data", ".git", "node_modules", ...built]));
    expect(dockerfile).not.toMatch(/MASTER_KEY|PASSWORD|SECRET/);
  });
});

describe("compose.yaml (docs/spec/operations.md, Deploying)", () => {
  test("runs PostgreSQL and every role of production and sandbox, with existing commands", () => {
    const started = [...compose.matchAll(/command: \[(?:"node", )?"([^"]+)"(?:, "--role", "(\w+)")?\]/g)];
    for (const [, file = ""] of started) expect(existsSync(file)).toBe(true);
    const run = started.flatMap(([, , role]) => role ?? []);
    for (const role of run) expect(roles).toContain(role);
    expect(run.sort()).toEqual(["simulator", "status", "web", "web", "worker", "worker"]);
    expect(below("postgres").join("\n")).toContain("image: postgres:18");
  });

  test("starts every process with the V8 young generation that npm start sets", () => {
    const entrypoint: string[] = JSON.parse(/\[.*\]/s.exec(below("x-process").join(""))?.[0] ?? "[]");
    expect(entrypoint[0]).toBe("node");
    expect(entrypoint).toEqual(expect.arrayContaining(youngSpace));
    const services = compose.slice(compose.indexOf("\nservices:")).split(/^ {2}(?=[\w-]+:$)/m);
    for (const service of services.filter((text) => text.includes('"--role"')))
      expect(service).toContain("<<: *process");
  });

  test("uses only settings of .env.example", () => {
    const used = [...compose.matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name);
    const given = ["x-production", "x-sandbox", "sandbox-simulator", "status", "backup"].flatMap((header) =>
      Object.keys(entriesOf(header)),
    );
    const unknown = [...used, ...given].filter((name) => !settings.has(name) && !ownSettings.includes(name));
    expect(unknown).toEqual([]);
  });

  test("passes every setting of .env.example to a process, except the settings of an installation without containers", () => {
    const ofOneMachine =
      /^(PORT|SANDBOX_PORT|STATUS_PORT|(SANDBOX_)?SIMULATOR_PORT|POSTGRES_PORT|DATA_DIR|LISTEN_HOST|SEED_DEMO|WEB_CONCURRENCY|(SANDBOX_)?DATABASE_((DIRECT|REPLICA)_)?URL|RATE_LIMIT_LOOPBACK|OUTBOUND_LOOPBACK|STRIPE_API_URL|CHROMIUM_PATH)$/;
    const named = [...read(".env.example").matchAll(/^#? ?([A-Z][A-Z_]+)=/gm)].map(([, name = ""]) => name);
    const used = new Set([...compose.matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !used.has(name) && !ofOneMachine.test(name))).toEqual([]);
  });

  test("passes different values to production and to the sandbox, and each environment accepts its values", () => {
    const production = toConfig(readVariables(filled("x-production")));
    const sandbox = toConfig(readVariables(filled("x-sandbox")));
    expect([production.environment, sandbox.environment]).toEqual(["production", "sandbox"]);
    expect([production.port, sandbox.port]).toEqual([3000, 3001]);
    expect(sandbox.productionUrl).toBe(production.baseUrl);
    expect(sandbox.databaseUrl).not.toBe(production.databaseUrl);
    expect([production.listenHost, sandbox.listenHost]).toEqual(["0.0.0.0", "0.0.0.0"]);
  });

  test("refers only to existing anchors, services, volumes and files", () => {
    const anchors = [...compose.matchAll(/&(\w+)/g)].map(([, name]) => name);
    for (const [, name] of compose.matchAll(/\*(\w+)/g)) expect(anchors).toContain(name);
    const services = below("services").flatMap((line) => /^ {2}([\w-]+):$/.exec(line)?.[1] ?? []);
    const needed = [...compose.matchAll(/^ {6}([\w-]+): \{ condition|network_mode: service:([\w-]+)/gm)];
    for (const [, one, other] of needed) expect(services).toContain(one ?? other);
    const volumes = below("volumes").length > 0 ? compose.slice(compose.lastIndexOf("\nvolumes:")) : "";
    for (const [, source = ""] of compose.matchAll(/^ {6}- ([\w./-]+):\//gm)) {
      if (source.startsWith("./")) expect(existsSync(source)).toBe(true);
      else expect(volumes).toContain(`  ${source}:`);
    }
    expect(compose).not.toContain("\t");
  });

  test("gives every process in the sandbox's network its own metrics port", () => {
    const [web, worker] = ["x-sandbox", "sandbox-worker"].map((header) => entriesOf(header)["METRICS_PORT"]);
    expect([web, worker].every(Boolean)).toBe(true);
    expect(worker).not.toBe(web);
    expect(entriesOf("sandbox-simulator")).not.toHaveProperty("METRICS_PORT");
  });

  test("publishes its ports only to this machine, and passes the status process its settings", () => {
    const ports = [...compose.matchAll(/ports: \["([^"]+)"\]/g)].map(([, port]) => port);
    expect(ports).toEqual(["127.0.0.1:3000:3000", "127.0.0.1:3002:3002", "127.0.0.1:3001:3001"]);
    expect(Object.keys(entriesOf("status"))).toEqual(
      expect.arrayContaining(["STATUS_INCIDENTS", "STATUS_PROBE_SECONDS"]),
    );
  });

  test("backs up both environments, and the simulator's records from its own volume", () => {
    const outer = {
      ...filled("x-production"),
      ...filled("backup"),
      DATA_DIR: "/data",
      NODE_ENV: "production",
    } as const;
    const own = { masterKey: key(3), databasePassword: "p".repeat(22), simulatorKey: "s".repeat(22) };
    const secrets = { postgresPassword: own.databasePassword, production: own, sandbox: own };
    const input = { outer, variables: readVariables(outer), secrets };
    const production = productionService(input);
    const sandbox = sandboxService(input, production);
    const targets = [production, ...(sandbox ? [sandbox] : [])].map(toTarget);
    expect(targets.map(({ config }) => [config.baseUrl, config.databaseUrl])).toEqual([
      ["https://pay.example", "postgresql://paygrant:one@postgres:5432/paygrant"],
      ["https://sandbox.example", "postgresql://paygrant_sandbox:two@postgres:5432/paygrant_sandbox"],
    ]);
    expect(targets[1]?.config.masterKey).toEqual(new Uint8Array(Buffer.alloc(32, 2)));
    const placeOf = (header: string) =>
      below(header).flatMap((line) => /^ {6}- simulator:(\/\S+)$/.exec(line)?.[1] ?? [])[0];
    // The simulator's own DATA_DIR comes from the image.
    expect(dockerfile).toMatch(/\bDATA_DIR=\/data$/m);
    expect(placeOf("sandbox-simulator")).toBe("/data");
    expect(targets.map(({ simulatorFile }) => simulatorFile)).toEqual([
      null,
      `${placeOf("backup")}/simulator/simulator.sqlite`,
    ]);
  });

  test("gives each process more time to stop than its connections need to drain", () => {
    expect(compose).toMatch(/stop_grace_period: 30s/);
  });
});
