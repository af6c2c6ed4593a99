import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { refusalOf } from "../../charges/charge/charge-setup.fixture.ts";
import { billingInvariants } from "../../data/invariants/billing-invariants.ts";
import { UnconfiguredProcessor } from "../../deps/processor-port.ts";
import { newId } from "../../kernel/ids.ts";
import { runDueWork } from "../../sandbox/run-due-work.ts";
import { findBrokenDays } from "../../status/uptime/find-broken-days.ts";
import { voidInvoice } from "../invoices/transitions/void-invoice.ts";
import { reconcileUsage } from "../meters/reconciliation/reconcile-usage.ts";
import { readSpend } from "../spend/read-spend.ts";
import { makeCharge } from "../subscriptions/charge-rows.fixture.ts";
import { billDuePeriods } from "../subscriptions/run/bill-due-periods.ts";
import { applyPlans, change, invoicesOf, makeSubscriber, reportSms } from "../subscriptions/subscription.fixture.ts";
import { setTaxDetails } from "../tax-details/set-tax-details.ts";
import { creditDueMonths } from "./credit-due-months.ts";
import { recordTestOutage } from "./record-test-outage.ts";

const by = { actor: { kind: "operator", id: "acc_1" } as const, requestId: "req_1" };
const start = new Date("2026-10-01T10:00:00Z");
const monthOf = (text: string) => {
  const from = new Date(`${text}-01T00:00:00Z`);
  return { from, to: new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1)) };
};

let deps: TestDeps;
const plans = `catalogue: 1
plans:
  sms: {name: Sms, effective_from: 2026-10-01, interval: month, currencies: {EUR: {minimum: 2000, prices: {"own:sms": {model: graduated, tiers: [{up_to: 10, unit: "3"}, {unit: "1.111"}]}}}}}
  pay: {name: Pay, effective_from: 2026-10-01, interval: month, currencies: {EUR: {prices: {successful_charges: {model: basis_points, rate: "100"}}}, USD: {prices: {successful_charges: {model: basis_points, rate: "200"}}}}}
tax_rates:
  DE: {category: S, rate: "19", behaviour: exclusive}
  AT: {category: S, rate: "20", behaviour: exclusive}
`;
// The operator has no account at a processor, so invoices stay open.
const processors = {
  get: (name: string) => {
    throw new UnconfiguredProcessor(name);
  },
};
beforeEach(async () => {
  deps = await createTestDeps({ now: start, processors });
  await applyPlans(deps, plans);
});
afterEach(async () => {
  for (const { name, find } of billingInvariants) expect([name, await find(deps.db.sql)]).toEqual([name, []]);
  await deps.close();
});

const at = (text: string) => deps.clock.set(new Date(text));
const advance = (text: string) => runDueWork(deps, new Date(text)).then(() => at(text));
const outage = (month: string, minutes: number, component = "billing_engine") =>
  recordTestOutage(deps, { component, month: monthOf(month), minutes, ...by });
const linesOf = async (merchantId: string) =>
  (await invoicesOf(deps, merchantId)).map(({ lines }) =>
    lines.map(({ kind, exact, amount }) => (kind === "sla_credit" ? [kind, exact, amount] : [kind, amount])),
  );
const creditLines = (merchantId: string) =>
  deps.db.prisma.$queryRaw<{ description: string; rate: string; from: Date; to: Date; issued: Date | null }[]>`
    SELECT l.description, l.tax_rate::text AS rate, l.period_from AS "from", l.period_to AS "to", i.issued_at AS issued
      FROM billing_invoice i JOIN billing_invoice_line l ON l.invoice_id = i.id
     WHERE i.merchant_id = ${merchantId} AND l.kind = 'sla_credit' ORDER BY i.period_from, l.position`;
const charge = (merchantId: string, { finalAt, ...of }: { amount: number; finalAt: string; currency?: string }) =>
  makeCharge(deps, merchantId, { ...of, finalAt: new Date(finalAt) });

describe("SLA credits (docs/spec/billing.md, SLA credits)", () => {
  test("a month below the objective is credited once, on the next final invoice, after the true-up", async () => {
    const merchantId = await makeSubscriber(deps, "sms");
    await reportSms(deps, merchantId, { quantity: 25 });
    // 99.193%: below 99.5%.
    await outage("2026-10", 360);
    await advance("2026-11-02T23:59:59Z");
    expect(await creditLines(merchantId)).toEqual([]);
    await advance("2027-02-05T00:00:00Z");
    const fee = 10 * 3 + 15 * 1.111;
    expect(await linesOf(merchantId)).toEqual([
      [
        ["usage", 47],
        ["true_up", 1953],
      ],
      [
        ["true_up", 2000],
        ["sla_credit", -fee / 10, -5],
      ],
      [["true_up", 2000]],
      [["true_up", 2000]],
    ]);
    expect(await creditLines(merchantId)).toMatchObject([
      {
        description: `SLA credit: Billing engine, uptime 99.193% in October 2026: ${deps.config.statusUrl}/status/uptime#billing_engine-2026-10`,
        ...monthOf("2026-10"),
        issued: new Date("2026-12-02T00:00:00Z"),
      },
    ]);
    expect(await findBrokenDays(deps.db)).toEqual([]);
  });

  test("if a billing period spans two months, a month's credit is based on the month's share of the price", async () => {
    at("2026-10-15T10:00:00Z");
    const merchantId = await makeSubscriber(deps, "sms");
    await reportSms(deps, merchantId, { quantity: 8 });
    at("2026-11-04T10:00:00Z");
    await reportSms(deps, merchantId, { quantity: 12 });
    // 94.4%: more than 5 points below 99.5%.
    await outage("2026-11", 2_420);
    await advance("2027-01-20T00:00:00Z");
    const november = 2 * 3 + 10 * 1.111;
    expect((await linesOf(merchantId)).map((lines) => lines.filter(([kind]) => kind === "sla_credit"))).toEqual(
      [[], [["sla_credit", -november / 2, -9]], []].slice(0, 3),
    );
  });

  test("each currency gets a credit for the fees of its own charges, without refunded fees", async () => {
    const merchantId = await makeSubscriber(deps, "pay");
    const refunded = await charge(merchantId, { amount: 10_000, finalAt: "2026-10-10T00:00:00Z" });
    await charge(merchantId, { amount: 30_000, finalAt: "2026-10-11T00:00:00Z" });
    await charge(merchantId, { amount: 5_000, finalAt: "2026-10-12T00:00:00Z", currency: "USD" });
    const given = new Date("2026-10-20T00:00:00Z");
    await deps.db.prisma.$executeRaw`
      INSERT INTO refund (id, charge_id, merchant_id, mandate_id, merchant_client_id, amount, status, created_at, updated_at, given_at)
      VALUES (${newId("rfd")}, ${refunded}, ${merchantId}, 'mdt_1', 'cl_1', 5000, 'succeeded', ${given}, ${given}, ${given})`;
    await outage("2026-10", 2_000, "authorization_server");
    await advance("2026-12-05T00:00:00Z");
    const credits = await deps.db.prisma.$queryRaw`
      SELECT currency::text AS currency, fee::text AS fee, percent::int AS percent, exact::text AS exact FROM billing_sla_credit ORDER BY currency`;
    expect(credits).toEqual([
      { currency: "EUR", fee: "350", percent: 25, exact: "87.5" },
      { currency: "USD", fee: "100", percent: 25, exact: "25" },
    ]);
    // Without other lines, the credit becomes credit balance.
    const november = (await invoicesOf(deps, merchantId)).filter(({ from }) => from.getUTCMonth() === 10);
    expect(november.map(({ currency, total, lines }) => [currency, total, lines.map(({ amount }) => amount)])).toEqual([
      ["EUR", 0n, [-88]],
      ["USD", 0n, [-25]],
    ]);
  });

  test("the fees of a void invoice give no SLA credit, and a refund credits a fee less its SLA credit", async () => {
    const merchants = [await makeSubscriber(deps, "pay"), await makeSubscriber(deps, "pay")];
    const [voided = "", kept = ""] = merchants;
    const charges = [];
    for (const merchantId of merchants)
      charges.push(await charge(merchantId, { amount: 10_000, finalAt: "2026-10-10T00:00:00Z" }));
    await outage("2026-10", 2_000, "authorization_server");
    await advance("2026-11-10T00:00:00Z");
    const [october] = await invoicesOf(deps, voided);
    await voidInvoice(deps, { invoiceId: october?.id ?? "", reason: "test", ...by });
    const given = new Date("2026-11-20T00:00:00Z");
    await deps.db.prisma.$executeRaw`
      INSERT INTO refund (id, charge_id, merchant_id, mandate_id, merchant_client_id, amount, status, created_at, updated_at, given_at)
      VALUES (${newId("rfd")}, ${charges[1]}, ${kept}, 'mdt_1', 'cl_1', 10000, 'succeeded', ${given}, ${given}, ${given})`;
    await advance("2026-12-02T00:00:00Z");
    const november = async (merchantId: string) =>
      (await invoicesOf(deps, merchantId))
        .filter(({ from }) => from.getUTCMonth() === 10)
        .map(({ lines }) => lines.map(({ kind, exact }) => [kind, exact]));
    expect(await november(voided)).toEqual([]);
    expect(await november(kept)).toEqual([
      [
        ["refund", -75],
        ["sla_credit", -25],
      ],
    ]);
  });

  test("the credit has the tax rate of the original supply", async () => {
    const merchantId = await makeSubscriber(deps, "sms");
    const details = { legalName: "Shop", line1: "1", line2: null, postalCode: null, city: "B", vatNumber: null };
    await setTaxDetails(deps, { merchantId, ...details, country: "DE", ...by });
    await reportSms(deps, merchantId, { quantity: 100 });
    await outage("2026-10", 10_000);
    await advance("2026-11-10T00:00:00Z");
    await setTaxDetails(deps, { merchantId, ...details, country: "AT", ...by });
    await advance("2026-12-03T00:00:00Z");
    expect((await creditLines(merchantId)).map(({ rate }) => rate)).toEqual(["19"]);
  });

  test("the credit for usage that was reported after the invoice has the tax rate of the invoice", async () => {
    const merchantId = await makeSubscriber(deps, "sms");
    const details = { legalName: "Shop", line1: "1", line2: null, postalCode: null, city: "B", vatNumber: null };
    await setTaxDetails(deps, { merchantId, ...details, country: "DE", ...by });
    await outage("2026-10", 10_000);
    await advance("2026-11-02T20:00:00Z");
    await reportSms(deps, merchantId, { quantity: 3_000, time: new Date("2026-10-20T00:00:00Z") });
    await advance("2026-11-10T00:00:00Z");
    await setTaxDetails(deps, { merchantId, ...details, country: "AT", ...by });
    await advance("2026-12-03T00:00:00Z");
    expect((await linesOf(merchantId)).map((lines) => lines.map(([kind]) => kind))).toEqual([
      ["true_up"],
      ["late", "true_up", "sla_credit"],
    ]);
    expect((await creditLines(merchantId)).map(({ rate }) => rate)).toEqual(["19"]);
  });

  test("several workers compute each month once, and a repetition adds nothing", async () => {
    const merchants = await Promise.all(Array.from({ length: 6 }, () => makeSubscriber(deps, "sms")));
    for (const merchantId of merchants) await reportSms(deps, merchantId, { quantity: 10 });
    await outage("2026-10", 3_000);
    at("2026-11-03T00:00:00Z");
    const others = await Promise.all([1, 2].map(() => anotherNode(deps)));
    const done = await Promise.all([deps, ...others].map((one) => creditDueMonths(one, { limit: 10 })));
    await Promise.all(others.map((one) => one.close()));
    expect(done.reduce((sum, one) => sum + one, 0)).toBe(6);
    expect(await creditDueMonths(deps, { limit: 10 })).toBe(0);
    await deps.db.prisma.$executeRaw`UPDATE billing_subscription SET sla_due_at = '2026-11-03T00:00:00Z'`;
    await creditDueMonths(deps, { limit: 10 });
    const [count] = await deps.db.prisma.$queryRaw<{ count: bigint }[]>`SELECT count(*) FROM billing_sla_credit`;
    expect(count).toEqual({ count: 6n });
  });

  test("a void invoice returns its SLA credits, and an ended subscription gets the credit of its last month", async () => {
    const merchantId = await makeSubscriber(deps, "sms");
    await reportSms(deps, merchantId, { quantity: 100 });
    await outage("2026-10", 10_000);
    await outage("2026-11", 10_000);
    await advance("2026-12-02T00:00:00Z");
    const [, november] = await invoicesOf(deps, merchantId);
    await voidInvoice(deps, { invoiceId: november?.id ?? "", reason: "test", ...by });
    await reportSms(deps, merchantId, { quantity: 50 });
    await outage("2026-12", 10_000);
    await change(deps, merchantId, { planId: "sms", cancelAt: new Date("2026-12-20T00:00:00Z") });
    await advance("2027-03-01T00:00:00Z");
    const lines = await linesOf(merchantId);
    expect(lines.map((each) => each.filter(([kind]) => kind === "sla_credit"))).toEqual([
      [],
      [["sla_credit", -64.995, -65]],
      [["sla_credit", -64.995, -65]],
      [["sla_credit", -37.22, -37]],
    ]);
    const due = await deps.db.prisma.$queryRaw`SELECT sla_due_at AS due FROM billing_subscription`;
    expect(due).toEqual([{ due: null }]);
  });

  test("a void invoice's credits are on a further invoice if the subscription has ended", async () => {
    const merchantId = await makeSubscriber(deps, "sms");
    await reportSms(deps, merchantId, { quantity: 100 });
    await outage("2026-10", 10_000);
    await change(deps, merchantId, { planId: "sms", cancelAt: new Date("2026-11-20T00:00:00Z") });
    await advance("2027-01-05T00:00:00Z");
    const credited = (await invoicesOf(deps, merchantId)).filter(({ lines }) =>
      lines.some(({ kind }) => kind === "sla_credit"),
    );
    expect(credited).toMatchObject([{ status: "open" }]);
    await voidInvoice(deps, { invoiceId: credited[0]?.id ?? "", reason: "test", ...by });
    await advance("2027-01-06T00:00:00Z");
    expect((await linesOf(merchantId)).at(-1)).toEqual([["sla_credit", -64.995, -65]]);
  });

  test("the last invoice of an ended subscription waits for the credits of its last month", async () => {
    const merchantId = await makeSubscriber(deps, "sms");
    await reportSms(deps, merchantId, { quantity: 100 });
    await outage("2026-10", 10_000);
    await change(deps, merchantId, { planId: "sms", cancelAt: new Date("2026-10-20T00:00:00Z") });
    await deps.db.prisma
      .$executeRaw`UPDATE billing_subscription SET sla_retry_at = 'infinity' WHERE merchant_id = ${merchantId}`;
    await advance("2026-12-01T00:00:00Z");
    await deps.db.prisma
      .$executeRaw`UPDATE billing_subscription SET sla_retry_at = NULL WHERE merchant_id = ${merchantId}`;
    await deps.db.prisma.$executeRaw`UPDATE billing_period SET retry_at = NULL WHERE state = 'draft'`;
    await advance("2026-12-02T00:00:00Z");
    const credits = (await linesOf(merchantId)).flat().filter(([kind]) => kind === "sla_credit");
    expect(credits).toEqual([["sla_credit", -64.995, -65]]);
  });

  test("the spend of the current period doesn't include a credit that is on a draft", async () => {
    const merchantId = await makeSubscriber(deps, "sms");
    await reportSms(deps, merchantId, { quantity: 25 });
    await outage("2026-10", 360);
    await advance("2026-11-10T12:00:00Z");
    const credits = async () => {
      const { running, history } = await readSpend(deps, { merchantId, months: 2, timeZone: "UTC" });
      const lines = running.flatMap(({ invoice }) => invoice.lines.filter(({ kind }) => kind === "sla_credit"));
      const months = history.flatMap(({ series, months: shown }) =>
        shown.map(({ amounts }) => amounts[series.indexOf("SLA credits")]),
      );
      return [lines.map(({ amount }) => amount), months];
    };
    expect(await credits()).toEqual([[-5n], [0n, -5n]]);
    await change(deps, merchantId, { planId: "pay" });
    expect(await credits()).toEqual([[], [0n, -5n]]);
  });

  test("if a void invoice returns its SLA credits while another invoice is finalized, the credits are on the following invoice", async () => {
    const merchantId = await makeSubscriber(deps, "sms");
    await reportSms(deps, merchantId, { quantity: 100 });
    await outage("2026-10", 10_000);
    await advance("2027-01-01T12:00:00Z");
    const [, november] = await invoicesOf(deps, merchantId);
    const voided: Promise<unknown>[] = [];
    const billing: typeof deps = {
      ...deps,
      db: {
        ...deps.db,
        sqlTransaction: (work, options) =>
          deps.db.sqlTransaction(
            (sql) =>
              work({
                async query(statement, values) {
                  if (statement.name === "mark_sla_credits_invoiced" && voided.length === 0) {
                    voided.push(voidInvoice(deps, { invoiceId: november?.id ?? "", reason: "test", ...by }));
                    await Promise.race([...voided, sleep(1_000)]);
                  }
                  return sql.query(statement, values);
                },
              }),
            options,
          ),
      },
    };
    at("2027-01-02T00:00:00Z");
    await reconcileUsage(deps, { maxDays: 31 });
    await billDuePeriods(billing, { limit: 10 });
    expect(await Promise.all(voided)).toEqual([{ isNew: true }]);
    await advance("2027-02-02T00:00:00Z");
    const lines = await linesOf(merchantId);
    expect(lines.map((each) => each.filter(([kind]) => kind === "sla_credit").length)).toEqual([0, 1, 0, 1]);
  });

  test("production waits until all days of the month are frozen", async () => {
    const merchantId = await makeSubscriber(deps, "sms");
    await reportSms(deps, merchantId, { quantity: 10 });
    await outage("2026-10", 10_000);
    const production = { ...deps, config: { ...deps.config, environment: "production" as const } };
    const due = () => creditDueMonths(production, { limit: 1 });
    const credits = () => deps.db.prisma.$queryRaw<unknown[]>`SELECT FROM billing_sla_credit`;
    at("2026-11-03T00:00:00Z");
    await deps.db.prisma.$executeRaw`ALTER TABLE component_day DISABLE TRIGGER USER`;
    const [last] = await deps.db.prisma.componentDay.findMany({ orderBy: { day: "desc" }, take: 1 });
    await deps.db.prisma.componentDay.deleteMany({ where: { day: new Date("2026-10-31") } });
    expect([await due(), await due(), (await credits()).length]).toEqual([1, 0, 0]);
    if (last) await deps.db.prisma.componentDay.create({ data: { ...last, figures: last.figures as object } });
    at("2026-11-03T01:00:00Z");
    expect([await due(), (await credits()).length]).toEqual([1, 1]);
  });

  test("stored figures and credits can't be changed or deleted", async () => {
    const merchantId = await makeSubscriber(deps, "sms");
    await reportSms(deps, merchantId, { quantity: 10 });
    await outage("2026-10", 10_000);
    await advance("2026-11-03T00:00:00Z");
    for (const statement of [
      "UPDATE billing_sla_figure SET credit_percent = 0",
      "DELETE FROM billing_sla_figure",
      "UPDATE billing_sla_credit SET exact = exact / 2",
      "DELETE FROM billing_sla_credit",
      "TRUNCATE billing_sla_credit",
    ]) {
      await expect(deps.db.prisma.$executeRawUnsafe(statement), statement).rejects.toThrow();
    }
  });

  test("an outage is recorded only in the sandbox, for a month whose credits aren't computed", async () => {
    const production = { ...deps, config: { ...deps.config, environment: "production" as const } };
    const input = { component: "billing_engine", month: monthOf("2026-10"), minutes: 1, ...by };
    expect((await refusalOf(recordTestOutage(production, input))).code).toBe("sandbox_only");
    expect((await refusalOf(outage("2026-08", 1))).code).toBe("month_credited");
    expect((await refusalOf(outage("2026-10", 1, "static_assets"))).pointers).toEqual(["/component"]);
    expect((await refusalOf(outage("2026-10", 44_641))).pointers).toEqual(["/minutes"]);
    expect((await refusalOf(outage("2028-11", 1))).pointers).toEqual(["/month"]);
    expect(await outage("2026-12", 1)).toEqual({ days: 31 });
    expect((await refusalOf(outage("2026-10", 1))).code).toBe("month_recorded");
    expect(await outage("2027-02", 1)).toEqual({ days: 59 });
    expect(await outage("2028-10", 1)).toEqual({ days: 611 });
    expect(await findBrokenDays(deps.db)).toEqual([]);
  });
});
