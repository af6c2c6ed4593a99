import path from "node:path";
import pg from "pg";
import type { BillingWork } from "#server/billing/kill/billing-process.fixture.ts";
import { reconcileUsage } from "#server/billing/meters/reconciliation/reconcile-usage.ts";
import { billDuePeriods } from "#server/billing/subscriptions/run/bill-due-periods.ts";
import { startKillableProcess } from "#server/charges/charge/killable-process.fixture.ts";
import { applyMigrations } from "#server/data/schema/schema-engine.ts";
import type { Deps } from "#server/deps/deps.ts";
import { standingAt } from "#server/kernel/time/clock.ts";
import { type Figure, secondsSince } from "./figure.ts";
import { fillCalls, fillCharges, fillOwnEvents, fillSubscribers, fillVerifications } from "./fill.ts";
import { benchPlan, makeBenchDeps, ownMeters } from "./plan.ts";

const million = 1_000_000;
const invoiceSeconds = 10;
const merchants = 10_000;
const runSeconds = 600;
/** Each merchant has this many events of its own meters, and the same number of tokens, verifications and charges. */
const eventsOfEach = 10;
/** The first process is killed after this many statements in transactions, about a third of the run. */
const killAfterStatements = 200_000;

const thisMonth = () => {
  const now = new Date();
  const start = (offset: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset));
  return { from: start(0), to: start(1) };
};
/** The time of the run. It is after the grace period, so that one run closes and finalizes each period. */
const finalAt = () => new Date(thisMonth().to.getTime() + 24 * 3_600_000);

const connect = async (databaseUrl: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return client;
};

/** Compares the days of the month with their sources, as the daily job does. @returns seconds. */
const reconcile = async (deps: Deps): Promise<number> => {
  const startedAt = performance.now();
  await reconcileUsage({ ...deps, businessClock: standingAt(finalAt()) });
  return secondsSince(startedAt);
};

/** The draft and the final invoice of one merchant with a million events, one after the other. */
export const measureLargeInvoice = async (databaseUrl: string): Promise<Figure[]> => {
  await applyMigrations(databaseUrl);
  const deps = await makeBenchDeps(databaseUrl);
  const client = await connect(databaseUrl);
  const span = thisMonth();
  const subscriber = await fillSubscribers(client, { ...span, prefix: "mch_large", count: 1, plan: benchPlan });
  await fillOwnEvents(client, { ...span, merchants: subscriber, count: million, meters: ownMeters });
  await client.query("VACUUM ANALYZE");
  await reconcile(deps);
  const at = { ...deps, businessClock: standingAt(finalAt()) };
  const seconds: number[] = [];
  for (const _ of ["draft", "final"]) {
    const startedAt = performance.now();
    await billDuePeriods(at, { limit: 1 });
    seconds.push(secondsSince(startedAt));
  }
  const { rows } = await client.query(
    `SELECT sum(l.event_count)::int AS events FROM billing_invoice i JOIN billing_invoice_line l ON l.invoice_id = i.id WHERE i.number IS NOT NULL`,
  );
  await client.end();
  await deps.db.close();
  return [
    {
      title: `an invoice over a million events (at most ${invoiceSeconds} s)`,
      result: `draft ${seconds[0]?.toFixed(1)} s, final ${seconds[1]?.toFixed(1)} s`,
      isReached: rows[0]?.events === million && seconds.every((one) => one <= invoiceSeconds),
    },
  ];
};

/** Runs the billing of all due periods in a separate process. @param stopAt the process is killed at this statement. */
const runBilling = async (databaseUrl: string, stopAt: number): Promise<void> => {
  const work: BillingWork = {
    databaseUrl,
    simulatorUrl: "http://127.0.0.1:1",
    simulatorKey: "bench",
    at: finalAt().toISOString(),
    work: "run",
    stopAt,
    merchantIds: [],
  };
  const file = path.resolve(import.meta.dirname, "../../../server/billing/kill/billing-process.fixture.ts");
  const end = Promise.withResolvers<void>();
  const { kill, ended } = await startKillableProcess(file, [JSON.stringify(work)], () => end.resolve());
  void ended.then(() => end.reject(new Error("the billing process ended before it reported")));
  await end.promise;
  await kill();
};

/** The monthly run of all merchants by one process, which is killed once, so that another one resumes. */
export const measureMonthlyRun = async (databaseUrl: string): Promise<Figure[]> => {
  const client = await connect(databaseUrl);
  const span = thisMonth();
  const all = await fillSubscribers(client, { ...span, prefix: "mch_run", count: merchants, plan: benchPlan });
  const each = { ...span, merchants: all, count: eventsOfEach };
  await fillOwnEvents(client, { ...each, meters: ownMeters });
  await fillCalls(client, { ...each, meter: "tokens_issued" });
  await fillVerifications(client, each);
  await fillCharges(client, each);
  await client.query("VACUUM ANALYZE");
  const deps = await makeBenchDeps(databaseUrl);
  const reconciliationSeconds = await reconcile(deps);
  await deps.db.close();
  const startedAt = performance.now();
  await runBilling(databaseUrl, killAfterStatements);
  const before = await countFinal(client);
  await runBilling(databaseUrl, Number.MAX_SAFE_INTEGER);
  const seconds = secondsSince(startedAt);
  const after = await countFinal(client);
  await client.end();
  return [
    {
      title: `the monthly run of ${merchants.toLocaleString("en-GB")} merchants (at most ${runSeconds / 60} minutes)`,
      result: `${seconds.toFixed(0)} s, killed after ${before.steps} of ${2 * merchants} steps and resumed; reconciling the days of the month beforehand took ${reconciliationSeconds.toFixed(0)} s`,
      isReached: after.invoices === merchants && after.numbers === after.last && seconds <= runSeconds,
    },
  ];
};

const countFinal = async (client: pg.Client) => {
  const { rows } = await client.query<{ steps: number; invoices: number; numbers: number; last: number }>(
    `SELECT count(*) FILTER (WHERE merchant_id LIKE 'mch_run%')::int AS invoices, count(DISTINCT number)::int AS numbers,
            (SELECT sum(CASE state WHEN 'draft' THEN 1 WHEN 'final' THEN 2 ELSE 0 END) FROM billing_period p WHERE subscription_id LIKE 'bsub_mch_run%')::int AS steps,
            (SELECT max(last) FROM billing_number)::int AS last FROM billing_invoice WHERE number IS NOT NULL`,
  );
  return rows[0] ?? { steps: 0, invoices: 0, numbers: 0, last: 0 };
};
