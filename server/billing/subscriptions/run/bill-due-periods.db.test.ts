import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findInvoiceLineRows } from "../../../data/billing/invoices/lines.ts";
import { listBilled } from "../../../data/billing/subscriptions/billed.ts";
import { addSeconds } from "../../../kernel/time/clock.ts";
import { runDueWork } from "../../../sandbox/run-due-work.ts";
import { applyCoupon } from "../../coupons/apply-coupon.ts";
import { removeCoupon } from "../../coupons/remove-coupon.ts";
import { exportInvoiceCsv } from "../../documents/csv/export-invoice-csv.ts";
import { makeFinalInvoice } from "../../invoices/invoice.fixture.ts";
import { listEventsOfLine } from "../../invoices/read/list-line-events.ts";
import { createCreditNote } from "../../invoices/transitions/create-credit-note.ts";
import { voidInvoice } from "../../invoices/transitions/void-invoice.ts";
import { failRefund, makeCharge, makeRefund } from "../charge-rows.fixture.ts";
import {
  applyPlans,
  assign,
  bill as billOn,
  change,
  forgetReconciliation,
  invoicesOf,
  makeSubscriber,
  preview,
  reportSms,
  type StoredInvoice,
  testPlans,
} from "../subscription.fixture.ts";
import { billDuePeriods } from "./bill-due-periods.ts";

let deps: TestDeps;
const start = new Date("2026-10-01T10:00:00Z");
const operator = { actor: { kind: "operator", id: "acc_test" }, requestId: "req_test" } as const;
beforeAll(async () => {
  deps = await createTestDeps({ now: start });
  await applyPlans(deps, testPlans("2026-10-01"));
});
afterAll(() => deps.close());
beforeEach(async () => {
  deps.clock.set(start);
  // Each test has its own merchants. Periods of earlier tests are never due.
  await deps.db.prisma.$executeRaw`UPDATE billing_period SET retry_at = 'infinity' WHERE due_at IS NOT NULL`;
  await forgetReconciliation(deps);
});

const at = (text: string) => deps.clock.set(new Date(text));
const bill = (on: TestDeps = deps): Promise<number> => billOn(on);
const brief = ({ status, planId, from, to, lines }: StoredInvoice) => ({
  status,
  planId,
  from: from.toISOString().slice(0, 10),
  to: to.toISOString().slice(0, 10),
  lines: lines.map(({ kind, meter, amount }) => [kind, meter, amount]),
});
const briefOf = async (merchantId: string) => (await invoicesOf(deps, merchantId)).map(brief);

const chargeOf = (merchantId: string, charge: Parameters<typeof makeCharge>[2]) => makeCharge(deps, merchantId, charge);
const refund = (merchantId: string, chargeId: string, given: { amount: number; givenAt: Date }) =>
  makeRefund(deps, merchantId, { chargeId, ...given });

describe("the free units of a divided period (docs/spec/billing.md, Periods)", () => {
  const smsOf = async (merchantId: string) =>
    (await invoicesOf(deps, merchantId)).flatMap(({ planId, lines }) =>
      lines.flatMap(({ kind, meter, quantity, amount }) => (meter ? [[planId, kind, quantity, amount]] : [])),
    );

  test.each(["free", "yearly"])(
    "are used once, even if the plan changes several times to %s and back",
    async (other) => {
      const merchantId = await makeSubscriber(deps, "tenfree");
      for (const day of ["02", "03", "04"]) {
        await reportSms(deps, merchantId, { quantity: 10 });
        at(`2026-10-${day}T10:00:00Z`);
        await change(deps, merchantId, { planId: other });
        at(`2026-10-${day}T20:00:00Z`);
        const { next } = await preview(deps, merchantId, { planId: "tenfree" });
        await change(deps, merchantId, { planId: "tenfree" });
        expect(next.lines).toEqual([]);
      }
      await reportSms(deps, merchantId, { quantity: 10 });
      at("2026-11-10T00:00:00Z");
      await bill();
      expect(await smsOf(merchantId)).toEqual([0, 1000, 1000, 1000].map((amount) => ["tenfree", "usage", 10, amount]));
    },
  );

  test("are reduced by late events of the first part, so the price of the later part changes", async () => {
    const merchantId = await makeSubscriber(deps, "tenfree");
    await reportSms(deps, merchantId, { quantity: 4 });
    at("2026-10-05T10:00:00Z");
    await change(deps, merchantId, { planId: "free" });
    at("2026-10-06T10:00:00Z");
    await change(deps, merchantId, { planId: "tenfree" });
    await reportSms(deps, merchantId, { quantity: 10 });
    at("2026-10-20T00:00:00Z");
    await change(deps, merchantId, { planId: "scale" });
    at("2026-10-25T00:00:00Z");
    await bill();
    await reportSms(deps, merchantId, { quantity: 5, time: new Date("2026-10-02T10:00:00Z") });
    at("2026-11-02T00:00:00Z");
    await bill();
    expect(await smsOf(merchantId)).toEqual([
      ["tenfree", "usage", 4, 0],
      ["tenfree", "usage", 10, 400],
      ["scale", "late", 5, 0],
      ["scale", "late", 0, 500],
    ]);
  });
});

describe("the billing run (docs/spec/billing.md, The billing run)", () => {
  test("drafts a period at its end, opens the next one, and finalizes after 24 hours with the events received until then", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    await reportSms(deps, merchantId, { quantity: 10 });
    at("2026-10-31T23:59:59Z");
    expect(await bill()).toBe(0);
    at("2026-11-01T00:00:00Z");
    expect(await bill()).toBe(1);
    const draft = [
      ["flat", null, 3100],
      ["usage", "own:sms", 20],
    ];
    expect(await briefOf(merchantId)).toEqual([
      { status: "draft", planId: "pro", from: "2026-10-01", to: "2026-11-01", lines: draft },
    ]);
    at("2026-11-01T12:00:00Z");
    await reportSms(deps, merchantId, { quantity: 5, time: new Date("2026-10-31T12:00:00Z") });
    await reportSms(deps, merchantId, { quantity: 1_000 });
    at("2026-11-02T00:00:00Z");
    expect(await bill()).toBe(1);
    expect(await invoicesOf(deps, merchantId)).toMatchObject([
      { status: "open", number: expect.stringMatching(/^TEST-INV-2026-\d{6}$/), total: 3130n },
    ]);
    expect(await bill()).toBe(0);
  });

  test("late events are on the next invoice at the prices of their period's plan, and each is billed once", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    await change(deps, merchantId, { planId: "scale", effective: "period_end" });
    await runDueWork(deps, new Date("2026-11-02T00:00:00Z"));
    at("2026-11-03T00:00:00Z");
    await reportSms(deps, merchantId, { quantity: 7, time: new Date("2026-10-15T12:00:00Z") });
    await runDueWork(deps, new Date("2026-12-02T00:00:00Z"));
    at("2026-12-02T10:00:00Z");
    await reportSms(deps, merchantId, { quantity: 1, time: new Date("2026-11-15T12:00:00Z") });
    await runDueWork(deps, new Date("2027-02-02T00:00:00Z"));
    const lines = (await briefOf(merchantId)).map((invoice) => invoice.lines);
    expect(lines).toEqual([
      [["flat", null, 3100]],
      [
        ["flat", null, 6200],
        ["late", "own:sms", 14],
      ],
      [
        ["flat", null, 6200],
        ["late", "own:sms", 3],
      ],
      [["flat", null, 6200]],
    ]);
  });

  test("late events don't bill the usage of a void invoice again; if another invoice replaces the void one, only the replacement counts (docs/spec/billing.md, Invoices)", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    await reportSms(deps, merchantId, { quantity: 10 });
    await runDueWork(deps, new Date("2026-11-02T00:00:00Z"));
    const [october] = await invoicesOf(deps, merchantId);
    await voidInvoice(deps, { invoiceId: october?.id ?? "", reason: "An error", ...operator });
    at("2026-11-03T00:00:00Z");
    await reportSms(deps, merchantId, { quantity: 7, time: new Date("2026-10-15T12:00:00Z") });
    await runDueWork(deps, new Date("2026-12-02T00:00:00Z"));
    expect((await briefOf(merchantId))[1]?.lines).toEqual([
      ["flat", null, 3100],
      ["late", "own:sms", 14],
    ]);
    const [subscription] = await deps.db.prisma.$queryRaw<{ id: string }[]>`
      SELECT id FROM billing_subscription WHERE merchant_id = ${merchantId}`;
    const billed = () => listBilled(deps.db.sql, subscription?.id ?? "", [start, october?.from ?? start]);
    expect(await billed()).toMatchObject([{ meter: "own:sms", quantity: "17" }, { meter: null }]);
    await makeFinalInvoice(deps, { merchantId, subscriptionId: subscription?.id ?? "", flat: 1n });
    expect(await billed()).toMatchObject([
      { meter: "own:sms", quantity: "7" },
      { meter: null, exact: "1" },
    ]);
  });

  test("late events are charged only for the amount above the true-up that was billed for their period", async () => {
    const merchantId = await makeSubscriber(deps, "minimum");
    await reportSms(deps, merchantId, { quantity: 400 });
    await runDueWork(deps, new Date("2026-11-02T00:00:00Z"));
    at("2026-11-03T00:00:00Z");
    await reportSms(deps, merchantId, { quantity: 150, time: new Date("2026-10-15T12:00:00Z") });
    await runDueWork(deps, new Date("2026-12-02T00:00:00Z"));
    const [first, second] = await briefOf(merchantId);
    expect(first?.lines).toEqual([
      ["usage", "own:sms", 800],
      ["true_up", null, 200],
    ]);
    expect(second?.lines).toEqual([
      ["late", "own:sms", 100],
      ["true_up", null, 1000],
    ]);
  });

  test("the events of an ended subscription are billed by a last invoice", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    await change(deps, merchantId, { planId: "pro", cancelAt: new Date("2026-10-11T12:00:00Z") });
    await runDueWork(deps, new Date("2026-10-13T00:00:00Z"));
    at("2026-10-20T00:00:00Z");
    await reportSms(deps, merchantId, { quantity: 3, time: new Date("2026-10-11T11:00:00Z") });
    await reportSms(deps, merchantId, { quantity: 100, time: new Date("2026-10-11T12:00:00Z") });
    await runDueWork(deps, new Date("2027-01-01T00:00:00Z"));
    expect(await briefOf(merchantId)).toMatchObject([
      { status: "open", lines: [["flat", null, 1000]] },
      { status: "open", lines: [["late", "own:sms", 6]] },
    ]);
  });

  test("a refund credits its fee exactly, on the invoice for the refund's period and currency", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    const october = new Date("2026-10-10T00:00:00Z");
    const charge = await chargeOf(merchantId, { amount: 1_000, finalAt: october });
    await chargeOf(merchantId, { amount: 100, finalAt: october });
    const usd = await chargeOf(merchantId, { amount: 5_000, finalAt: october, currency: "USD" });
    await refund(merchantId, charge, { amount: 333, givenAt: new Date("2026-11-05T00:00:00Z") });
    await refund(merchantId, usd, { amount: 5_000, givenAt: new Date("2026-10-20T00:00:00Z") });
    await runDueWork(deps, new Date("2026-12-02T00:00:00Z"));
    const invoices = await invoicesOf(deps, merchantId);
    expect(invoices.map(({ currency, from, lines }) => [currency, from.getUTCMonth() + 1, lines])).toMatchObject([
      ["EUR", 10, [{ kind: "flat" }, { kind: "usage", quantity: 2, amount: 15 }]],
      [
        "USD",
        10,
        [
          { kind: "usage", quantity: 1, amount: 100 },
          { kind: "refund", quantity: 1, amount: -100 },
        ],
      ],
      ["EUR", 11, [{ kind: "flat" }, { kind: "refund", quantity: 1, exact: -3.33, amount: -3 }]],
    ]);
  });

  test("the fee of each refund is credited once: by the ended subscription while it accepts late events, afterwards by the new one", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    const charges: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      charges.push(await chargeOf(merchantId, { amount: 1_000, finalAt: new Date("2026-10-05T00:00:00Z") }));
    }
    at("2026-10-11T12:00:00Z");
    await change(deps, merchantId, { planId: "pro", cancelAt: new Date("2026-10-11T12:00:00Z") });
    at("2026-10-15T12:00:00Z");
    await assign(deps, merchantId, { planId: "pro" });
    charges.push(await chargeOf(merchantId, { amount: 1_000, finalAt: new Date("2026-10-20T00:00:00Z") }));
    const times = ["2026-11-01", "2026-11-14", "2026-11-17", "2026-11-02"];
    for (const [index, day] of times.entries()) {
      await refund(merchantId, charges[index] ?? "", {
        amount: 100 * 2 ** index,
        givenAt: new Date(`${day}T00:00:00Z`),
      });
    }
    await runDueWork(deps, new Date("2027-02-01T00:00:00Z"));
    expect(await refundLinesOf(merchantId)).toEqual([
      [-3, 2],
      [-8, 1],
      [-4, 1],
    ]);
  });

  /**
   * For each refund line, the exact amount and the number of events. Also checks that the list of events is complete.
   */
  const refundLinesOf = async (merchantId: string) => {
    const lines = await deps.db.prisma.$queryRaw<
      { invoiceId: string; lineId: string; exact: number; count: number; hash: string }[]
    >`
      SELECT i.id AS "invoiceId", l.id AS "lineId", l.exact::float AS exact, l.event_count::int AS count,
             l.event_set_hash AS hash FROM billing_invoice i JOIN billing_invoice_line l ON l.invoice_id = i.id
       WHERE i.merchant_id = ${merchantId} AND l.kind = 'refund' ORDER BY i.period_from, l.position`;
    for (const { invoiceId, lineId, hash } of lines) {
      const page = { limit: 10, startingAfter: null, endingBefore: null };
      const { events } = await listEventsOfLine(deps, { merchantId, invoiceId, lineId, ...page });
      const ids = events.map(({ id }) => id).toSorted();
      expect(createHash("sha256").update(ids.join("\n")).digest("hex")).toBe(hash);
    }
    return lines.map(({ exact, count }) => [exact, count]);
  };

  test("if a refund fails after its fee was credited, the fee is charged again once, and another refund credits it again", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    const october = new Date("2026-10-10T00:00:00Z");
    const [one, other] = [
      await chargeOf(merchantId, { amount: 1_000, finalAt: october }),
      await chargeOf(merchantId, { amount: 2_000, finalAt: october }),
    ];
    const given = (chargeId: string, amount: number, day: string) =>
      refund(merchantId, chargeId, { amount, givenAt: new Date(`${day}T00:00:00Z`) });
    const fails = (id: string, day: string) => failRefund(deps, id, new Date(`${day}T00:00:00Z`));
    await runDueWork(deps, new Date("2026-11-02T00:00:00Z"));
    at("2026-11-02T00:00:00Z");
    // A credit note reverses half of the fees, so a refund credits half of its fee.
    const [first] = await invoicesOf(deps, merchantId);
    const line = (await findInvoiceLineRows(deps.db.sql, first?.id ?? "")).find(({ kind }) => kind === "usage");
    const lines = [{ lineId: line?.id ?? "", amountMinor: 15n }];
    await createCreditNote(deps, { invoiceId: first?.id ?? "", lines, reason: "A test", key: "f", ...operator });
    const failing = await given(one, 1_000, "2026-11-05");
    await given(other, 1_000, "2026-11-06");
    await fails(await given(other, 500, "2026-11-07"), "2026-11-08");
    await runDueWork(deps, new Date("2026-12-02T00:00:00Z"));
    const november = [-10, 2];
    expect(await refundLinesOf(merchantId)).toEqual([november]);
    await fails(failing, "2026-12-10");
    expect(await refundLinesOf(merchantId)).toEqual([november]);
    await given(one, 1_000, "2026-12-20");
    await runDueWork(deps, new Date("2027-03-02T00:00:00Z"));
    expect(await refundLinesOf(merchantId)).toEqual([november, [-5, 1], [5, 1]]);
    const december = (await invoicesOf(deps, merchantId)).find(({ from }) => from.getUTCMonth() === 11);
    let csv = "";
    for await (const part of await exportInvoiceCsv(deps, { merchantId, invoiceId: december?.id ?? "" })) csv += part;
    const rows = csv.split("\r\n").map((row) => row.split(","));
    expect(rows.filter((row) => row[1] === "refund").map((row) => row.at(-1))).toEqual(["-10", "10"]);
  });

  test("if a refund fails long after its subscription ended, the newest subscription charges the fee again", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    const chargeId = await chargeOf(merchantId, { amount: 1_000, finalAt: new Date("2026-10-05T00:00:00Z") });
    at("2026-10-11T12:00:00Z");
    await change(deps, merchantId, { planId: "pro", cancelAt: new Date("2026-10-11T12:00:00Z") });
    at("2026-10-15T12:00:00Z");
    await assign(deps, merchantId, { planId: "pro" });
    const failing = await refund(merchantId, chargeId, { amount: 1_000, givenAt: new Date("2026-11-15T06:00:00Z") });
    await failRefund(deps, failing, new Date("2026-11-17T00:00:00Z"));
    await runDueWork(deps, new Date("2027-02-01T00:00:00Z"));
    expect(await refundLinesOf(merchantId)).toEqual([
      [-10, 1],
      [10, 1],
    ]);
  });

  test("a refund credits nothing if its fee was voided, and only the rest if a credit note already credited a part", async () => {
    const merchants = await Promise.all([1, 2, 3].map(() => makeSubscriber(deps, "pro")));
    for (const merchantId of merchants) {
      const chargeId = await chargeOf(merchantId, { amount: 10_000, finalAt: new Date("2026-10-10T00:00:00Z") });
      await refund(merchantId, chargeId, { amount: 10_000, givenAt: new Date("2026-11-05T00:00:00Z") });
    }
    await runDueWork(deps, new Date("2026-11-02T00:00:00Z"));
    at("2026-11-02T00:00:00Z");
    const [voided = "", credited = "", kept = ""] = merchants;
    const [first] = await invoicesOf(deps, voided);
    await voidInvoice(deps, { invoiceId: first?.id ?? "", reason: "A test", ...operator });
    const [second] = await invoicesOf(deps, credited);
    const line = (await findInvoiceLineRows(deps.db.sql, second?.id ?? "")).find(({ kind }) => kind === "usage");
    const lines = [{ lineId: line?.id ?? "", amountMinor: 75n }];
    await createCreditNote(deps, { invoiceId: second?.id ?? "", lines, reason: "A test", key: "k", ...operator });
    await runDueWork(deps, new Date("2026-12-02T00:00:00Z"));
    const refundsOf = async (merchantId: string) =>
      (await invoicesOf(deps, merchantId)).flatMap((invoice) => invoice.lines.filter(({ kind }) => kind === "refund"));
    expect(await refundsOf(voided)).toEqual([]);
    expect(await refundsOf(credited)).toMatchObject([{ exact: -25 }]);
    expect(await refundsOf(kept)).toMatchObject([{ exact: -100 }]);
  });

  test("coupons reduce each invoice, but a coupon with an amount applies only once per period", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    await deps.db.prisma.$executeRaw`INSERT INTO billing_applied_coupon (id, subscription_id, code, version, applied_at)
      SELECT 'cpa_' || c.code || s.id, s.id, c.code, 1, ${start} FROM billing_subscription s, billing_coupon_version c WHERE s.merchant_id = ${merchantId}`;
    at("2026-10-11T12:00:00Z");
    await change(deps, merchantId, { planId: "scale" });
    await runDueWork(deps, new Date("2026-11-02T00:00:00Z"));
    expect((await invoicesOf(deps, merchantId)).map(({ total }) => total)).toEqual([0n, 2100n]);
  });

  test("a coupon with an amount, applied after a change of plan, reduces only the current part of the period", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    const coupon = { merchantId, code: "TENNER", reason: "test", ...operator };
    const next = async () => (await preview(deps, merchantId, { planId: "scale" })).next.total;
    at("2026-10-11T12:00:00Z");
    await change(deps, merchantId, { planId: "scale" });
    await applyCoupon(deps, coupon);
    deps.clock.advance(1);
    expect(await next()).toBe(3200);
    at("2026-10-21T12:00:00Z");
    await change(deps, merchantId, { planId: "pro" });
    await removeCoupon(deps, coupon);
    await applyCoupon(deps, coupon);
    await runDueWork(deps, new Date("2026-12-02T00:00:00Z"));
    const totals = (await invoicesOf(deps, merchantId)).map(({ total }) => total);
    expect(totals).toEqual([1000n, 1000n, 1100n, 2100n]);
  });

  test("one move of the clock bills a year: each period is closed and finalized at its own time", async () => {
    const merchantId = await makeSubscriber(deps, "pro", { timeZone: "Europe/Berlin" });
    await runDueWork(deps, new Date("2027-10-02T22:00:00Z"));
    const invoices = await invoicesOf(deps, merchantId);
    expect(invoices.map(({ to, total }) => [to.toISOString(), total])).toEqual(
      [
        "2026-10-31T23:00:00.000Z",
        "2026-11-30T23:00:00.000Z",
        "2026-12-31T23:00:00.000Z",
        "2027-01-31T23:00:00.000Z",
        "2027-02-28T23:00:00.000Z",
        "2027-03-31T22:00:00.000Z",
        "2027-04-30T22:00:00.000Z",
        "2027-05-31T22:00:00.000Z",
        "2027-06-30T22:00:00.000Z",
        "2027-07-31T22:00:00.000Z",
        "2027-08-31T22:00:00.000Z",
        "2027-09-30T22:00:00.000Z",
      ].map((to) => [to, 3100n]),
    );
    const issued = await deps.db.prisma.$queryRaw<{ late: boolean }[]>`
      SELECT issued_at <> period_to + interval '24 hours' AS late FROM billing_invoice WHERE merchant_id = ${merchantId}`;
    expect(issued).toEqual(Array(12).fill({ late: false }));
  });

  test("workers share the work, and each period is closed and finalized once", async () => {
    const merchants = await Promise.all(Array.from({ length: 12 }, () => makeSubscriber(deps, "pro")));
    const others = await Promise.all([1, 2, 3].map(() => anotherNode(deps)));
    try {
      for (const day of ["2026-11-01", "2026-11-02"]) {
        at(`${day}T00:00:00Z`);
        const nodes = others.map((one) => ({ ...one, clock: deps.clock, businessClock: deps.businessClock }));
        const done = await Promise.all([deps, ...nodes].map(bill));
        expect(done.reduce((sum, one) => sum + one, 0)).toBe(12);
      }
    } finally {
      await Promise.all(others.map((one) => one.close()));
    }
    const invoices = (await Promise.all(merchants.map((id) => invoicesOf(deps, id)))).flat();
    expect(invoices).toHaveLength(12);
    const numbers = invoices.map(({ number }) => Number(number?.slice(-6))).sort((one, other) => one - other);
    expect((numbers.at(-1) ?? 0) - (numbers[0] ?? 0)).toBe(11);
  });

  test.each([1, 5, 12, 20, 30])(
    "a failure at statement %i leaves no partial changes, and the step is repeated",
    async (failing) => {
      const merchantId = await makeSubscriber(deps, "pro");
      await reportSms(deps, merchantId, { quantity: 10 });
      for (const day of ["2026-11-01", "2026-11-02"]) {
        at(`${day}T00:00:00Z`);
        const before = await stateOf(merchantId);
        let count = 0;
        const sqlTransaction: TestDeps["db"]["sqlTransaction"] = (work, options) =>
          deps.db.sqlTransaction(
            (sql) =>
              work({
                query: (statement, values) => {
                  count += 1;
                  if (count === failing) throw new Error("killed");
                  return sql.query(statement, values);
                },
              }),
            options,
          );
        const dying = { ...deps, db: { ...deps.db, sqlTransaction }, log: { ...deps.log, error() {} } };
        await billDuePeriods(dying, { limit: 1 }).catch(() => 0);
        if (count >= failing) expect(await stateOf(merchantId)).toEqual(before);
        deps.clock.advance(600);
        await bill();
      }
      expect(await briefOf(merchantId)).toMatchObject([
        {
          status: "open",
          lines: [
            ["flat", null, 3100],
            ["usage", "own:sms", 20],
          ],
        },
      ]);
    },
  );

  /** All values that a failed step must not change. A failure sets `retry_at`, so this column is left out. */
  const stateOf = async (merchantId: string) => [
    (await invoicesOf(deps, merchantId)).map(brief),
    await deps.db.prisma.$queryRaw`SELECT p."from", p."to", p.state, p.due_at, s.revision FROM billing_period p
      JOIN billing_subscription s ON s.id = p.subscription_id WHERE s.merchant_id = ${merchantId} ORDER BY 1`,
    await deps.db.prisma.$queryRaw`SELECT * FROM billing_number`,
  ];

  test("a period waits while a meter differs from its source, and other periods continue", async () => {
    const [held, other] = [await makeSubscriber(deps, "pro"), await makeSubscriber(deps, "pro")];
    await reportSms(deps, held, { quantity: 10 });
    await deps.db.prisma.$executeRaw`UPDATE usage_hour SET quantity = quantity + 1 WHERE merchant_id = ${held}`;
    await runDueWork(deps, new Date("2026-11-02T00:00:00Z"));
    expect(await briefOf(held)).toMatchObject([{ status: "draft" }]);
    expect(await briefOf(other)).toMatchObject([{ status: "open" }]);
    const [period] = await deps.db.prisma.$queryRaw<{ hold: string }[]>`
      SELECT hold FROM billing_period p JOIN billing_subscription s ON s.id = p.subscription_id WHERE merchant_id = ${held} AND p.state = 'draft'`;
    expect(period?.hold).toBe("reconciliation");
    await deps.db.prisma.$executeRaw`UPDATE usage_hour SET quantity = quantity - 1 WHERE merchant_id = ${held}`;
    at("2026-11-02T00:10:00Z");
    await bill();
    expect(await briefOf(held)).toMatchObject([{ status: "open" }]);
  });

  test("in production, a period waits until the merchant's tax status is known", async () => {
    const production = { ...deps, config: { ...deps.config, environment: "production" as const } };
    const merchantId = await makeSubscriber(deps, "pro");
    for (const day of ["2026-11-01", "2026-11-02"]) {
      at(`${day}T00:00:00Z`);
      await bill(production);
    }
    expect(await briefOf(merchantId)).toMatchObject([{ status: "draft" }]);
    await deps.db.prisma.$executeRaw`INSERT INTO billing_tax_rate_version (key, version, hash, definition, applied_at)
      VALUES ('DE', 1, 'h', '{"category":"S","rate":"19","behaviour":"exclusive"}', ${start}) ON CONFLICT DO NOTHING`;
    await deps.db.prisma
      .$executeRaw`INSERT INTO billing_tax_details (merchant_id, version, legal_name, line1, city, country, tax_region, created_at)
      VALUES (${merchantId}, 1, 'Shop', 'Street 1', 'Berlin', 'DE', 'DE', ${start})`;
    at("2026-11-02T02:00:00Z");
    await bill(production);
    expect(await invoicesOf(deps, merchantId)).toMatchObject([{ status: "open", total: 3689n }]);
  });

  test("a plan with migrate: next_period moves subscriptions at the start of their next period", async () => {
    const plan = (from: string, flat: number, flags = "") =>
      `catalogue: 1\nplans:\n  moving: {name: Moving, effective_from: ${from}, interval: month, currencies: {EUR: {flat: ${flat}}}${flags}}\n`;
    await applyPlans(deps, plan("2026-10-01", 500));
    const merchantId = await makeSubscriber(deps, "moving");
    await applyPlans(deps, plan("2026-10-01", 700, ", migrate: next_period"));
    // A version that isn't in effect yet doesn't delay the move to the version in effect.
    await applyPlans(deps, plan("2026-11-15", 900, ", migrate: next_period"));
    await runDueWork(deps, new Date("2027-01-02T00:00:00Z"));
    expect((await invoicesOf(deps, merchantId)).map(({ total }) => total)).toEqual([500n, 700n, 900n]);
  });

  test("a mandate counts once a month, even if the interval of the plan changes within the month", async () => {
    const price = 'currencies: {EUR: {prices: {active_mandates: {model: per_unit, unit: "10"}}}}';
    const plan = (interval: string) =>
      `catalogue: 1\nplans:\n  ${interval}ly: {name: Mandates, effective_from: 2026-10-01, interval: ${interval}, ${price}}\n`;
    await applyPlans(deps, plan("month"));
    await applyPlans(deps, plan("quarter"));
    const merchantId = await makeSubscriber(deps, "monthly");
    const charge = (day: string) => chargeOf(merchantId, { amount: 100, finalAt: new Date(`${day}T12:00:00Z`) });
    for (const day of ["2026-10-05", "2026-10-20", "2026-11-10", "2027-01-10"]) await charge(day);
    at("2026-10-15T10:00:00Z");
    await change(deps, merchantId, { planId: "quarterly" });
    await runDueWork(deps, new Date("2027-01-17T00:00:00Z"));
    const counted = (await invoicesOf(deps, merchantId)).map(({ lines }) => lines.map(({ quantity }) => quantity));
    // The mandate counts in October before the change, and in November and January after it, but not in October again.
    expect(counted).toEqual([[1], [2]]);
  });

  test("a subscription doesn't move to a version that has no prices in its currency or in a currency of its charges", async () => {
    const plan = (from: string, currencies: string, flags = "") =>
      `catalogue: 1\nplans:\n  shrinking: {name: Shrinking, effective_from: ${from}, interval: month, currencies: {${currencies}}${flags}}\n`;
    const charges = 'prices: {successful_charges: {model: basis_points, rate: "100"}}';
    await applyPlans(deps, plan("2026-10-01", `EUR: {flat: 500}, USD: {flat: 600, ${charges}}`));
    await applyPlans(deps, plan("2026-10-15", "EUR: {flat: 700}", ", migrate: next_period"));
    const [moved, charged] = [await makeSubscriber(deps, "shrinking"), await makeSubscriber(deps, "shrinking")];
    await chargeOf(charged, { amount: 10_000, currency: "USD", finalAt: deps.clock.now() });
    const { id: dollars } = await makeMerchant(deps);
    await assign(deps, dollars, { planId: "shrinking", currency: "USD" });
    await runDueWork(deps, new Date("2026-12-02T00:00:00Z"));
    const totalsOf = async (merchantId: string) =>
      (await invoicesOf(deps, merchantId)).map(({ currency, total }) => `${currency} ${total}`);
    expect(await totalsOf(moved)).toEqual(["EUR 500", "EUR 700"]);
    expect(await totalsOf(charged)).toEqual(["EUR 500", "USD 100", "EUR 500"]);
    expect(await totalsOf(dollars)).toEqual(["USD 600", "USD 600"]);
  });

  test("a charge in a currency without prices has no fee and no credit, and doesn't stop billing", async () => {
    const merchantId = await makeSubscriber(deps, "free");
    await reportSms(deps, merchantId, { quantity: 10 });
    const captured = new Date("2026-10-10T00:00:00Z");
    const chargeId = await chargeOf(merchantId, { amount: 1_000, currency: "USD", finalAt: captured });
    await refund(merchantId, chargeId, { amount: 1_000, givenAt: new Date("2026-11-05T00:00:00Z") });
    await runDueWork(deps, new Date("2026-12-02T00:00:00Z"));
    expect(await briefOf(merchantId)).toMatchObject([{ status: "open", lines: [["usage", "own:sms", 10]] }]);
    const periods = await deps.db.prisma.$queryRaw`SELECT state, hold FROM billing_period p
      JOIN billing_subscription s ON s.id = p.subscription_id WHERE s.merchant_id = ${merchantId} ORDER BY p."from"`;
    expect(periods).toMatchObject([{ state: "final" }, { state: "final", hold: null }, { state: "open", hold: null }]);
  });
});

describe("each event is billed exactly once (docs/spec/billing.md, Plan changes)", () => {
  const zones = ["UTC", "Europe/Berlin", "America/Sao_Paulo", "Pacific/Apia", "Australia/Lord_Howe"];
  const plans = ["free", "pro", "scale", "minimum"];

  test.each(zones.map((zone, seed) => [zone, seed] as const))(
    "in %s, across changes of plan, late events and clock changes",
    async (timeZone, seed) => {
      at("2026-10-05T09:00:00Z");
      let random = seed + 7;
      const next = (below: number): number => {
        random = (random * 48_271) % 2_147_483_647;
        return random % below;
      };
      const merchantId = await makeSubscriber(deps, "pro", { timeZone });
      const begin = deps.clock.now();
      let sent = 0;
      for (let step = 0; step < 30; step += 1) {
        const now = addSeconds(deps.clock.now(), 3_600 + next(6 * 24 * 3_600));
        await runDueWork(deps, now);
        deps.clock.set(now);
        const quantity = 1 + next(9);
        const late = addSeconds(now, -next(34 * 24 * 3_600));
        await reportSms(deps, merchantId, { quantity, time: late > begin && next(2) === 0 ? late : now });
        sent += quantity;
        if (next(4) > 0) continue;
        const planId = plans[next(plans.length)] ?? "pro";
        const effective = next(2) === 0 ? "now" : "period_end";
        const seen = await preview(deps, merchantId, { planId, effective });
        await change(deps, merchantId, { planId, effective, hash: seen.hash }).catch((error: { code?: string }) => {
          if (error.code !== "change_pending") throw error;
        });
      }
      await change(deps, merchantId, { planId: "free", cancelAt: deps.clock.now() }).catch(() => null);
      await runDueWork(deps, addSeconds(deps.clock.now(), 100 * 24 * 3_600));
      const invoices = await invoicesOf(deps, merchantId);
      expect(invoices.every(({ status }) => status !== "draft")).toBe(true);
      const billed = invoices.flatMap(({ lines }) => lines.filter(({ meter }) => meter === "own:sms"));
      expect(billed.reduce((sum, { quantity }) => sum + Number(quantity), 0)).toBe(sent);
      for (const [index, { to }] of invoices.entries()) {
        const following = invoices[index + 1];
        if (following) expect(following.from >= to).toBe(true);
      }
    },
    120_000,
  );
});
