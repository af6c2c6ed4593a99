import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { currentInstance } from "../../support/instance.ts";
import { consent } from "../../support/oauth/consent-driver.ts";
import { downloadClient } from "./download-client.ts";

/** Installs the package that the server offers in an empty folder, without a network, and runs README.md there. */

const { sandboxUrl } = currentInstance();
const source = path.resolve("packages/client");
const run = promisify(execFile);
let folder: string;

const npm = (args: string[]) => {
  const env = { ...process.env, npm_config_cache: path.join(folder, "cache"), npm_config_offline: "true" };
  return run("npm", [...args, "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, env });
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "paygrant-client-"));
  const files = path.join(folder, "files");
  await mkdir(files);
  await downloadClient(sandboxUrl, path.join(files, "paygrant-client.tgz"));
  await npm(["pack", "--pack-destination", files, path.resolve("node_modules/jose")]);
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const packed = (await readdir(files)).map((file) => path.join(files, file));
  await npm(["install", ...packed]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the packed client package", () => {
  test("has jose as its only dependency, and contains no tests or sources", async () => {
    const installed = await readdir(path.join(folder, "node_modules"));
    expect(installed.filter((name) => !name.startsWith(".")).sort()).toEqual(["@paygrant", "jose"]);
    const root = path.join(folder, "node_modules/@paygrant/client");
    const manifest = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
    expect(Object.keys(manifest.dependencies)).toEqual(["jose"]);
    const files = await readdir(root, { recursive: true });
    expect(files).toEqual(expect.arrayContaining(["README.md", "dist/index.js", "dist/index.d.ts"]));
    expect(files.filter((file) => /\.test\.|(?<!\.d)\.ts$/.test(file))).toEqual([]);
  });

  test.each([
    ["node16", "node16"],
    ["esnext", "bundler"],
  ])("its types resolve with module %s and moduleResolution %s", async (module, moduleResolution) => {
    const program = `import * as paygrant from "@paygrant/client";
const session: paygrant.Session = await paygrant.clientCredentials({} as paygrant.Client, { scope: "charges.write" });
export const { status }: paygrant.Charge = await paygrant.void(session, { chargeId: "chg_1", idempotencyKey: "1" });
// @ts-expect-error: a charge needs an idempotency key
paygrant.charge(session, { mandateId: "mdt_1", amount: 1, currency: "EUR", payerPresence: "in_session" });
// @ts-expect-error: the codes of errors are a closed union
export const isOther = (error: paygrant.PaygrantError) => error.code === "other";
`;
    await writeFile(path.join(folder, "program.ts"), program);
    const options = { module, moduleResolution, target: "es2022", strict: true, noEmit: true, types: [] };
    const tsconfig = { compilerOptions: options, files: ["program.ts"] };
    await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
    const { stdout } = await run(process.execPath, [
      path.resolve("node_modules/typescript-native/bin/tsc"),
      "-p",
      folder,
    ]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe("");
  });

  test("runs the code of README.md unchanged", async () => {
    const readme = await readFile(path.join(source, "README.md"), "utf8");
    const blocks = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = ""]) => code);
    expect(blocks.length).toBeGreaterThan(5);
    const program = path.join(folder, "readme.mjs");
    await writeFile(program, blocks.join("\n").replace("http://localhost:3001", sandboxUrl));
    const child = spawn(process.execPath, [program], {
      cwd: folder,
      env: { NODE_ENV: "production", PATH: process.env["PATH"] },
    });
    let failure = "";
    child.stderr.on("data", (chunk: Buffer) => (failure += chunk));
    const printed: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      printed.push(line.replace(/mdt_\w+/, "mdt_…"));
      if (!line.startsWith(sandboxUrl)) continue;
      const { searchParams } = new URL(printed.pop() ?? "");
      const [clientId, requestUri] = [searchParams.get("client_id") ?? "", searchParams.get("request_uri") ?? ""];
      await fetch(`http://127.0.0.1:8400/callback?${await consent(sandboxUrl, { clientId, requestUri })}`);
    }
    expect({ printed, failure }).toEqual({
      printed: [
        "mandate mdt_…",
        "valid true",
        "charge succeeded",
        expect.stringMatching(/^refund (succeeded|pending)$/),
        "Order 3 voided",
        "Order 2 partially_captured",
        "Order 1 partially_refunded",
        "credential EUR",
        "receipt true",
        "participant Coffee shop",
        "refused_by_mandate amount_exceeds_per_payment",
      ],
      failure: "",
    });
  });

  test("README.md describes every exported function", async () => {
    const readme = await readFile(path.join(source, "README.md"), "utf8");
    const exported = await import("#client");
    const functions = Object.entries(exported).filter(
      ([, value]) => typeof value === "function" && !/^class/.test(`${value}`),
    );
    for (const [name] of functions) expect(readme).toContain(`${name}(`);
  });
});
