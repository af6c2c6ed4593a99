import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");

/** Lists, exports and searches. Nothing is decided there about money, tokens or revocation. */
const readers = [
  "app/(public)/directory/page.tsx",
  "server/endpoints/directory/participants.ts",
  "server/endpoints/merchants/export-ledger.ts",
  "server/endpoints/merchants/export-payments.ts",
  "server/endpoints/wallet/export-activity.ts",
  "server/trpc/init.ts",
];

const sources = async function* () {
  for await (const file of glob(["app/**/*.{ts,tsx}", "server/**/*.ts"], { cwd: root })) {
    if (/\.test\.ts$|\.fixture\.ts$|\/generated\//.test(file)) continue;
    yield { file, text: await readFile(path.join(root, file), "utf8") };
  }
};

test("only lists, exports and searches read a replica (docs/spec/operations.md, Reads from a replica)", async () => {
  const found: string[] = [];
  for await (const { file, text } of sources()) if (/\.reads\b/.test(text)) found.push(file);
  expect(found.toSorted()).toEqual(readers);
});

test("no procedure that changes something reads a replica", async () => {
  let count = 0;
  for await (const { file, text } of sources()) {
    for (const [, procedure = ""] of text.matchAll(
      /\.use\(readsReplica\)([\s\S]*?\.(?:query|mutation|subscription)\()/g,
    )) {
      count += 1;
      expect(procedure, file).toMatch(/\.query\($/);
    }
  }
  expect(count).toBeGreaterThan(20);
});
