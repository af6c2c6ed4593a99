import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { compressBuild } from "./compress-build.ts";
import { assertRouteBudget, formatRoutes, measureRoutes } from "./route-scripts.ts";

const root = mkdtempSync(path.join(tmpdir(), "routes-"));
afterAll(() => rmSync(root, { recursive: true }));

test("a route above 170 kB is refused, with its largest files (docs/spec/portal.md, Pages)", async () => {
  for (const folder of [".next/static/chunks", ".next/diagnostics"])
    mkdirSync(path.join(root, folder), { recursive: true });
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000)));
  for (const name of ["a", "b", "c"]) {
    const content = Buffer.concat([random, crypto.getRandomValues(new Uint8Array(1000))]);
    writeFileSync(path.join(root, `.next/static/chunks/${name}.js`), content);
  }
  const file = (name: string) => `.next/static/chunks/${name}.js`;
  writeFileSync(
    path.join(root, ".next/diagnostics/route-bundle-stats.json"),
    JSON.stringify([
      { route: "/small", firstLoadChunkPaths: [file("a")] },
      { route: "/large", firstLoadChunkPaths: ["a", "b", "c"].map(file) },
    ]),
  );
  await compressBuild(root);
  const routes = await measureRoutes(root);
  expect(routes.map(({ route }) => route)).toEqual(["/large", "/small"]);
  expect(formatRoutes(routes)).toMatch(/18\d\.\d kB {2}\/large\n +61\.\d kB {2}\/small$/);
  expect(() => assertRouteBudget(routes)).toThrow(
    /^A route may have at most 170\.0 kB .*\n\/large has 18\d\.\d kB .*a\.js 61/,
  );
  expect(() => assertRouteBudget(routes.slice(1))).not.toThrow();
});
