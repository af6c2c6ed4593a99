import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { fillDemo } from "../../prisma/seed/seed-demo.ts";
import { readUsage } from "../billing/meters/read-usage.ts";
import { isReconciled } from "../data/billing/meters/reconciled-periods.ts";
import { invariants } from "../data/invariants/invariants.ts";
import { addSeconds } from "../kernel/time/clock.ts";
import { createProcessors } from "../processors/create-processors.ts";
import { type Simulator, startSimulator } from "../processors/simulator/server/server.ts";
import { runDueWork } from "../sandbox/run-due-work.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {}, request() {} };
const day = 24 * 3600;

let directory: string;
let simulator: Simulator;
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), "paygrant-seed-"));
  const common = { dataDirectory: directory, key: "key", webhookUrl: null, log: silent };
  simulator = await startSimulator({ port: 0, ...common, latency: [0, 1] });
});
afterAll(async () => {
  await simulator.close();
  await rm(directory, { recursive: true, force: true });
});

const seeded = async (environment: "production" | "sandbox", now: Date): Promise<TestDeps> => {
  const config = { environment, simulatorUrl: `http://127.0.0.1:${simulator.port}`, simulatorKey: "key" };
  const processors = createProcessors({ ...config, stripe: null, walletUrl: "http://localhost:3001" });
  const deps = await createTestDeps({ config, processors, now });
  await fillDemo(deps);
  return deps;
};

type Row = { status: string; number: string; tax: bigint; paid: bigint; due: bigint; kinds: string[]; events: bigint };

test.each([
  ["production", "2026-11-26T10:00:00Z", "INV-2026-000001"],
  // The second period begins at the end of February.
  ["sandbox", "2027-03-29T23:30:00Z", "TEST-INV-2027-000001"],
] as const)(
  "the demo's merchant of the %s has a plan, usage, a paid invoice and a current period (docs/spec/operations.md, Demo data)",
  async (environment, now, number) => {
    const deps = await seeded(environment, new Date(now));
    try {
      const [merchant] = await deps.db.prisma.merchant.findMany({ where: { displayName: "Fresh Market" } });
      const merchantId = merchant?.id ?? "";
      const invoices = await deps.db.prisma.$queryRaw<Row[]>`
      SELECT status, number, tax, amount_paid AS paid, amount_due AS due,
             (SELECT array_agg(kind ORDER BY position) FROM billing_invoice_line WHERE invoice_id = i.id) AS kinds,
             (SELECT sum(event_count)::bigint FROM billing_invoice_line WHERE invoice_id = i.id) AS events
        FROM billing_invoice i WHERE merchant_id = ${merchantId}`;
      expect(invoices).toMatchObject([{ status: "paid", number, due: 0n }]);
      expect(invoices[0]?.kinds).toEqual(["flat", "usage", "usage", "usage", "usage", "true_up"]);
      expect(Number(invoices[0]?.events)).toBeGreaterThan(100);
      expect(Number(invoices[0]?.tax)).toBeGreaterThan(0);
      const periods = await deps.db.prisma.$queryRaw<{ state: string; from: Date; to: Date }[]>`
      SELECT p.state, p."from", p."to" FROM billing_period p JOIN billing_subscription s ON s.id = p.subscription_id
       WHERE s.merchant_id = ${merchantId} AND s.status = 'active' ORDER BY 2`;
      expect(periods).toMatchObject([{ state: "final" }, { state: "open" }]);
      const [ended, running] = periods;
      expect(running?.to.getTime()).toBeGreaterThan(new Date(now).getTime());
      expect(ended && (await isReconciled(deps.db.sql, { merchantId, period: ended }))).toBe(true);
      const month = { from: addSeconds(deps.clock.now(), -30 * day), to: deps.clock.now() };
      const usage = await readUsage(deps, { merchantId, meter: null, ...month });
      expect(usage.verifications).toBeGreaterThan(200);
      expect(ended?.to).toEqual(running?.from);
      const changes = await deps.db.prisma.$queryRaw<{ at: Date }[]>`
        SELECT changed_at AS at FROM participant_version`;
      expect(new Set(changes.map(({ at }) => at.getTime()))).toEqual(new Set([new Date(now).getTime()]));
      for (const { name, find } of invariants) expect([name, await find(deps.db.sql)]).toEqual([name, []]);
      // The current period continues to be billed.
      const end = addSeconds(running?.to ?? month.to, 2 * day);
      deps.clock.set(end);
      await runDueWork(deps, end);
      const later = await deps.db.prisma.$queryRaw<{ status: string }[]>`
      SELECT status FROM billing_invoice WHERE merchant_id = ${merchantId} ORDER BY period_from`;
      expect(later).toEqual([{ status: "paid" }, { status: "paid" }]);
    } finally {
      await deps.close();
    }
  },
);
