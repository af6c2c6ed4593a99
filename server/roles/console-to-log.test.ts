import { spawn } from "node:child_process";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

const script = `
  const { createLog } = await import(${JSON.stringify(path.resolve(import.meta.dirname, "../platform/log.ts"))});
  const { sendConsoleToLog } = await import(${JSON.stringify(path.join(import.meta.dirname, "console-to-log.ts"))});
  sendConsoleToLog(createLog({ role: "web" }, "debug"));
  console.log("started %s in %d ms", "all", 3);
  console.error(new Error("a page failed"), { digest: "1" });
  console.error(Object.assign(new Error("terminating connection"), { code: "57P01" }));
  console.error("\\u001b[31m ⨯ \\u001b[39m", "two\\nlines");
  console.warn();
  process.emitWarning("too many listeners");
  // Lines are written together, a quarter of a second late.
  setTimeout(() => {}, 600);
`;

test("console output of libraries and of Node becomes JSON lines of the log (docs/spec/operations.md, Logs)", async () => {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script]);
  const [output, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(complaint).toBe("");
  const lines = output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { level: "debug", role: "web", msg: "started all in 3 ms" },
    { level: "error", err: { message: "a page failed" }, msg: "{ digest: '1' }" },
    { level: "warn", err: { message: "terminating connection" }, msg: "printed without text" },
    { level: "error", msg: "⨯  two\nlines" },
    { level: "warn", msg: "printed without text" },
    { level: "warn", err: { message: "too many listeners" }, msg: "process warning" },
  ]);
});
