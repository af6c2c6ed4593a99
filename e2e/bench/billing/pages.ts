import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { nthBillingPeriod } from "#server/billing/rules/periods/billing-period.ts";
import { makeProcessDeps } from "#server/charges/charge/process-deps.fixture.ts";
import { StartError, step } from "#server/cli/supervisor/steps.ts";
import { compareDays } from "#server/data/billing/meters/reconciliation.ts";
import { measurePage } from "../lists/measure-page.ts";
import type { Figure } from "./figure.ts";
import { fillCalls, fillCharges, fillOwnEvents, fillSubscribers, fillVerifications } from "./fill.ts";
import { benchPlan, makeBenchDeps, ownMeters } from "./plan.ts";

const p95Milliseconds = 150;
const dayMs = 24 * 3_600_000;
/** Events of one merchant: a million in the invoiced period, the others in the current period. */
const events = {
  invoiced: 1_000_000,
  own: 5_000_000,
  tokens_issued: 2_000_000,
  introspections: 1_000_000,
  verified: 1_000_000,
};
const charges = 50_000;

type Service = { baseUrl: string; databaseUrl: string };

/** Reads the pages of a merchant with ten million events, and its lists in the API. */
export const measureDashboards = async (client: pg.Client, { baseUrl, databaseUrl }: Service): Promise<Figure[]> => {
  const merchantId = await step("ten million events", () => fill(client, databaseUrl));
  const cookie = await signIn(client, merchantId);
  const line = await step("its invoice", () => awaitInvoice(client, merchantId));
  await step("daily reconciliation", () => reconcile(databaseUrl));
  const invoice = `/merchant/billing/invoices/${line.invoiceId}`;
  const addresses = [
    "/merchant/billing",
    "/merchant/billing/invoices",
    "/merchant/billing/invoices?status=open",
    invoice,
    `${invoice}/lines/${line.id}`,
    `${invoice}/lines/${line.id}?after=${line.eventId}`,
  ];
  const figures: Figure[] = [];
  for (const address of addresses) {
    const { failed, p50, p95 } = await measurePage(baseUrl + address, { cookie });
    const shown = address.replace(line.invoiceId, "ID").replace(line.id, "LINE").replace(line.eventId, "EVENT");
    figures.push({
      title: `${shown} (p95 at most ${p95Milliseconds} ms)`,
      result: `median ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms${failed > 0 ? `, ${failed} failed` : ""}`,
      isReached: failed === 0 && p95 <= p95Milliseconds,
    });
  }
  return figures;
};

/** Reconciles each of the past 59 days, as the daily job does. */
const reconcile = async (databaseUrl: string): Promise<void> => {
  const { db } = makeProcessDeps({ databaseUrl, simulatorUrl: "http://127.0.0.1:1", simulatorKey: "bench" });
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  for (let day = today - 59 * dayMs; day < today; day += dayMs) {
    await db.sqlTransaction((sql) => compareDays(sql, { from: new Date(day), to: new Date(day + dayMs) }));
  }
  await db.close();
};

const fill = async (client: pg.Client, databaseUrl: string): Promise<string> => {
  await (await makeBenchDeps(databaseUrl)).db.close();
  const anchor = new Date(Date.now() - 58 * dayMs);
  const schedule = { anchorDate: anchor.toISOString().slice(0, 10), interval: "month", timeZone: "UTC" } as const;
  const first = nthBillingPeriod(schedule, 0);
  const now = { from: first.to, to: new Date() };
  // One transaction, so that the worker can't bill the period before all of its events exist.
  await client.query("BEGIN");
  const merchants = await fillSubscribers(client, { ...first, prefix: "mch_events", count: 1, plan: benchPlan });
  await fillOwnEvents(client, { ...first, merchants, count: events.invoiced, meters: ownMeters });
  await fillOwnEvents(client, { ...now, merchants, count: events.own, meters: ownMeters });
  for (const meter of ["tokens_issued", "introspections"] as const) {
    await fillCalls(client, { ...now, merchants, count: events[meter], meter });
  }
  await fillVerifications(client, { ...now, merchants, count: events.verified });
  await fillCharges(client, { ...now, merchants, count: charges });
  await client.query("COMMIT");
  await client.query("VACUUM ANALYZE");
  const { rows } = await client.query<{ id: string }>(merchants);
  return rows[0]?.id ?? "";
};

const signIn = async (client: pg.Client, merchantId: string): Promise<string> => {
  const secret = randomBytes(32).toString("base64url");
  await client.query(
    `INSERT INTO account (id, email, email_verified_at, display_name, created_at) VALUES ('acc_bench', 'bench@example.test', now(), 'Bench', now())`,
  );
  await client.query(
    `INSERT INTO merchant_member (merchant_id, account_id, role, created_at) VALUES ($1, 'acc_bench', 'owner', now())`,
    [merchantId],
  );
  await client.query(
    `INSERT INTO session (id, secret_hash, account_id, created_at, last_seen_at, expires_at, auth_time, acr)
     VALUES ('ses_bench', $1, 'acc_bench', now(), now(), now() + interval '1 hour', now(), 'urn:paygrant:acr:password')`,
    [createHash("sha256").update(secret).digest("base64url")],
  );
  return `__Host-pg_test=${secret}`;
};

type Line = { invoiceId: string; id: string; eventId: string };

/** The service's worker bills the first period. */
const awaitInvoice = async (client: pg.Client, merchantId: string): Promise<Line> => {
  for (const deadline = Date.now() + 300_000; Date.now() < deadline; await sleep(500)) {
    const { rows } = await client.query<Line>(
      `SELECT i.id AS "invoiceId", l.id, e.id AS "eventId" FROM billing_invoice i
         JOIN billing_invoice_line l ON l.invoice_id = i.id AND l.meter = 'own:${ownMeters[0]}', LATERAL (
         SELECT id FROM usage_event e WHERE e.merchant_id = i.merchant_id AND e.meter = '${ownMeters[0]}' AND e.time >= i.period_from + interval '15 days'
          ORDER BY time, id LIMIT 1) e
        WHERE i.merchant_id = $1 AND i.number IS NOT NULL`,
      [merchantId],
    );
    if (rows[0]) return rows[0];
  }
  throw new StartError("the worker made no invoice within five minutes");
};
