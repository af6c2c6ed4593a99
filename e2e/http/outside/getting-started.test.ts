import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface, type Interface } from "node:readline";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { curlSnippets } from "#components/merchant/getting-started/snippets/curl-snippets.ts";
import { nodeSnippets } from "#components/merchant/getting-started/snippets/node-snippets.ts";
import { paygrantSnippets } from "#components/merchant/getting-started/snippets/paygrant-snippets.ts";
import { pythonSnippets } from "#components/merchant/getting-started/snippets/python-snippets.ts";
import {
  fillSnippet,
  type SnippetStep,
  type Snippets,
  type SnippetValues,
} from "#components/merchant/getting-started/snippets/snippet.ts";
import { makeClientKey, toPem } from "#components/portal/tokens/client-key.ts";
import { findAuthlib } from "#server/cli/checks/find-authlib.ts";
import { postJson, textOf } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import { consent } from "../../support/oauth/consent-driver.ts";
import { downloadClient } from "../client/download-client.ts";

/** Runs the code of /merchant/getting-started as the page shows it (docs/spec/portal.md, Getting started). */

const issuer = currentInstance().sandboxUrl;
const redirectUri = "http://127.0.0.1:8400/callback";

/** An app with a key pair as the dashboard generates it. @returns the folder with the files that the page offers. */
const makeApp = async (): Promise<{ folder: string; values: SnippetValues }> => {
  const { publicJwk, privateJwk } = await makeClientKey();
  const registered = await postJson(`${issuer}/oauth/register`, {
    client_name: "Getting started",
    grant_types: ["client_credentials"],
    scope: "mandates.verify charges.write charges.read",
    jwks: { keys: [publicJwk] },
  });
  const folder = await mkdtemp(path.join(tmpdir(), "paygrant-start-"));
  await writeFile(path.join(folder, "private-key.jwk.json"), JSON.stringify(privateJwk));
  await writeFile(path.join(folder, "private-key.pem"), await toPem(privateJwk));
  await mkdir(path.join(folder, "node_modules"));
  for (const name of ["jose", "openid-client", "standardwebhooks"]) {
    await symlink(path.resolve("node_modules", name), path.join(folder, "node_modules", name));
  }
  const [clientId, merchantId] = [textOf(registered, "client_id"), textOf(registered, "merchant_id")];
  return { folder, values: { issuer, clientId, merchantId, kid: publicJwk.kid } };
};

/** Adds the client package that the server offers to the folder's node_modules. */
const addClientPackage = async (folder: string): Promise<void> => {
  const [root, file] = [path.join(folder, "node_modules/@paygrant/client"), path.join(folder, "client.tgz")];
  await downloadClient(issuer, file);
  await mkdir(root, { recursive: true });
  await promisify(execFile)("tar", ["-xzf", file, "--strip-components=1", "-C", root]);
};

type Program = { child: ChildProcess; lines: Interface; done: Promise<string> };

/** Saves a step's code under its name and runs its command. */
const makeRunner = (snippets: Snippets, app: { folder: string; values: SnippetValues }, python: string | null) => {
  const start = async (step: SnippetStep, environment: Record<string, string> = {}): Promise<Program> => {
    for (const snippet of Object.values(snippets)) {
      if (snippet.file) await writeFile(path.join(app.folder, snippet.file), fillSnippet(snippet.code, app.values));
    }
    const { file } = snippets[step];
    if (!file) throw new Error(`${step} has no file`);
    const program = file.endsWith(".mjs") ? process.execPath : file.endsWith(".py") ? (python ?? "python3") : "sh";
    const child = spawn(program, [file], {
      cwd: app.folder,
      env: { NODE_ENV: "production", PATH: process.env["PATH"], PYTHONDONTWRITEBYTECODE: "1", ...environment },
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk));
    const done = new Promise<string>((resolve, reject) => {
      child.once("close", (code) => (code === 0 ? resolve(output) : reject(new Error(`exit ${code}: ${output}`))));
    });
    done.catch(() => undefined);
    return { child, done, lines: createInterface(child.stdout) };
  };
  return { start, run: async (step: SnippetStep) => (await start(step)).done };
};

/** The payer opens the link and approves. @returns the URL to which the browser is redirected. */
const approve = async (link: string): Promise<string> => {
  const query = new URL(link).searchParams;
  const [clientId, requestUri] = [query.get("client_id") ?? "", query.get("request_uri") ?? ""];
  return `${redirectUri}?${await consent(issuer, { clientId, requestUri })}`;
};

const languages = [
  ["Node", nodeSnippets],
  ["Node with the client package", paygrantSnippets],
  ["Python", pythonSnippets],
  ["curl", curlSnippets],
] as const;

describe.each(languages)("%s", (language, snippets) => {
  let app: Awaited<ReturnType<typeof makeApp>>;
  let runner: ReturnType<typeof makeRunner>;
  beforeAll(async () => {
    app = await makeApp();
    if (snippets === paygrantSnippets) await addClientPackage(app.folder);
    runner = makeRunner(snippets, app, language === "Python" ? await findAuthlib() : null);
  }, 600_000);
  afterAll(() => rm(app.folder, { recursive: true, force: true }));

  test("gets a token", async () => {
    expect(await runner.run("token")).toMatch(/Token .*\d+/);
  });

  test("asks a payer for a mandate, then verifies and charges the mandate", async () => {
    const agent = await runner.start("agent");
    for await (const line of agent.lines) {
      if (!line.startsWith(issuer)) continue;
      const address = await approve(line);
      if (language === "curl") agent.child.stdin?.end(`${address}\n`);
      else await fetch(address);
      break;
    }
    expect(await agent.done).toMatch(/Mandate mdt_\w+\s*$/);
    expect(await runner.run("verify")).toMatch(/['"]?valid['"]?: ?true/i);
    expect(await runner.run("charge")).toMatch(/['"]?status['"]?: ?['"]succeeded['"]/);
  });

  test("receives a webhook with a valid signature, and refuses an invalid one", async () => {
    const secret = `whsec_${Buffer.from("0123456789abcdef01234567").toString("base64")}`;
    const receiver = await runner.start("webhook", { WEBHOOK_SECRET: secret });
    const body = JSON.stringify({ id: "evt_1", type: "charge.succeeded" });
    const at = new Date();
    const post = (signature: string) =>
      fetch("http://127.0.0.1:8401/webhooks", {
        method: "POST",
        body,
        headers: {
          "content-type": "application/json",
          "webhook-id": "evt_1",
          "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
          "webhook-signature": signature,
        },
      });
    try {
      for await (const line of receiver.lines) if (line.startsWith("Listening")) break;
      expect((await post(`v1a,AA ${new Webhook(secret).sign("evt_1", at, body)}`)).status).toBe(204);
      expect((await post("v1,AAAA")).status).toBe(400);
    } finally {
      receiver.child.kill();
      await receiver.done.catch(() => undefined);
    }
  });
});
