import { type ChildProcess, spawn } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testEnvironment } from "#server/cli/checks/test-instance.ts";
import { startSession } from "../support/oauth/consent-driver.ts";
import { waitUntil } from "../support/wait-until.ts";

const root = path.resolve(import.meta.dirname, "../..");
/** The size of the smallest terminal in use. */
const [columns, rows] = [80, 24];
/** In this time, a job that runs each minute runs once, and the probes run thirty times. */
const watchedSeconds = 60;

let environment: NodeJS.ProcessEnv;
let terminal: ChildProcess;
let output = "";
const exited = () => new Promise((resolve) => terminal.once("exit", resolve));

/** script(1) of util-linux runs a program on a separate terminal. */
describe.runIf(process.platform === "linux")(
  "npm start on a terminal (docs/spec/operations.md, Starting and testing)",
  () => {
    beforeAll(async () => {
      environment = await testEnvironment({ STATUS_PROBE_SECONDS: "2", TERM: "xterm" });
      const command = [process.execPath, "--disable-warning=ExperimentalWarning", "server/cli/start.ts"].join(" ");
      const args = ["--quiet", "--return", "--flush", "--command", `exec ${command}`, "/dev/null"];
      terminal = spawn("script", args, { cwd: root, env: environment, stdio: ["ignore", "pipe", "inherit"] });
      terminal.stdout?.on("data", (chunk: Buffer) => {
        output += chunk;
      });
      await waitUntil(async () => /^ready http/m.test(output) || terminal.exitCode !== null, 600);
    });
    afterAll(async () => {
      const pidFile = path.join(environment["DATA_DIR"] ?? "", "supervisor.pid");
      const supervisor = Number(await readFile(pidFile, "utf8").catch(() => 0));
      if (supervisor > 0 && terminal.exitCode === null) {
        const ended = exited();
        process.kill(supervisor, "SIGTERM");
        await ended;
      }
      await rm(environment["DATA_DIR"] ?? "", { recursive: true, force: true });
    });

    test("keeps addresses and sign-ins on the screen, and shows a line for each action of a user", async () => {
      expect(output).toMatch(/^ready http/m);
      await sleep((watchedSeconds * 1000) / 2);
      await startSession(`http://localhost:${environment["SANDBOX_PORT"]}`);
      await sleep((watchedSeconds * 1000) / 2);
      const screen = rowsOf(output).slice(-rows).join("\n");
      for (const port of ["PORT", "SANDBOX_PORT", "STATUS_PORT"])
        expect(screen).toContain(`http://localhost:${environment[port]}`);
      expect(screen).toContain("payer@demo.paygrant.test   password: paygrant-demo");
      expect(screen).toMatch(/sandbox web: signIn 303, [\d.]+ ms/);
    });
  },
);

/** The rows that a text fills on a terminal of `columns` columns. */
const rowsOf = (text: string): string[] =>
  stripVTControlCharacters(text)
    .split(/\r?\n/)
    .flatMap((line) => line.match(new RegExp(`.{1,${columns}}`, "g")) ?? [""]);
