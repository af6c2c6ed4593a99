import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { relocateChunks } from "./relocate-chunks.ts";

let root: string;
let file: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "paygrant-chunks-"));
  file = path.join(root, ".next/static/chunks/turbopack-1a.js");
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(
    file,
    'base = typeof TURBOPACK_CHUNK_BASE_PATH === "string" ? TURBOPACK_CHUNK_BASE_PATH : "/_next/";',
  );
});

afterEach(() => rm(root, { recursive: true }));

/** @returns the base URL from which the runtime loads further scripts. */
const baseAt = async (src: string): Promise<unknown> => {
  const context: Record<string, unknown> = { document: { currentScript: { getAttribute: () => src } } };
  context["self"] = context;
  runInNewContext(await readFile(file, "utf8"), context);
  return context["base"];
};

test("scripts are loaded from the host of the runtime (docs/spec/assets.md, Files of the pages)", async () => {
  await relocateChunks(root);
  const built = await readFile(file);
  await relocateChunks(root);
  expect(await readFile(file)).toEqual(built);
  expect(await baseAt("/_next/static/chunks/turbopack-1a.js")).toBe("/_next/");
  expect(await baseAt("https://cdn.example/a/_next/static/chunks/turbopack-1a.js")).toBe(
    "https://cdn.example/a/_next/",
  );
});

test("a runtime without the setting fails the build", async () => {
  await writeFile(file, 'base = "/_next/";');
  await expect(relocateChunks(root)).rejects.toThrow("doesn't read TURBOPACK_CHUNK_BASE_PATH");
  await rm(file);
  await expect(relocateChunks(root)).rejects.toThrow("No runtime of Turbopack");
});
