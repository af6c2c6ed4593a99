import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");

/** Features whose state a pooler in transaction mode doesn't keep between two transactions. */
const features: readonly (readonly [string, RegExp])[] = [
  ["LISTEN", /["'`]\s*(?:UN)?LISTEN\b/],
  ["a session lock", /pg_(?:try_)?advisory_(?:lock|unlock)/],
  ["a session setting", /(?:["'`]|;\s*)SET (?!LOCAL |TRANSACTION |CONSTRAINTS )[A-Za-z_. ]+ *(?:=|TO )/],
  ["a cursor outside a transaction", /\bWITH HOLD\b/],
  ["a temporary table outside a transaction", /\bTEMP(?:ORARY)? TABLE\b(?![^;`"]*ON COMMIT DROP)/],
  ["PREPARE", /["'`;]\s*(?:PREPARE|DEALLOCATE|DISCARD)\b/],
];

/** This file may use such a feature: its connections use DATABASE_DIRECT_URL. */
const direct = "server/data/schema/schema-engine.ts";

test("processes use no feature that needs a session (docs/runbooks/several-web-nodes.md, Connection poolers)", async () => {
  const found: string[] = [];
  for await (const file of glob("server/**/*.ts", { cwd: root })) {
    if (/\.test\.ts$|\.fixture\.ts$|\/generated\//.test(file)) continue;
    const text = await readFile(path.join(root, file), "utf8");
    for (const [name, pattern] of features) if (pattern.test(text)) found.push(`${file}: ${name}`);
  }
  expect(found).toEqual([`${direct}: a session setting`]);
});
