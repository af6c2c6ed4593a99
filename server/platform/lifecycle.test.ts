import { fork } from "node:child_process";
import path from "node:path";
import { describe, expect, test } from "vitest";

/** @returns the output of the process. */
const runLate = (startMilliseconds: number, disconnectAt: "once" | "started"): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = fork(path.join(import.meta.dirname, "late-process.fixture.ts"), [String(startMilliseconds)], {
      execArgv: ["--disable-warning=ExperimentalWarning"],
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    let output = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk;
      if (disconnectAt === "started" && output === "started ") child.disconnect();
    });
    child.stdout?.once("end", () => resolve(output));
    child.once("error", reject);
    if (disconnectAt === "once") child.disconnect();
    setTimeout(() => child.kill("SIGKILL"), 20_000).unref();
  });

describe("a process stops when its supervisor is gone", () => {
  test("while the process runs", async () => expect(await runLate(0, "started")).toBe("started stopped"));
  test("while the process starts", async () => expect(await runLate(500, "once")).toContain("stopped"));
});
