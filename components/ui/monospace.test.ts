import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");

test("every rule with the monospace font switches ligatures off, because they merge characters of code", () => {
  const rules = globSync("{app,components}/**/*.css", { cwd: root }).flatMap((file) =>
    readFileSync(path.join(root, file), "utf8")
      .split("}")
      .filter((rule) => rule.includes("font-family: var(--font-mono)"))
      .map((rule) => ({ file, rule })),
  );
  expect(rules.length).toBeGreaterThan(10);
  expect(rules.filter(({ rule }) => !rule.includes("font-variant-ligatures: none"))).toEqual([]);
});
