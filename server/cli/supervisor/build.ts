import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { bundleFolder } from "../../assets/bundle.ts";
import { bundleInputs } from "../bundle/bundle-sources.ts";
import { compressBuild } from "./compress-build.ts";
import { relocateChunks } from "./relocate-chunks.ts";
import { assertRouteBudget, measureRoutes } from "./route-scripts.ts";
import { StartError } from "./steps.ts";

const root = path.resolve(import.meta.dirname, "../../..");

/** The files and folders that a step reads, except those whose path matches `except`. */
type Inputs = { entries: readonly string[]; except: RegExp };

/** A hash of the names and bytes of all input files, so that a step runs again if and only if its input has changed. */
const hashFiles = async ({ entries, except }: Inputs): Promise<string> => {
  const hash = createHash("sha256").update(process.version);
  for (const entry of entries) {
    const found = await listFiles(path.join(root, entry));
    const files = found.filter((file) => !except.test(path.relative(root, file)));
    for (const [file, bytes] of await Promise.all(files.map(async (file) => [file, await readFile(file)] as const))) {
      hash.update(`\0${path.relative(root, file)}\0`).update(bytes);
    }
  }
  return hash.digest("hex");
};

const tests = /\.test\.ts$/;

/** Files that no page can import, so that their changes need no new build. */
const notInPages = /^server\/(cli|embedded|roles|data\/generated)\/|^server\/main\.ts$|^components\/cdn\/|\.test\.ts$/;

const listFiles = async (target: string): Promise<string[]> => {
  const info = await stat(target).catch(() => null);
  if (!info) return [];
  if (!info.isDirectory()) return [target];
  const entries = await readdir(target, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
};

/** Turns off the telemetry of Next and Prisma. */
const quiet = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", CHECKPOINT_DISABLE: "1" };

/** Runs a program quietly and shows its output only when it fails. */
const runQuietly = (
  name: string,
  args: readonly string[],
  { program = process.execPath, env = quiet }: { program?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk));
    child.on("error", reject);
    child.on("exit", (code) =>
      code === 0 ? resolve() : reject(new StartError(`${name} failed:\n${output.slice(-4000)}`)),
    );
  });

/** Runs `work` unless `marker` records it for these inputs. @returns whether it ran. */
const onceFor = async (marker: string, inputs: Inputs, work: () => Promise<void>): Promise<boolean> => {
  const hash = await hashFiles(inputs);
  const file = path.join(root, marker);
  if ((await readFile(file, "utf8").catch(() => "")) === hash) return false;
  await work();
  await writeFile(file, hash);
  return true;
};

/** The database client, from prisma/schema. */
export const generateClient = (): Promise<boolean> =>
  onceFor(
    "server/data/generated/.inputs",
    { entries: ["prisma/schema", "node_modules/prisma/package.json"], except: tests },
    () => runQuietly("prisma generate", ["node_modules/prisma/build/index.js", "generate"]),
  );

/** The asset bundle. @throws StartError if a file is above its budget. */
const buildAssets = (): Promise<boolean> =>
  onceFor(`${bundleFolder}/.inputs`, { entries: bundleInputs, except: tests }, async () => {
    // Loaded only here, because the module needs development packages. An installation without them builds nothing.
    const { buildBundle } = await import("../bundle/build-bundle.ts");
    await buildBundle(root);
  });

/** Debian's npm runs on Debian's Node only, so npm must not run on the Node of node_modules/.bin. */
const runNpm = (args: readonly string[]): Promise<void> => {
  const { npm_node_execpath: node, npm_execpath: npm, PATH = "" } = process.env;
  if (node && npm) return runQuietly("npm", [npm, ...args], { program: node });
  const folders = PATH.split(path.delimiter).filter((folder) => folder !== path.join(root, "node_modules/.bin"));
  return runQuietly("npm", args, { program: "npm", env: { ...quiet, PATH: folders.join(path.delimiter) } });
};

const packedClients = "public/packages";

/** The client package as a file for npm. Every environment offers it for download (docs/spec/client.md, Package). */
const packClient = (): Promise<boolean> => {
  const inputs = { entries: ["packages/client"], except: /^packages\/client\/dist\/|\.(test|fixture)\.ts$/ };
  return onceFor(`${packedClients}/.inputs`, inputs, async () => {
    for (const folder of ["packages/client/dist", packedClients]) {
      await rm(path.join(root, folder), { recursive: true, force: true });
    }
    await mkdir(path.join(root, packedClients), { recursive: true });
    await runQuietly("tsc", ["node_modules/typescript-native/bin/tsc", "-p", "packages/client"]);
    await runNpm(["pack", "./packages/client", "--ignore-scripts", "--offline", "--pack-destination", packedClients]);
  });
};

const pageInputs: Inputs = {
  entries: [
    "app",
    "components",
    "packages/client/src",
    "server",
    "prisma/schema",
    "next.config.mjs",
    "instrumentation.ts",
    "tsconfig.json",
    "package.json",
    "package-lock.json",
  ],
  except: notInPages,
};

/**
 * The asset bundle, the client package and the pages, for production. @throws StartError if a route has too much
 * JavaScript, or a file of the bundle is too large.
 */
export const buildPages = async (): Promise<boolean> => {
  const hasBuiltAssets = await buildAssets();
  const hasPackedClient = await packClient();
  const hasBuiltPages = await onceFor(".next/.inputs", pageInputs, async () => {
    await runQuietly("next build", ["node_modules/next/dist/bin/next", "build"]);
    await relocateChunks(root);
    await compressBuild(root);
    assertRouteBudget(await measureRoutes(root));
  });
  return hasBuiltAssets || hasPackedClient || hasBuiltPages;
};
