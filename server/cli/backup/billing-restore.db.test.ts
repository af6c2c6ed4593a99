import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { onServer } from "#e2e/support/test-database.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { createCreditNote } from "../../billing/invoices/transitions/create-credit-note.ts";
import { voidInvoice } from "../../billing/invoices/transitions/void-invoice.ts";
import { recordTestOutage } from "../../billing/sla/record-test-outage.ts";
import {
  applyPlans,
  invoicesOf,
  makeSubscriber,
  reportSms,
  testPlans,
} from "../../billing/subscriptions/subscription.fixture.ts";
import { scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { findInvoiceLineRows } from "../../data/billing/invoices/lines.ts";
import { connectDatabase } from "../../data/client.ts";
import { invariants } from "../../data/invariants/invariants.ts";
import { claimEnvironment } from "../../data/platform/environment.ts";
import { type DumpRecord, dumpDatabase, loadDump } from "../../data/schema/dump.ts";
import { applyMigrations } from "../../data/schema/schema-engine.ts";
import type { PaymentRequest } from "../../deps/processor-port.ts";
import { runDueWork } from "../../sandbox/run-due-work.ts";

const by = { actor: { kind: "operator", id: "acc_1" } as const, requestId: "req_1" };
const target = `restored_${randomBytes(6).toString("hex")}`;
const targetUrl = () => Object.assign(new URL(inject("postgresUrl")), { pathname: target }).toString();

let deps: TestDeps;
let restored: TestDeps;
let paying: string;
let owing: string;

/** Two months of two merchants: paid, void and credited invoices, an SLA credit, and a current period. */
beforeAll(async () => {
  const processor = scriptedProcessor();
  const own = await createTestDeps({ now: new Date("2026-10-01T10:00:00Z"), processors: processor.processors });
  deps = { ...own, config: { ...own.config, simulatorUrl: "http://127.0.0.1:1", simulatorKey: "k" } };
  await claimEnvironment(deps.db, { kind: "sandbox", issuer: deps.config.baseUrl, fingerprint: "f" });
  await applyPlans(deps, testPlans("2026-10-01"));
  [paying, owing] = [await makeSubscriber(deps, "pro"), await makeSubscriber(deps, "minimum")];
  for (const merchantId of [paying, owing]) await reportSms(deps, merchantId, { quantity: 100 });
  const month = { from: new Date("2026-10-01T00:00:00Z"), to: new Date("2026-11-01T00:00:00Z") };
  await recordTestOutage(deps, { component: "billing_engine", month, minutes: 9_000, ...by });
  processor.state.pay = async (request: PaymentRequest) =>
    request.amountMinor === 1_000n
      ? { kind: "declined", processorRef: null, declineCode: "lost_card", retryable: false, advice: "" }
      : { kind: "succeeded", processorRef: `ref_${request.key}` };
  await runDueWork(deps, new Date("2026-12-03T00:00:00Z"));
  deps.clock.set(new Date("2026-12-03T00:00:00Z"));
  const [open] = await invoicesOf(deps, owing);
  await voidInvoice(deps, { invoiceId: open?.id ?? "", reason: "test", ...by });
  const [paid] = await invoicesOf(deps, paying);
  const [line] = await findInvoiceLineRows(deps.db.sql, paid?.id ?? "");
  const lines = [{ lineId: line?.id ?? "", amountMinor: 500n }];
  await createCreditNote(deps, { invoiceId: paid?.id ?? "", lines, reason: "An error", key: "note", ...by });

  const records: DumpRecord[] = [];
  await dumpDatabase(deps.config.databaseUrl, async (record) => void records.push(record));
  await onServer(inject("postgresUrl"), `CREATE DATABASE ${target}`);
  await applyMigrations(
    targetUrl(),
    records.flatMap((record) => (record.kind === "schema" ? record.migrations : [])),
  );
  await loadDump(
    targetUrl(),
    (async function* () {
      yield* records;
    })(),
  );
  restored = { ...deps, db: connectDatabase(targetUrl(), 5) };
});
afterAll(async () => {
  await restored?.db.close();
  await deps?.close();
  await onServer(inject("postgresUrl"), `DROP DATABASE IF EXISTS ${target} WITH (FORCE)`);
});

const tables = async ({ db }: TestDeps) =>
  (
    await db.prisma.$queryRaw<{ name: string }[]>`
      SELECT c.relname::text AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
         AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname LIKE 'billing_%' ORDER BY 1`
  ).map(({ name }) => name);
const rowsOf = ({ db }: TestDeps, table: string) =>
  db.prisma.$queryRawUnsafe<unknown[]>(`SELECT to_jsonb(t) AS row FROM ${table} t ORDER BY to_jsonb(t)::text`);

describe("billing after a restore (docs/spec/operations.md, Backup and restore)", () => {
  test("every row of billing is the same, and every invariant is kept", async () => {
    const filled: string[] = [];
    for (const table of await tables(deps)) {
      const rows = await rowsOf(deps, table);
      expect([table, await rowsOf(restored, table)]).toEqual([table, rows]);
      if (rows.length > 0) filled.push(table);
    }
    expect(filled).toEqual(
      expect.arrayContaining([
        "billing_collection",
        "billing_credit_grant",
        "billing_invoice",
        "billing_invoice_line",
        "billing_ledger_balance",
        "billing_ledger_entry",
        "billing_ledger_transaction",
        "billing_number",
        "billing_payment",
        "billing_period",
        "billing_plan_version",
        "billing_sla_credit",
        "billing_sla_figure",
        "billing_subscription",
      ]),
    );
    for (const { name, find } of invariants) expect([name, await find(restored.db.sql)]).toEqual([name, []]);
  });

  test.each([
    "UPDATE billing_invoice SET total = total + 1 WHERE status = 'paid'",
    "DELETE FROM billing_invoice WHERE status = 'paid'",
    "UPDATE billing_invoice_line SET amount = 0",
    "UPDATE billing_ledger_entry SET amount = amount + 1",
    "DELETE FROM billing_ledger_entry",
    "TRUNCATE billing_ledger_entry",
    'INSERT INTO billing_ledger_entry SELECT (jsonb_populate_record(e, \'{"id":"lent_x"}\')).* FROM billing_ledger_entry e LIMIT 1',
    "UPDATE billing_number SET last = last - 1",
    "UPDATE billing_plan_version SET hash = 'x'",
    "UPDATE billing_sla_credit SET exact = exact / 2",
    'INSERT INTO billing_period SELECT (jsonb_populate_record(p, \'{"kind":"regular"}\')).* FROM billing_period p LIMIT 1',
  ])("triggers and constraints refuse: %s", async (statement) => {
    await expect(restored.db.prisma.$executeRawUnsafe(statement)).rejects.toThrow();
  });

  test("the next month is billed, with the next number", async () => {
    const numbers = async () =>
      (
        await restored.db.prisma.$queryRaw<{ number: string }[]>`
          SELECT number FROM billing_invoice WHERE number LIKE 'TEST-INV-%' ORDER BY number`
      ).map(({ number }) => number);
    const before = await numbers();
    await runDueWork(restored, new Date("2027-01-05T00:00:00Z"));
    const after = await numbers();
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.slice(before.length)).toEqual(["TEST-INV-2027-000001", "TEST-INV-2027-000002"]);
    for (const { name, find } of invariants) expect([name, await find(restored.db.sql)]).toEqual([name, []]);
  });
});
