import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { getInvoice } from "../../invoices/read/get-invoice.ts";
import { listEventsOfLine } from "../../invoices/read/list-line-events.ts";
import { createCreditNote } from "../../invoices/transitions/create-credit-note.ts";
import { voidInvoice } from "../../invoices/transitions/void-invoice.ts";
import { toExact } from "../../rules/exact/exact.ts";
import { failRefund, makeCharge, makeRefund } from "../charge-rows.fixture.ts";
import {
  applyPlans,
  assign,
  bill,
  change,
  forgetReconciliation,
  invoicesOf,
  makeSubscriber,
  moveTo,
  reportSms,
  skipSlaCredits,
} from "../subscription.fixture.ts";
import { keptFees } from "./kept-fees.ts";

let deps: TestDeps;
const start = new Date("2026-10-01T10:00:00Z");
beforeAll(async () => {
  deps = await createTestDeps({ now: start });
  await applyPlans(deps, plans);
});
afterAll(() => deps.close());
beforeEach(async () => {
  deps.clock.set(start);
  await forgetReconciliation(deps);
});

const plans = `catalogue: 1
plans:
  volume:
    name: Volume
    effective_from: 2026-10-01
    interval: month
    currencies: {EUR: {maximum: 800, prices: {"own:sms": {model: volume, tiers: [{up_to: 100, unit: "10"}, {unit: "7"}]}}}}
  units:
    name: Units
    effective_from: 2026-10-01
    interval: month
    currencies: {EUR: {maximum: 800, prices: {"own:sms": {model: per_unit, unit: "1"}}}}
  fees:
    name: Fees
    effective_from: 2026-10-01
    interval: month
    currencies: {EUR: {flat: 1000, prices: {successful_charges: {model: basis_points, rate: "1000"}}}}
  tiers:
    name: Tiers
    effective_from: 2026-10-01
    interval: month
    currencies: {EUR: {flat: 2000, prices: {"own:sms": {model: volume, tiers: [{up_to: 100, unit: "10"}, {unit: "7"}]}}}}
  other: {name: Other, effective_from: 2026-10-01, interval: month, currencies: {EUR: {}}}
tax_rates:
  DE: {category: S, rate: "19", behaviour: exclusive}
  FR: {category: S, rate: "20", behaviour: inclusive}
`;
const by = { actor: { kind: "operator", id: "acc_1" }, requestId: "req_1" } as const;
const at = (text: string) => deps.clock.set(new Date(text));
const time = new Date("2026-10-05T00:00:00Z");
const amountsOf = async (merchantId: string) =>
  (await invoicesOf(deps, merchantId)).map(({ status, total, lines }) => [
    status,
    Number(total),
    ...lines.map(({ kind, meter, exact }) => [kind, meter, exact]),
  ]);

describe("late usage of a period with a maximum (docs/spec/billing.md, Arithmetic of invoices)", () => {
  test("if late usage lowers the price below the maximum, the difference is credited; if late usage arrives for several invoices, the difference is credited only once", async () => {
    const merchantId = await makeSubscriber(deps, "volume");
    await reportSms(deps, merchantId, { quantity: 100 });
    at("2026-11-02T00:00:00Z");
    await bill(deps);
    await reportSms(deps, merchantId, { quantity: 1, time: start });
    at("2026-11-02T12:00:00Z");
    await change(deps, merchantId, { planId: "other" });
    at("2026-11-03T00:00:00Z");
    await bill(deps);
    await reportSms(deps, merchantId, { quantity: 20, time: start });
    at("2026-12-02T00:00:00Z");
    await bill(deps);
    expect(await amountsOf(merchantId)).toEqual([
      ["open", 800, ["usage", "own:sms", 1000]],
      ["paid", 0, ["late", "own:sms", -93]],
      // The usage now costs 847, which is above the maximum again. The credit balance pays the invoice.
      ["paid", 93, ["late", "own:sms", 140]],
    ]);
  });

  test("if an invoice with a credit for late usage becomes void, the next invoice repeats the credit; if that invoice becomes void too, the one after it repeats the credit", async () => {
    const merchantId = await makeSubscriber(deps, "volume");
    await reportSms(deps, merchantId, { quantity: 100 });
    at("2026-11-02T00:00:00Z");
    await bill(deps);
    await reportSms(deps, merchantId, { quantity: 1, time: start });
    await reportSms(deps, merchantId, { quantity: 50 });
    for (const date of ["2026-12-02", "2027-01-02", "2027-02-02"]) {
      at(`${date}T00:00:00Z`);
      await bill(deps);
      const last = (await invoicesOf(deps, merchantId)).at(-1);
      if (date !== "2027-02-02") await voidInvoice(deps, { invoiceId: last?.id ?? "", reason: "Test", ...by });
      await reportSms(deps, merchantId, { quantity: 50 });
    }
    const late = ["late", "own:sms", -93];
    expect((await amountsOf(merchantId)).slice(1)).toEqual([
      ["void", 407, ["usage", "own:sms", 500], late],
      ["void", 407, ["usage", "own:sms", 500], late],
      ["open", 407, ["usage", "own:sms", 500], late],
    ]);
    const [last] = (await invoicesOf(deps, merchantId)).slice(-1);
    const events = await deps.db.prisma.$queryRaw`
      SELECT description, event_count::int AS events FROM billing_invoice_line WHERE invoice_id = ${last?.id} AND kind = 'late'`;
    expect(events).toMatchObject([{ events: 1, description: expect.stringContaining("(void invoice ") }]);
  });

  test("late usage of an earlier part reduces the cost of a later part of the period", async () => {
    const merchantId = await makeSubscriber(deps, "units");
    at("2026-10-11T00:00:00Z");
    await reportSms(deps, merchantId, { quantity: 500, time });
    await change(deps, merchantId, { planId: "other" });
    at("2026-10-15T00:00:00Z");
    await change(deps, merchantId, { planId: "units" });
    await reportSms(deps, merchantId, { quantity: 400 });
    at("2026-11-02T00:00:00Z");
    await bill(deps);
    await reportSms(deps, merchantId, { quantity: 200, time });
    at("2026-12-02T00:00:00Z");
    await bill(deps);
    const [first, last, next] = await amountsOf(merchantId);
    expect([first, last]).toEqual([
      ["open", 500, ["usage", "own:sms", 500]],
      ["open", 300, ["usage", "own:sms", 400]],
    ]);
    // Together, the parts cost the maximum. Late usage adds an amount to the earlier part, and the later part
    // is credited with the same amount.
    expect(next).toEqual(["paid", 0, ["late", "own:sms", 200], ["late", null, -200]]);
  });
});

describe("the events behind lines (docs/spec/billing.md, Events of a period)", () => {
  /** For each invoice line: its kind, its quantity, and the quantities of the events that are listed for it. */
  const listedOf = async (merchantId: string) => {
    const listed: [string, number, bigint[]][] = [];
    for (const { id: invoiceId, lines: stored } of await invoicesOf(deps, merchantId)) {
      const { lines } = await getInvoice(deps, { merchantId, invoiceId });
      for (const [index, { id: lineId, kind }] of lines.entries()) {
        const page = { limit: 10, startingAfter: null, endingBefore: null };
        const { events } = await listEventsOfLine(deps, { merchantId, invoiceId, lineId, ...page });
        listed.push([kind, stored[index]?.quantity ?? 0, events.map(({ quantity }) => quantity)]);
      }
    }
    return listed;
  };

  test("an invoice waits until a concurrent request has recorded its event, and then counts and lists this event", async () => {
    const merchantId = await makeSubscriber(deps, "units");
    await reportSms(deps, merchantId, { quantity: 1 });
    const [recorded, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const sqlTransaction: TestDeps["db"]["sqlTransaction"] = (work, options) =>
      deps.db.sqlTransaction(async (sql) => {
        const result = await work(sql);
        recorded.resolve();
        await resumed.promise;
        return result;
      }, options);
    at("2026-11-01T00:00:00Z");
    const reported = reportSms({ ...deps, db: { ...deps.db, sqlTransaction } }, merchantId, { quantity: 7, time });
    await recorded.promise;
    at("2026-11-02T00:00:00Z");
    const billed = bill(deps);
    const waiting = () =>
      deps.db.prisma.$queryRaw<unknown[]>`
        SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await expect.poll(waiting).toHaveLength(1);
    resumed.resolve();
    await Promise.all([reported, billed]);
    expect(await listedOf(merchantId)).toEqual([["usage", 8, [1n, 7n]]]);
  });

  test("if a process with a slow clock records an event after the cut-off, the event is on the next invoice", async () => {
    const merchantId = await makeSubscriber(deps, "units");
    await reportSms(deps, merchantId, { quantity: 1 });
    at("2026-11-02T00:00:00Z");
    await bill(deps);
    at("2026-11-01T23:59:58Z");
    await reportSms(deps, merchantId, { quantity: 7, time });
    at("2026-12-02T00:00:00Z");
    await bill(deps);
    expect(await listedOf(merchantId)).toEqual([
      ["usage", 1, [1n]],
      ["late", 7, [7n]],
    ]);
  });
});

describe("the credits of void invoices (docs/spec/billing.md, Invoices)", () => {
  const voidLast = async (merchantId: string) => {
    const last = (await invoicesOf(deps, merchantId)).findLast(({ status }) => status === "open");
    await voidInvoice(deps, { invoiceId: last?.id ?? "", reason: "Test", ...by });
  };
  const october = new Date("2026-10-10T00:00:00Z");
  const refundAndBill = async (merchantId: string) => {
    const chargeId = await makeCharge(deps, merchantId, { amount: 1_000, finalAt: october });
    at("2026-11-02T00:00:00Z");
    await bill(deps);
    const refundId = await makeRefund(deps, merchantId, {
      chargeId,
      amount: 400,
      givenAt: new Date("2026-11-10T00:00:00Z"),
    });
    at("2026-12-02T00:00:00Z");
    await bill(deps);
    return { chargeId, refundId };
  };
  const [credit, charge] = [
    ["refund", "successful_charges", -40],
    ["refund", "successful_charges", 40],
  ];
  const flat = ["flat", null, 1000];

  test("refunded fees are credited again on the next invoice, and the new line lists the same refunds", async () => {
    const merchantId = await makeSubscriber(deps, "fees");
    const { chargeId } = await refundAndBill(merchantId);
    await voidLast(merchantId);
    at("2027-01-02T00:00:00Z");
    await bill(deps);
    expect((await amountsOf(merchantId)).slice(1)).toEqual([
      ["void", 960, flat, credit],
      ["open", 960, flat, credit],
    ]);
    const invoiceId = (await invoicesOf(deps, merchantId)).at(-1)?.id ?? "";
    const { lines } = await getInvoice(deps, { merchantId, invoiceId });
    const line = lines.find(({ kind }) => kind === "refund");
    const page = { limit: 10, startingAfter: null, endingBefore: null };
    const listed = await listEventsOfLine(deps, { merchantId, invoiceId, lineId: line?.id ?? "", ...page });
    expect([line?.eventCount, listed.events.map(({ subject }) => subject)]).toEqual([1n, [chargeId]]);
  });

  test("if the invoice that credits a refund becomes void and the refund then fails, each later invoice has the credit and an equal charge", async () => {
    const merchantId = await makeSubscriber(deps, "fees");
    const { refundId } = await refundAndBill(merchantId);
    await voidLast(merchantId);
    await failRefund(deps, refundId, new Date("2026-12-10T00:00:00Z"));
    at("2027-01-02T00:00:00Z");
    await bill(deps);
    await voidLast(merchantId);
    at("2027-02-02T00:00:00Z");
    await bill(deps);
    expect((await amountsOf(merchantId)).slice(1)).toEqual([
      ["void", 960, flat, credit],
      ["void", 1000, flat, charge, credit],
      ["open", 1000, flat, charge, credit],
    ]);
  });

  test("if both the invoice that charged the fee and the invoice that credited it become void, nothing is credited, and a failed refund charges nothing", async () => {
    const merchantId = await makeSubscriber(deps, "fees");
    const { refundId } = await refundAndBill(merchantId);
    await voidLast(merchantId);
    await voidLast(merchantId);
    await failRefund(deps, refundId, new Date("2026-12-10T00:00:00Z"));
    at("2027-01-02T00:00:00Z");
    await bill(deps);
    expect((await amountsOf(merchantId)).at(-1)).toEqual(["open", 1000, flat]);
  });

  /** Ends the subscription on 2026-12-05 and bills until its last invoice is final. */
  const endAndBill = async (merchantId: string) => {
    at("2026-12-05T00:00:00Z");
    await change(deps, merchantId, { planId: "fees", cancelAt: new Date("2026-12-05T00:00:00Z") });
    await skipSlaCredits(deps, merchantId);
    for (const date of ["2026-12-06", "2027-01-10", "2027-01-11"]) {
      at(`${date}T00:00:00Z`);
      await bill(deps);
    }
  };

  const voidNth = async (merchantId: string, index: number) => {
    const invoice = (await invoicesOf(deps, merchantId))[index];
    await voidInvoice(deps, { invoiceId: invoice?.id ?? "", reason: "Test", ...by });
  };

  describe("if the invoice with a refunded fee becomes void after the fee was credited", () => {
    const billAt = async (text: string) => {
      at(text);
      await bill(deps);
    };

    test("the next invoice charges the credited amount in a line without events, and a failed refund charges nothing", async () => {
      const merchantId = await makeSubscriber(deps, "fees");
      const { refundId } = await refundAndBill(merchantId);
      await voidNth(merchantId, 0);
      await failRefund(deps, refundId, new Date("2026-12-10T00:00:00Z"));
      await billAt("2027-01-02T00:00:00Z");
      await billAt("2027-02-02T00:00:00Z");
      expect(await amountsOf(merchantId)).toEqual([
        ["void", 1100, flat, ["usage", "successful_charges", 100]],
        ["open", 960, flat, credit],
        ["open", 1040, flat, charge],
        ["open", 1000, flat],
      ]);
      const invoiceId = (await invoicesOf(deps, merchantId))[2]?.id ?? "";
      const line = (await getInvoice(deps, { merchantId, invoiceId })).lines.find(({ kind }) => kind === "refund");
      expect([line?.description, line?.eventCount]).toEqual([
        "Correction of refunded fees, because their invoice is void: Successful charges",
        null,
      ]);
      const page = { limit: 10, startingAfter: null, endingBefore: null };
      const listed = await listEventsOfLine(deps, { merchantId, invoiceId, lineId: line?.id ?? "", ...page });
      expect(listed.events).toEqual([]);
    });

    test("nothing is charged if the refund had already failed and its fee was charged again", async () => {
      const merchantId = await makeSubscriber(deps, "fees");
      const { refundId } = await refundAndBill(merchantId);
      await failRefund(deps, refundId, new Date("2026-12-10T00:00:00Z"));
      await billAt("2027-01-02T00:00:00Z");
      await voidNth(merchantId, 0);
      await billAt("2027-02-02T00:00:00Z");
      expect((await amountsOf(merchantId)).slice(2)).toEqual([
        ["open", 1040, flat, charge],
        ["open", 1000, flat],
      ]);
    });

    test("the credit is reversed only once, even if the reversing invoice or the crediting invoice becomes void", async () => {
      const merchantId = await makeSubscriber(deps, "fees");
      await refundAndBill(merchantId);
      await voidNth(merchantId, 0);
      await billAt("2027-01-02T00:00:00Z");
      await voidNth(merchantId, 2);
      await billAt("2027-02-02T00:00:00Z");
      await voidNth(merchantId, 1);
      await billAt("2027-03-02T00:00:00Z");
      await billAt("2027-04-02T00:00:00Z");
      expect((await amountsOf(merchantId)).slice(1)).toEqual([
        ["void", 960, flat, credit],
        ["void", 1040, flat, charge],
        ["open", 1040, flat, charge],
        ["open", 960, flat, credit],
        ["open", 1000, flat],
      ]);
    });

    test("after the end of the subscription, a further invoice reverses the credit", async () => {
      const merchantId = await makeSubscriber(deps, "fees");
      await refundAndBill(merchantId);
      await endAndBill(merchantId);
      await voidNth(merchantId, 0);
      await billAt("2027-01-11T01:00:00Z");
      expect((await amountsOf(merchantId)).at(-1)).toEqual(["open", 40, charge]);
    });

    test("after the end of the subscription, a credit on an invoice of another subscription is corrected too", async () => {
      const merchantId = await makeSubscriber(deps, "fees");
      const chargeId = await makeCharge(deps, merchantId, { amount: 1_000, finalAt: october });
      for (const date of ["2026-11-02", "2026-12-02"]) await billAt(`${date}T00:00:00Z`);
      await endAndBill(merchantId);
      await assign(deps, merchantId, { planId: "fees" });
      await makeRefund(deps, merchantId, { chargeId, amount: 400, givenAt: new Date("2027-01-20T00:00:00Z") });
      await billAt("2027-02-12T01:00:00Z");
      expect((await amountsOf(merchantId)).at(-1)).toEqual(["open", 960, flat, credit]);
      await voidNth(merchantId, 0);
      await billAt("2027-02-12T02:00:00Z");
      await voidLast(merchantId);
      await billAt("2027-02-12T03:00:00Z");
      const lines = (await amountsOf(merchantId)).map(([status, total, ...all]) => [status, total, all.at(-1)]);
      expect(lines).toContainEqual(["open", 40, charge]);
      expect(lines).toContainEqual(["void", 960, credit]);
      expect(lines).toContainEqual(["paid", 0, credit]);
    });
  });

  test("if the subscription has ended, the credits are on a further invoice and become credit balance", async () => {
    const merchantId = await makeSubscriber(deps, "fees");
    await refundAndBill(merchantId);
    await endAndBill(merchantId);
    await voidNth(merchantId, 1);
    at("2027-01-11T01:00:00Z");
    await bill(deps);
    expect((await amountsOf(merchantId)).at(-1)).toEqual(["paid", 0, credit]);
    const credits = await deps.db.prisma.$queryRaw`
      SELECT kind, remaining FROM billing_credit_grant WHERE merchant_id = ${merchantId}`;
    expect(credits).toEqual([{ kind: "credit_note", remaining: 40n }]);
  });

  test("if a later part of a period has a negative usage line and its invoice becomes void, the next invoice repeats the line", async () => {
    const merchantId = await makeSubscriber(deps, "tiers");
    await reportSms(deps, merchantId, { quantity: 100 });
    at("2026-10-11T00:00:00Z");
    await change(deps, merchantId, { planId: "other" });
    at("2026-10-15T00:00:00Z");
    await change(deps, merchantId, { planId: "tiers" });
    await reportSms(deps, merchantId, { quantity: 1 });
    at("2026-11-02T00:00:00Z");
    await bill(deps);
    await voidLast(merchantId);
    at("2026-12-02T00:00:00Z");
    await bill(deps);
    const usage = ["usage", "own:sms", -293];
    const [, last, next] = await amountsOf(merchantId);
    expect(last?.[0]).toBe("void");
    expect(last).toContainEqual(usage);
    expect(next).toContainEqual(usage);
  });
});

test("after a credit note, the remaining fee is computed without tax, even if the prices of the credited line include tax (docs/spec/billing.md, The billing run)", async () => {
  const merchantId = await makeSubscriber(deps, "units");
  await moveTo(deps, merchantId, "DE");
  await reportSms(deps, merchantId, { quantity: 100 });
  at("2026-11-02T00:00:00Z");
  await bill(deps);
  await moveTo(deps, merchantId, "FR");
  await reportSms(deps, merchantId, { quantity: 100, time });
  at("2026-12-02T00:00:00Z");
  await bill(deps);
  const invoiceId = (await invoicesOf(deps, merchantId)).at(-1)?.id ?? "";
  const [line] = (await getInvoice(deps, { merchantId, invoiceId })).lines;
  expect([line?.kind, line?.amount]).toEqual(["late", 119n]);
  await createCreditNote(deps, { invoiceId, lines: "all", reason: "Test", key: "k", ...by });
  const [subscription] = await deps.db.prisma.$queryRaw<{ id: string }[]>`
    SELECT id FROM billing_subscription WHERE merchant_id = ${merchantId}`;
  const fee = { currency: "EUR", meter: "own:sms", periodFrom: new Date("2026-10-01T00:00:00Z"), fee: toExact(200n) };
  expect(await keptFees(deps.db.sql, subscription?.id ?? "", [fee])).toEqual([{ ...fee, fee: toExact(100n) }]);
});
