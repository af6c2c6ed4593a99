import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";

/** Where `deps.reads` is called. */
const definition = "server/data/replica/for-reading.ts";

const root = path.resolve(import.meta.dirname, "../../..");

/** Lists, exports and searches. Nothing is decided there about money, tokens or revocation. */
const readers = [
  "app/(public)/directory/page.tsx",
  "server/endpoints/directory/participants.ts",
  "server/endpoints/merchants/export-ledger.ts",
  "server/endpoints/merchants/export-payments.ts",
  "server/endpoints/wallet/export-activity.ts",
  "server/trpc/context.ts",
];

/** Lists and charts, by the file of their procedure. */
const procedures = {
  "merchant/audit/merchant-audit.ts": ["list"],
  "merchant/billing/ledger/merchant-ledger.ts": ["credits", "statement"],
  "merchant/billing/merchant-billing.ts": ["plan", "invoices", "lineEvents"],
  "merchant/billing/usage/merchant-usage.ts": ["windows", "events"],
  "merchant/disputes.ts": ["list"],
  "merchant/logs.ts": ["list"],
  "merchant/mandates/mandates.ts": ["list"],
  "merchant/payments.ts": ["overview", "list"],
  "merchant/webhooks.ts": ["deliveries"],
  "operator/billing/operator-invoices.ts": ["list", "lineEvents"],
  "operator/billing/operator-revenue.ts": ["overview"],
  "operator/charges/operator-charges.ts": ["list"],
  "operator/charges/operator-disputes.ts": ["list"],
  "operator/clients/operator-clients.ts": ["list"],
  "operator/operator-mandates.ts": ["list"],
  "operator/operator-merchants.ts": ["list"],
  "operator/operator.ts": ["outbox", "searchAudit"],
  "operator/payers/operator-payers.ts": ["list"],
  "wallet/activity.ts": ["activity", "activityEntries", "activityChoices", "spend", "activityFingerprint"],
};

const sources = async function* () {
  for await (const file of glob(["app/**/*.{ts,tsx}", "server/**/*.ts"], { cwd: root })) {
    if (/\.test\.ts$|\.fixture\.ts$|\/generated\//.test(file)) continue;
    yield { file, text: await readFile(path.join(root, file), "utf8") };
  }
};

test("only lists, exports and searches read a replica (docs/spec/operations.md, Reads from a replica)", async () => {
  const [found, direct]: [string[], string[]] = [[], []];
  for await (const { file, text } of sources()) {
    if (text.includes("forReading(") && file !== definition) found.push(file);
    if (/\.reads\(/.test(text)) direct.push(file);
  }
  expect(found.toSorted()).toEqual(readers);
  expect(direct).toEqual([definition]);
});

test("only these procedures read a replica, and none of them changes anything", async () => {
  const found: Record<string, string[]> = {};
  for await (const { file, text } of sources()) {
    for (const [, name = "", rest = ""] of text.matchAll(
      /\n {2}(\w+): \w+Procedure\([^)]*\)\s*\.use\(readsReplica\)([\s\S]*?\.(?:query|mutation|subscription)\()/g,
    )) {
      const place = file.replace("server/trpc/", "");
      found[place] = [...(found[place] ?? []), name];
      expect(rest, `${file}: ${name}`).toMatch(/\.query\($/);
    }
    const uses = text.match(/\.use\(readsReplica\)/g)?.length ?? 0;
    expect(found[file.replace("server/trpc/", "")]?.length ?? 0, file).toBe(uses);
  }
  expect(found).toEqual(procedures);
});
