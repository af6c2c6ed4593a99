import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

const read = (name: string) => readFileSync(path.join(import.meta.dirname, name), "utf8");

/** The modules that a test file's titles name: the part of each title before the colon. */
const namedIn = (file: string): string[] =>
  [...read(file).matchAll(/"([a-zA-Z0-9_-]+-[a-zA-Z0-9_-]+): /g)].map(([, module]) => module ?? "");

const rows = [...read("README.md").matchAll(/^\| ([\w-]+) \| (.+) \|$/gm)]
  .map(([, module = "", place = ""]) => ({ module, file: /^\[.*\]\((.+\.test\.ts)\)$/.exec(place)?.[1] ?? null }))
  .filter(({ module }) => module !== "module" && module !== "---");
const applicable = rows.filter(({ file }) => file !== null);

describe("the table of FAPI 2.0 modules matches the tests", () => {
  test("lists each of the plan's 62 modules once, 50 of which apply to plain OAuth with private_key_jwt and DPoP", () => {
    expect(new Set(rows.map(({ module }) => module)).size).toBe(62);
    expect(applicable).toHaveLength(50);
  });

  test.each(applicable)("$file has a test named $module", ({ module, file }) => {
    expect(namedIn(file ?? "")).toContain(module);
  });

  test("no test names a module that is missing from the table", () => {
    const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".test.ts"));
    const known = applicable.map(({ module }) => module);
    expect(files.flatMap(namedIn).filter((module) => !known.includes(module))).toEqual([]);
  });
});
