import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");

test("prisma/schema is formatted: run `npx prisma format`", async () => {
  const env = { ...process.env, CHECKPOINT_DISABLE: "1" };
  const args = ["node_modules/prisma/build/index.js", "format", "--check"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
  expect(stdout).toContain("All files are formatted correctly!");
});
