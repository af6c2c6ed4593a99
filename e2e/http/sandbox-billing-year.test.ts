import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setBillingPaymentMethod } from "#server/billing/collection/set-billing-payment-method.ts";
import { recordTestOutage } from "#server/billing/sla/record-test-outage.ts";
import { makeProcessDeps } from "#server/charges/charge/process-deps.fixture.ts";
import { listMeterResults } from "#server/data/billing/meters/reconciliation-lists.ts";
import { billingInvariants } from "#server/data/invariants/billing-invariants.ts";
import type { Deps } from "#server/deps/deps.ts";
import { standingAt } from "#server/kernel/time/clock.ts";
import { postJson, send, textOf } from "../support/answers/wire.ts";
import { command } from "../support/command.ts";
import { charge, mandateDetails, merchantPost, obtainMandate } from "../support/oauth/mandate-flow.ts";
import { clientToken, registerAgent, registerMerchant } from "../support/oauth/parties.ts";
import { sharedService } from "../support/shared-service.ts";

/** A merchant's year on the sandbox's clock. Two web processes and the worker run billing while the clock is moved. */
const service = sharedService();
const { sandboxUrl } = service;
const day = 24 * 3_600_000;
const chargeScope = "charges.write charges.read refunds.write";
const billingScope = "billing.read billing.write";
const by = { actor: { kind: "operator", id: "acc_test" }, requestId: "req_test" } as const;

type Period = { from: string; to: string };
type Line = { kind: string; meter: string | null; quantity: number; amount: number };
type Invoice = { id: string; status: string; period: Period; lines: Line[]; total: number; amount_due: number };

let deps: Deps;
let merchant: Awaited<ReturnType<typeof subscribe>>;

const subscribe = async () => {
  const [agent, party] = await Promise.all([
    registerAgent(sandboxUrl),
    registerMerchant(sandboxUrl, { metadata: { scope: `${chargeScope} ${billingScope}` } }),
  ]);
  const granted = await obtainMandate(agent, mandateDetails(party.merchantId));
  const [merchantToken, billingToken] = [
    await clientToken(party, { scope: chargeScope }),
    await clientToken(party, { scope: billingScope }),
  ];
  return { agent, merchant: party, merchantToken, billingToken, ...granted };
};

beforeAll(async () => {
  const server = service.variables["TEST_DATABASE_URL"] ?? "";
  const databaseUrl = Object.assign(new URL(server), { pathname: "paygrant_sandbox" }).toString();
  deps = makeProcessDeps({ databaseUrl, simulatorUrl: "http://127.0.0.1:1", simulatorKey: "unused" });
  const today = textOf(await send(`${sandboxUrl}/sandbox/clock`), "now").slice(0, 10);
  const file = path.join(await mkdtemp(path.join(tmpdir(), "plans-")), "plans.yaml");
  const prices = `{"own:sms": {model: per_unit, unit: "2"}, successful_charges: {model: basis_points, rate: "100", min: "5"}}`;
  const plan = (id: string, flat: number) =>
    `  ${id}: {name: Year, effective_from: ${today}, interval: month, currencies: {EUR: {flat: ${flat}, prices: ${prices}}}}\n`;
  await writeFile(file, `catalogue: 1\nplans:\n${plan("e2e_year", 3100)}${plan("e2e_year_large", 6200)}`);
  // Exit code 2: something changed.
  await command(service.environment, "plans", "apply", file, "--sandbox").catch(() => null);
  merchant = await subscribe();
  const args = ["assign", "--merchant", merchant.merchant.merchantId, "--plan", "e2e_year", "--sandbox"];
  await command(service.environment, "plans", ...args);
});
afterAll(() => deps.db.close());

const request = (pathAndQuery: string, options: { body?: object; headers?: Record<string, string> } = {}) =>
  send(`${sandboxUrl}/billing/${pathAndQuery}`, {
    ...(options.body ? { method: "PUT", body: JSON.stringify(options.body) } : {}),
    headers: {
      authorization: `Bearer ${merchant.billingToken}`,
      "content-type": "application/json",
      ...options.headers,
    },
  });
const read = async <T>(pathAndQuery: string): Promise<T> => JSON.parse((await request(pathAndQuery)).text) as T;
const subscriptionOf = () => read<{ period: Period; status: string; plan: { id: string } }>("subscription");

const advance = async (to: number): Promise<void> => {
  const answer = await postJson(`${sandboxUrl}/sandbox/clock`, { advance_to: new Date(to).toISOString() });
  expect(answer.status, answer.text).toBe(200);
};

const reportSms = async (id: string, time: number): Promise<void> => {
  const event = { id, source: "shop", meter: "sms", quantity: 10, time: new Date(time).toISOString() };
  const headers = { authorization: `Bearer ${merchant.billingToken}` };
  const answer = await postJson(`${sandboxUrl}/billing/usage-events`, { events: [event] }, headers);
  expect(answer.json, answer.text).toMatchObject({ accepted: 1 });
};

const upgrade = async (): Promise<void> => {
  const wanted = { plan: "e2e_year_large", effective: "period_end" };
  const { hash } = await read<{ hash: string }>("preview?plan=e2e_year_large&effective=period_end");
  const answer = await request("subscription", { body: wanted, headers: { "if-match": `"${hash}"` } });
  expect(answer.status, answer.text).toBe(200);
};

const refundHalf = async (chargeId: string): Promise<void> => {
  const answer = await merchantPost(merchant, `/merchant_test/charges/${chargeId}/refunds`, {
    body: { amount: 2_000 },
    headers: { "idempotency-key": chargeId },
  });
  expect(answer.status, answer.text).toBe(201);
};

/** The merchant's meters that differ from their sources. Each day was compared while the clock was moved. */
const findDifferences = () => {
  const query = { merchantId: merchant.merchant.merchantId, day: null, isDifferent: true, after: null, limit: 10 };
  return listMeterResults(deps.db.sql, query);
};

/**
 * Acts on the fifth day of a period: makes a charge and reports usage. Some usage is of the previous period, whose
 * invoice is already final.
 */
const actInPeriod = async (from: number, month: number): Promise<void> => {
  const charged = await charge(merchant, { amount: 4_000 });
  expect(charged.status, charged.text).toBe(201);
  await reportSms(`month_${month}`, from + 4 * day);
  if (month > 0) await reportSms(`late_${month}`, from - day);
  if (month === 2) await recordOutage(from + 4 * day);
  if (month === 3) await refundHalf(textOf(charged, "id"));
  if (month === 5) await upgrade();
};

let outage: Period = { from: "", to: "" };
/**
 * Six hours of downtime in a month. The uptime is then below 99.5%, so 10% of the fees of `own:` meters are credited.
 */
const recordOutage = async (at: number): Promise<void> => {
  const start = new Date(at);
  const bounds = [0, 1].map((offset) => new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + offset)));
  const [from = start, to = start] = bounds;
  outage = { from: from.toISOString(), to: to.toISOString() };
  const inSandbox = { ...deps, businessClock: standingAt(start) };
  await recordTestOutage(inSandbox, { component: "billing_engine", month: { from, to }, minutes: 360, ...by });
};

const card = (name: "insufficient_funds" | "visa") =>
  setBillingPaymentMethod(deps, { merchantId: merchant.merchant.merchantId, card: name, ...by });

describe("a merchant's year in the sandbox (docs/spec/billing.md, The billing run)", () => {
  test("has twelve paid invoices, with late usage, a refund, an upgrade, an SLA credit and a payment that failed first", async () => {
    const statuses: string[] = [];
    let period = (await subscriptionOf()).period;
    const first = new Date(period.from).getTime();
    for (let month = 0; month < 12; month += 1) {
      const [from, to] = [new Date(period.from).getTime(), new Date(period.to).getTime()];
      await advance(from + 5 * day);
      await actInPeriod(from, month);
      if (month === 7) await card("insufficient_funds");
      // The invoice is final and collected after the grace period.
      await advance(to + day + 60_000);
      expect(await findDifferences()).toEqual([]);
      if (month === 7) {
        statuses.push((await subscriptionOf()).status);
        await advance(to + 3 * day);
        await card("visa");
        await advance(to + 3 * day + 60_000);
      }
      statuses.push((await subscriptionOf()).status);
      ({ period } = await subscriptionOf());
    }
    expect(statuses).toEqual([...Array(7).fill("active"), "past_due", ...Array(5).fill("active")]);
    await expectYear(first);
  });
});

const expectYear = async (first: number): Promise<void> => {
  const { data: summaries } = await read<{ data: Invoice[] }>("invoices?limit=20");
  const invoices = await Promise.all(summaries.toReversed().map(({ id }) => read<Invoice>(`invoices/${id}`)));
  expect(invoices).toHaveLength(12);
  const usage = ["usage 20", "usage 40"];
  const late = (month: number) => (month === 0 ? [] : ["late 20"]);
  // Half of the charge is refunded, so one percent of 2,000 is credited.
  const refund = (month: number) => (month === 3 ? ["refund -20"] : []);
  for (const [month, { status, lines, amount_due: due }] of invoices.entries()) {
    const flat = month > 5 ? "flat 6200" : "flat 3100";
    const shown = lines.filter(({ kind }) => kind !== "sla_credit").map(({ kind, amount }) => `${kind} ${amount}`);
    expect([status, due, shown]).toEqual(["paid", 0, [flat, ...usage, ...late(month), ...refund(month)]]);
    expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(invoices[month]?.total);
  }
  const attempts = await deps.db.prisma.$queryRaw`
    SELECT state, count(*)::int AS count FROM billing_payment WHERE merchant_id = ${merchant.merchant.merchantId} GROUP BY state ORDER BY state`;
  expect(attempts).toEqual([
    { state: "declined", count: 2 },
    { state: "succeeded", count: 12 },
  ]);
  await expectEachDayReconciled(first);
  await expectCredit(invoices.flatMap(({ lines }) => lines.filter(({ kind }) => kind === "sla_credit")));
  const { balances } = await read<{ balances: { account: string; posted: number; pending: number }[] }>("ledger");
  const paid = invoices.reduce((sum, { total }) => sum + total, 0);
  expect(balances.find(({ account }) => account === "receivable")).toMatchObject({ posted: 0, pending: 0 });
  expect(balances.find(({ account }) => account === "processor_clearing")).toMatchObject({ posted: paid, pending: 0 });
  for (const { name, find } of billingInvariants) expect([name, await find(deps.db.sql)]).toEqual([name, []]);
};

/** The credits are computed on the third day of the next month. Usage that is reported later isn't credited. */
const expectCredit = async (credits: readonly Line[]): Promise<void> => {
  const computedAt = new Date(new Date(outage.to).getTime() + 2 * day);
  const [{ quantity } = { quantity: 0 }] = await deps.db.prisma.$queryRaw<{ quantity: number }[]>`
    SELECT sum(quantity)::int AS quantity FROM usage_event WHERE merchant_id = ${merchant.merchant.merchantId}
       AND time >= ${new Date(outage.from)} AND time < ${new Date(outage.to)} AND received_at < ${computedAt}`;
  // The outage's month has a line for each billing period that overlaps it.
  expect(credits.every(({ amount }) => amount < 0)).toBe(true);
  expect(credits.reduce((sum, { amount }) => sum + amount, 0)).toBe(-(quantity * 2) / 10);
};

const expectEachDayReconciled = async (first: number): Promise<void> => {
  const [{ days } = { days: 0 }] = await deps.db.prisma.$queryRaw<{ days: number }[]>`
    SELECT count(*)::int AS days FROM meter_reconciliation_day WHERE day >= ${new Date(first)} AND day < ${new Date(first + 365 * day)}`;
  expect(days).toBe(365);
};
