import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { paymentsAtSimulator, simulatorKey, startSimulatorProcess } from "../../charges/charge/killable.fixture.ts";
import { killAll, startKillableProcess } from "../../charges/charge/killable-process.fixture.ts";
import { findViolations } from "../../data/invariants/invariants.ts";
import { addSeconds, standingAt } from "../../kernel/time/clock.ts";
import { createProcessors } from "../../processors/create-processors.ts";
import { collectDueInvoices } from "../collection/collect-due-invoices.ts";
import { reconcileUsage } from "../meters/reconciliation/reconcile-usage.ts";
import { billDuePeriods } from "../subscriptions/run/bill-due-periods.ts";
import { applyPlans, invoicesOf, makeSubscriber, reportSms, testPlans } from "../subscriptions/subscription.fixture.ts";
import type { BillingWork } from "./billing-process.fixture.ts";

let deps: TestDeps;
let directory: string;
let simulatorUrl: string;
const start = new Date("2026-10-01T10:00:00Z");
const finalAt = "2026-11-02T00:00:00Z";

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "kill-billing-"));
  const simulator = await startSimulatorProcess(0, directory);
  simulatorUrl = `http://127.0.0.1:${simulator.first.port}`;
  const processors = createProcessors({ simulatorUrl, simulatorKey, stripe: null, walletUrl: "" });
  deps = await createTestDeps({ now: start, processors: { get: (name) => processors.get(name) } });
  await applyPlans(deps, testPlans("2026-10-01"));
});
beforeEach(() => deps.clock.set(start));
afterAll(async () => {
  killAll();
  await deps.close();
  await rm(directory, { recursive: true, force: true });
});

type Wanted = Pick<BillingWork, "work" | "at" | "stopAt"> & { merchantIds?: readonly string[] };

/**
 * Starts the work in a separate process, and kills it at the given point.
 * @returns `stoppedAt`: the point at which the work stopped; null if it finished. `changed`: the merchants whose plan
 *   the work had changed by then.
 */
const killDuring = async ({ merchantIds = [], ...wanted }: Wanted) => {
  const changed: string[] = [];
  const work: BillingWork = {
    databaseUrl: deps.config.databaseUrl,
    simulatorUrl,
    simulatorKey,
    merchantIds,
    ...wanted,
  };
  const end = Promise.withResolvers<string | null>();
  const file = path.join(import.meta.dirname, "billing-process.fixture.ts");
  const { kill, ended } = await startKillableProcess(file, [JSON.stringify(work)], (line) => {
    const event = JSON.parse(line) as { stopped?: string; changed?: string };
    if (event.changed) changed.push(event.changed);
    else end.resolve(event.stopped ?? null);
  });
  void ended.then(() => end.reject(new Error("the process ended before it reached the point, and before it finished")));
  const stoppedAt = await end.promise;
  await kill();
  return { stoppedAt, changed };
};

/**
 * Kills the work repeatedly, each time at a later statement, until it finishes.
 * @returns the statements at which it was killed.
 */
const killRepeatedly = async (next: (stopAt: number) => Promise<Awaited<ReturnType<typeof killDuring>>>) => {
  const points: string[] = [];
  for (let stopAt = 20; ; stopAt += 100) {
    const { stoppedAt } = await next(stopAt);
    if (stoppedAt === null) return points;
    points.push(stoppedAt);
  }
};

const makeSubscribers = async (count: number) => {
  const ids: string[] = [];
  for (let quantity = 1; quantity <= count; quantity += 1) {
    const id = await makeSubscriber(deps, "pro");
    await reportSms(deps, id, { quantity });
    ids.push(id);
  }
  return ids;
};

const eventsOf = async (objectId: string) =>
  (await deps.db.prisma.event.findMany({ where: { objectId }, orderBy: { sequence: "asc" } })).map(({ type }) => type);
const periodsOf = (merchantId: string) =>
  deps.db.prisma.$queryRaw<{ plan: string; from: string; to: string; state: string }[]>`
    SELECT p.plan_id AS plan, to_char(p."from", 'MM-DD') AS from, to_char(p."to", 'MM-DD') AS to, p.state
      FROM billing_period p JOIN billing_subscription s ON s.id = p.subscription_id WHERE s.merchant_id = ${merchantId}
     ORDER BY p."from"`;

const expectFinalInvoice = async (merchantId: string, quantity: number) => {
  const invoices = await invoicesOf(deps, merchantId);
  const lines = [
    { kind: "flat", amount: 3100 },
    { kind: "usage", quantity, amount: 2 * quantity },
  ];
  expect(invoices).toMatchObject([{ status: "open", total: BigInt(3100 + 2 * quantity), lines }]);
  expect(await eventsOf(invoices[0]?.id ?? "")).toEqual(["invoice.finalized"]);
  expect(await periodsOf(merchantId)).toEqual([
    { plan: "pro", from: "10-01", to: "11-01", state: "final" },
    { plan: "pro", from: "11-01", to: "12-01", state: "open" },
  ]);
  return invoices[0]?.number;
};

describe("killed processes", () => {
  test("SIGKILL during the billing run: a rerun resumes it without a duplicate invoice or a missing number (docs/spec/billing.md, The billing run)", async () => {
    const merchants = await makeSubscribers(16);
    await reconcileUsage({ ...deps, businessClock: standingAt(new Date(finalAt)) }, { maxDays: 31 });
    const points = await killRepeatedly((stopAt) => killDuring({ work: "run", at: finalAt, stopAt }));
    expect(points.length).toBeGreaterThan(3);
    deps.clock.set(new Date(finalAt));
    expect(await billDuePeriods(deps, { limit: 100 })).toBe(0);
    const numbers: (string | null | undefined)[] = [];
    for (const [index, id] of merchants.entries()) numbers.push(await expectFinalInvoice(id, index + 1));
    const expected = merchants.map((_, index) => `TEST-INV-2026-${String(index + 1).padStart(6, "0")}`);
    expect(numbers.toSorted()).toEqual(expected);
    expect(await findViolations(deps.db.sql)).toEqual([]);
  });

  test("SIGKILL before or after the call to the processor: each invoice is paid once (docs/spec/billing.md, Collection)", async () => {
    const points: (string | null)[] = [];
    for (const stopAt of ["after_call", "before_call", 25, 60] as const) {
      points.push((await killDuring({ work: "collect", at: finalAt, stopAt })).stoppedAt);
    }
    expect(points).not.toContain(null);
    const unresolved = await deps.db.prisma.$queryRaw<object[]>`SELECT FROM billing_payment WHERE state = 'pending'`;
    // Each of the first two processes was killed after at least one of its four lanes had reached the call.
    expect(unresolved.length).toBeGreaterThanOrEqual(2);
    // Look-ups are scheduled in real time. Two look-ups, 60 s apart, find nothing. Then a new attempt starts.
    for (const seconds of [40, 110, 180, 250, 320]) {
      const later = { now: () => addSeconds(new Date(), seconds) };
      await collectDueInvoices({ ...deps, clock: later, businessClock: standingAt(new Date(finalAt)) }, { limit: 100 });
    }
    const invoices = await deps.db.prisma.$queryRaw<{ id: string; status: string; total: bigint }[]>`
      SELECT id, status, total FROM billing_invoice ORDER BY total`;
    expect(invoices.map(({ status }) => status)).toEqual(invoices.map(() => "paid"));
    const moved = await paymentsAtSimulator(simulatorUrl, "acct_billing");
    expect(moved.map(({ amount }) => amount).toSorted()).toEqual(invoices.map(({ total }) => Number(total)));
    for (const { id } of invoices) expect(await eventsOf(id)).toEqual(["invoice.finalized", "invoice.paid"]);
    expect(await findViolations(deps.db.sql)).toEqual([]);
  });

  test("SIGKILL during a plan change: the change is complete or has no effect (docs/spec/billing.md, Plan changes)", async () => {
    const merchants = await makeSubscribers(8);
    const at = "2026-10-15T12:00:00Z";
    const acknowledged: string[] = [];
    const isChanged = async (id: string) => {
      const [first, ...rest] = await periodsOf(id);
      if (rest.length === 0) {
        expect([first, await invoicesOf(deps, id)]).toEqual([
          { plan: "pro", from: "10-01", to: "11-01", state: "open" },
          [],
        ]);
        return false;
      }
      expect([first, ...rest]).toEqual([
        { plan: "pro", from: "10-01", to: "10-15", state: "draft" },
        { plan: "scale", from: "10-15", to: "11-01", state: "open" },
      ]);
      expect(await invoicesOf(deps, id)).toMatchObject([
        { status: "draft", lines: [{ kind: "flat", amount: 1400 }, {}] },
      ]);
      const actions = await deps.db.prisma.$queryRaw`
        SELECT FROM audit_entry WHERE subject_id = ${id} AND action = 'subscription.changed'`;
      expect(actions).toHaveLength(1);
      return true;
    };
    const points = await killRepeatedly(async (stopAt) => {
      const left: string[] = [];
      for (const id of merchants) if (!(await isChanged(id))) left.push(id);
      expect(left.filter((id) => acknowledged.includes(id))).toEqual([]);
      const killed = await killDuring({ work: "change", at, stopAt, merchantIds: left });
      acknowledged.push(...killed.changed);
      return killed;
    });
    expect(points.length).toBeGreaterThan(1);
    for (const id of merchants) expect(await isChanged(id)).toBe(true);
    deps.clock.set(new Date(finalAt));
    await billDuePeriods(deps, { limit: 100 });
    expect(await findViolations(deps.db.sql)).toEqual([]);
  });
});
