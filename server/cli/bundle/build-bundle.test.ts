import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Bundle, readBundle } from "../../assets/bundle.ts";
import { assertBudgets, buildBundle } from "./build-bundle.ts";

const root = path.resolve(import.meta.dirname, "../../..");
let folder: string;
let target: string;
let bundle: Bundle;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "bundle-"));
  target = path.join(folder, "cdn");
  await buildBundle(root, target);
  bundle = await readBundle(target);
});
afterAll(() => rm(folder, { recursive: true }));

describe("the asset bundle (docs/spec/assets.md, Files)", () => {
  test("names each file with its paths, sizes and integrity value", async () => {
    const { files } = bundle.manifest;
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) {
      const bytes = await readFile(path.join(target, `${file.path}.identity`));
      const [, base, hash, extension] = /^assets\/(.+)\.([\da-f]{16})(\.\w+)$/.exec(file.path) ?? [];
      expect(file).toMatchObject({ name: `${base}${extension}`, alias: `v1/${file.name}`, bytes: bytes.byteLength });
      expect(createHash("sha256").update(bytes).digest("hex").slice(0, 16)).toBe(hash);
      expect(`sha384-${createHash("sha384").update(bytes).digest("base64")}`).toBe(file.integrity);
      expect(bundle.byAlias.get(file.name)).toBe(bundle.byPath.get(file.path.replace(/^assets\//, "")));
    }
  });

  test("has compressed copies of each file; the server uses a copy only if the copy is smaller than the file", () => {
    for (const { name, bytes, gzip_bytes: gzipped, br_bytes: br } of bundle.manifest.files) {
      const file = bundle.byAlias.get(name);
      expect([file?.gzip?.byteLength ?? bytes, file?.br?.byteLength ?? bytes]).toEqual([gzipped, br]);
      if (file?.gzip) expect(gunzipSync(file.gzip).equals(file.plain)).toBe(true);
      if (file?.br) expect(brotliDecompressSync(file.br).equals(file.plain)).toBe(true);
    }
    expect(bundle.byAlias.get("inter.woff2")).toMatchObject({ type: "font/woff2", gzip: null, br: null });
    expect(bundle.byAlias.get("icon.svg")?.br).not.toBeNull();
  });

  test("is the same when it is built again, and the build leaves no other folder", async () => {
    const before = await readFile(path.join(target, "manifest.json.identity"), "utf8");
    await buildBundle(root, target);
    expect(await readFile(path.join(target, "manifest.json.identity"), "utf8")).toBe(before);
    expect(await readdir(folder)).toEqual(["cdn"]);
  });

  test("is refused if a file is above its budget or has no budget", () => {
    const file = (name: string, bytes: number) => ({ name, gzip_bytes: bytes, br_bytes: bytes - 1 });
    expect(() => assertBudgets([file("a.svg", 6_000)])).not.toThrow();
    expect(() => assertBudgets([file("a.svg", 6_001)])).toThrow("a.svg has 6001 bytes; its budget is 6000.");
    expect(() => assertBudgets([file("a.exe", 1)])).toThrow("its budget is 0");
  });
});
