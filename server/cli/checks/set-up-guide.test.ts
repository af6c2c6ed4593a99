import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, test } from "vitest";
import { readVariables, type Variables } from "../../platform/config.ts";

/** Runs the steps of docs/operating.md, "Set up for your company", that a unit test can run. */
const [, guide = ""] =
  /^## Set up for your company\n([\s\S]*?)^## /m.exec(readFileSync("docs/operating.md", "utf8")) ?? [];
const blocks = [...guide.matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm)].map(([, indent = "", code = ""]) =>
  code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
);
const blockWith = (text: string): string => {
  const found = blocks.filter((block) => block.includes(text));
  if (found.length !== 1) throw new Error(`${found.length} blocks contain ${text}`);
  return found[0] ?? "";
};

/** Runs step 3 in an empty folder; `su` and `chown` are replaced. */
const writeSettings = (): { variables: Variables; mode: number } => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "paygrant-set-up-"));
  try {
    const stubs = 'su() { test -n "$DATABASE_PASSWORD"; }; chown() { :; }\n';
    execFileSync("sh", ["-eu", "-c", `${stubs}${blockWith("cat > .env")}`], { cwd: folder });
    const read = (name: string) => readFileSync(path.join(folder, name), "utf8");
    return { variables: readVariables(parseEnv(read(".env"))), mode: statSync(path.join(folder, ".env")).mode & 0o777 };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

describe("docs/operating.md, Set up for your company", () => {
  test("has steps with valid shell commands, and copies only existing files", () => {
    expect(blocks.length).toBeGreaterThan(8);
    for (const block of blocks) execFileSync("sh", ["-n"], { input: block });
    const files = [...guide.matchAll(/docs\/runbooks\/[\w.-]+/g)].map(([file]) => file);
    expect(files).toEqual(expect.arrayContaining(["docs/runbooks/nginx.conf", "docs/runbooks/paygrant.service"]));
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });

  test("writes settings that are accepted, with distinct secrets, readable only by their owner", () => {
    const { variables, mode } = writeSettings();
    expect(mode).toBe(0o600);
    expect(variables).toMatchObject({ BASE_URL: "https://pay.example.com", LISTEN_HOST: "127.0.0.1" });
    expect(variables.TRUSTED_PROXIES.has("127.0.0.1")).toBe(true);
    const passwords = [variables.DATABASE_URL, variables.SANDBOX_DATABASE_URL].map(
      (url) => new URL(url ?? "").password,
    );
    const keys = [variables.MASTER_KEY, variables.SANDBOX_MASTER_KEY].map((key) =>
      Buffer.from(key ?? "").toString("hex"),
    );
    expect(new Set([...passwords, ...keys].filter((secret) => secret.length >= 43)).size).toBe(4);
  });

  test("has mail settings that are accepted", () => {
    expect(readVariables(parseEnv(blockWith("SMTP_URL=")))).toMatchObject({ MAIL_FROM: "no-reply@example.com" });
  });

  test("nginx passes each host of the settings to the port of its process", () => {
    const { variables } = writeSettings();
    const nginx = readFileSync("docs/runbooks/nginx.conf", "utf8");
    const upstreamOf = (url: string | undefined): string => {
      const host = new URL(url ?? "").hostname.replaceAll(".", "\\.");
      return new RegExp(`^ {2}${host} (\\w+);$`, "m").exec(nginx)?.[1] ?? "paygrant";
    };
    const portOf = (upstream: string): number =>
      Number(new RegExp(`^upstream ${upstream} \\{[^}]*server 127\\.0\\.0\\.1:(\\d+)`, "m").exec(nginx)?.[1]);
    const ports = [variables.BASE_URL, variables.SANDBOX_URL, variables.STATUS_URL].map(upstreamOf).map(portOf);
    expect(ports).toEqual([variables.PORT, variables.SANDBOX_PORT, variables.STATUS_PORT]);
    for (const [, names = ""] of nginx.matchAll(/server_name ([^;]+);/g)) {
      expect(names.split(" ").map((name) => `https://${name}`)).toEqual([
        variables.BASE_URL,
        variables.SANDBOX_URL,
        variables.STATUS_URL,
      ]);
    }
  });

  test("the service and the cron file use the user and the folder of the guide", () => {
    const service = readFileSync("docs/runbooks/paygrant.service", "utf8");
    const cron = readFileSync("docs/runbooks/paygrant.cron", "utf8");
    expect(guide).toMatch(/useradd .* paygrant$/m);
    expect(guide).toMatch(/git clone \S+ \/opt\/paygrant$/m);
    expect(service).toMatch(/^User=paygrant\nWorkingDirectory=\/opt\/paygrant\nExecStart=\/usr\/bin\/npm start$/m);
    const [, folder = ""] = /^install -d .* (\/\S+)$/m.exec(blockWith("install -d")) ?? [];
    expect(cron).toContain(`paygrant cd /opt/paygrant && npm run --silent backup -- ${folder}/`);
  });
});
