import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { formatFigures, measureCode } from "./code-figures.ts";

test("lists each place above its limit; tests are exempt from some limits", () => {
  const root = mkdtempSync(path.join(os.tmpdir(), "paygrant-limits-"));
  try {
    for (const area of ["server", "components", "app", "e2e", "prisma", "packages"]) mkdirSync(path.join(root, area));
    const text = `export const join = (a: string, b: string, c: string, d: string) => a + b + c + d;\n`;
    for (let number = 0; number < 16; number += 1) writeFileSync(path.join(root, `server/file-${number}.ts`), "\n");
    for (const file of ["e2e/one.ts", "e2e/two.ts", "e2e/three.test.ts"]) {
      writeFileSync(path.join(root, file), text + "\n".repeat(300) + text.replace("join", "joinAll"));
    }
    expect(measureCode(root).map(({ rule, offenders }) => [rule, offenders])).toEqual([
      ["files per folder, besides tests", ["server: 16"]],
      ["lines per file", ["e2e/one.ts: 302", "e2e/two.ts: 302"]],
      ["lines per function", []],
      [
        "positional parameters",
        ["one.ts", "three.test.ts", "two.ts"].flatMap((file) => [
          `e2e/${file}:1 join: 4`,
          `e2e/${file}:302 joinAll: 4`,
        ]),
      ],
      ["spread literals", []],
      [
        "exported functions of one name",
        ["join in e2e: e2e/one.ts, e2e/two.ts", "joinAll in e2e: e2e/one.ts, e2e/two.ts"],
      ],
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test("prints a line per rule, and each place above its limit", () => {
  const text = formatFigures([
    { rule: "lines", limit: 60, largest: 75, offenders: ["a.ts:3 run: 75"] },
    { rule: "names", limit: 0, largest: 0, offenders: [] },
  ]);
  expect(text.split("\n")).toEqual([
    "lines  limit  60  largest   75",
    "  a.ts:3 run: 75",
    "names  limit   0  largest    0",
  ]);
});
