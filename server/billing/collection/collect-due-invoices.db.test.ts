import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makePayer } from "#e2e/support/factories.ts";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { refusalOf, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { refuseInactive } from "../../charges/charge/refuse-inactive.ts";
import { findLedgerBalances } from "../../data/billing/ledger/entries.ts";
import { billingInvariants } from "../../data/invariants/billing-invariants.ts";
import type { PaymentOutcome, PaymentRequest } from "../../deps/processor-port.ts";
import { runDueWork } from "../../sandbox/run-due-work.ts";
import { makeFinalInvoice } from "../invoices/invoice.fixture.ts";
import { voidInvoice } from "../invoices/transitions/void-invoice.ts";
import { applyPlans, assign, testPlans } from "../subscriptions/subscription.fixture.ts";
import { collectDueInvoices } from "./collect-due-invoices.ts";
import { payInvoice } from "./pay-invoice.ts";
import { listUnpaidInvoices } from "./review/list-unpaid-invoices.ts";
import { setBillingPaymentMethod } from "./set-billing-payment-method.ts";

const day = 24 * 3600;
const start = new Date("2026-11-02T00:00:00Z");
const by = { actor: { kind: "operator", id: "acc_test" }, requestId: "req_test" } as const;
let deps: TestDeps;
let processor: ReturnType<typeof scriptedProcessor>;
beforeAll(async () => {
  processor = scriptedProcessor();
  const created = await createTestDeps({ now: start, processors: processor.processors });
  deps = { ...created, config: { ...created.config, simulatorUrl: "http://127.0.0.1:1", simulatorKey: "k" } };
  await applyPlans(deps, testPlans("2026-11-02"));
});
beforeEach(() => {
  processor.state.pay = succeed;
  processor.state.calls = 0;
  processor.moved.clear();
});
afterAll(async () => {
  for (const { name, find } of billingInvariants) expect([name, await find(deps.db.sql)]).toEqual([name, []]);
  await deps.close();
});

const succeed = async (request: PaymentRequest): Promise<PaymentOutcome> => {
  processor.moved.set(request.key, request);
  return { kind: "succeeded", processorRef: `ref_${request.key}` };
};
const decline = (retryable: boolean) => async (): Promise<PaymentOutcome> => ({
  kind: "declined",
  processorRef: null,
  declineCode: retryable ? "insufficient_funds" : "lost_card",
  retryable,
  advice: "",
});
const collect = (own = deps) => collectDueInvoices(own, { limit: 100 });
const rowOf = async (invoiceId: string) =>
  (
    await deps.db.prisma.$queryRaw<{ status: string; due: bigint; failures: number; hold: string | null }[]>`
    SELECT i.status, i.amount_due AS due, c.failures, c.hold FROM billing_invoice i
      JOIN billing_collection c ON c.invoice_id = i.id WHERE i.id = ${invoiceId}`
  )[0];
const attemptsOf = async (invoiceId: string) =>
  (
    await deps.db.prisma.$queryRaw<{ state: string; at: Date }[]>`
    SELECT state, created_at AS at FROM billing_payment WHERE invoice_id = ${invoiceId} ORDER BY created_at, id`
  ).map(({ state, at }) => `${state} ${(at.getTime() - start.getTime()) / 1000 / day}`);
const eventsOf = async (objectId: string) =>
  (
    await deps.db.prisma.$queryRaw<
      { type: string }[]
    >`SELECT type FROM event WHERE object_id = ${objectId} ORDER BY sequence`
  ).map(({ type }) => type);
const statusOf = async (merchantId: string) =>
  (
    await deps.db.prisma.$queryRaw<
      { status: string }[]
    >`SELECT status FROM billing_subscription WHERE merchant_id = ${merchantId}`
  )[0]?.status;
const clearingOf = async (merchantId: string) =>
  (await findLedgerBalances(deps.db.sql, merchantId, { account: "processor_clearing", currency: null })).map(
    ({ posted, pending }) => [posted, pending],
  );
/** 49.00 EUR and 19% tax. */
const total = 5831n;

describe("collection of invoices (docs/spec/billing.md, Collection)", () => {
  test("an open invoice is paid once, with ledger entries, an event, and the attempt's id as idempotency key", async () => {
    const { invoiceId, merchantId } = await makeFinalInvoice(deps);
    await collect();
    expect(await rowOf(invoiceId)).toMatchObject({ status: "paid", due: 0n });
    expect(await eventsOf(invoiceId)).toEqual(["invoice.finalized", "invoice.paid"]);
    expect(await clearingOf(merchantId)).toEqual([[total, 0n]]);
    const [request] = [...processor.moved.values()];
    expect(request).toMatchObject({ amountMinor: total, currency: "EUR", payerPresence: "off_session" });
    expect(request?.key).toMatch(/^bpay_/);
    expect([await collect(), processor.state.calls]).toEqual([0, 1]);
    expect((await refusalOf(payInvoice(deps, { invoiceId, ...by }))).code).toBe("invoice_not_open");
  });

  test("ten workers and ten requests start one attempt", async () => {
    const { invoiceId } = await makeFinalInvoice(deps);
    const other = await anotherNode(deps);
    const requests = Array.from({ length: 10 }, (_, n) => payInvoice(n % 2 ? other : deps, { invoiceId, ...by }));
    const workers = Array.from({ length: 10 }, (_, n) => collect(n % 2 ? other : deps));
    await Promise.allSettled([...requests, ...workers]);
    await other.close();
    expect([(await attemptsOf(invoiceId)).length, processor.state.calls]).toEqual([1, 1]);
    expect(await rowOf(invoiceId)).toMatchObject({ status: "paid" });
  });

  test("a payment with an unknown outcome is looked up by its key, and never sent again", async () => {
    const { invoiceId, merchantId } = await makeFinalInvoice(deps);
    processor.state.pay = async (request) => {
      await succeed(request);
      return { kind: "unknown" };
    };
    await collect();
    expect(await clearingOf(merchantId)).toEqual([[0n, total]]);
    expect(await payInvoice(deps, { invoiceId, ...by })).toMatchObject({ outcome: "unresolved" });
    expect(await collect()).toBe(0);
    deps.clock.advance(5);
    await collect();
    expect(await rowOf(invoiceId)).toMatchObject({ status: "paid" });
    expect([await clearingOf(merchantId), processor.state.calls]).toEqual([[[total, 0n]], 1]);
  });

  test("an invoice isn't voided while the outcome of a payment is unknown", async () => {
    const { invoiceId } = await makeFinalInvoice(deps);
    processor.state.pay = async (request) => {
      await succeed(request);
      return { kind: "unknown" };
    };
    const [paid, voided] = await Promise.allSettled([
      collect(),
      refusalOf(voidInvoice(deps, { invoiceId, reason: "An error", ...by })),
    ]);
    expect(paid.status).toBe("fulfilled");
    const isVoid = (await rowOf(invoiceId))?.status === "void";
    // Either the void or the attempt wins. An attempt starts only for an open invoice, and an invoice with an
    // unresolved attempt can't become void.
    expect(await attemptsOf(invoiceId)).toHaveLength(isVoid ? 0 : 1);
    if (isVoid) return;
    expect(voided).toMatchObject({ value: { code: "invoice_payment_unresolved" } });
    deps.clock.advance(5);
    await collect();
    expect(await rowOf(invoiceId)).toMatchObject({ status: "paid" });
  });

  test("if a worker crashes before it calls the processor or commits the answer, another worker looks up the attempt", async () => {
    for (const isSent of [true, false]) {
      const { invoiceId } = await makeFinalInvoice(deps);
      processor.state.pay = async (request) => {
        if (isSent) await succeed(request);
        // Simulates a crash: nothing after the call is committed.
        throw Object.assign(new Error("killed"), { code: "ECONNRESET" });
      };
      await collect().catch(() => {});
      expect(await attemptsOf(invoiceId)).toEqual([expect.stringMatching(/^pending/)]);
      processor.state.pay = succeed;
      for (const seconds of [31, 31, 31, 300, 300, 70, 70]) {
        deps.clock.advance(seconds);
        await collect();
      }
      const states = (await attemptsOf(invoiceId)).map((attempt) => attempt.split(" ")[0]);
      expect(states).toEqual(isSent ? ["succeeded"] : ["not_submitted", "succeeded"]);
      expect(await rowOf(invoiceId)).toMatchObject({ status: "paid", failures: 0 });
      expect([...processor.moved.values()].filter(({ amountMinor }) => amountMinor === total).length).toBe(
        isSent ? 1 : 2,
      );
    }
  });
});

describe("dunning (docs/spec/billing.md, Collection)", () => {
  beforeEach(() => deps.clock.set(start));

  test("retries on days 1, 3, 5 and 7, refuses new charges from day 14, and accepts them again after the payment", async () => {
    const { invoiceId, merchantId } = await makeFinalInvoice(deps);
    await assign(deps, merchantId, { planId: "free" });
    const { id: accountId } = await makePayer(deps);
    await deps.db.prisma.merchantMember.create({ data: { merchantId, accountId, role: "owner", createdAt: start } });
    processor.state.pay = decline(true);
    const until = (days: number) => new Date(start.getTime() + days * day * 1000);
    await runDueWork(deps, until(0));
    expect([await statusOf(merchantId), (await rowOf(invoiceId))?.failures]).toEqual(["past_due", 1]);
    const unpaid = () => listUnpaidInvoices(deps, { merchantId });
    expect(await unpaid()).toMatchObject([{ invoiceId, overdueAt: null, suspendedAt: null, suspensionAt: until(14) }]);
    await runDueWork(deps, new Date(until(14).getTime() - 1));
    expect(await attemptsOf(invoiceId)).toEqual([0, 1, 3, 5, 7].map((days) => `declined ${days}`));
    await refuseInactive(deps.db.sql, "charge", merchantId);
    await runDueWork(deps, until(14));
    expect(await statusOf(merchantId)).toBe("suspended");
    expect(await unpaid()).toMatchObject([{ invoiceId, amountDue: total, suspendedAt: until(14) }]);
    expect((await refusalOf(refuseInactive(deps.db.sql, "charge", merchantId))).code).toBe("billing_overdue");
    for (const act of ["capture", "void", "refund"] as const) await refuseInactive(deps.db.sql, act, merchantId);
    expect(await eventsOf(invoiceId)).toEqual([
      "invoice.finalized",
      ...Array(5).fill("invoice.payment_failed"),
      "invoice.overdue",
    ]);
    const mails = await deps.db.prisma.$queryRaw<{ kind: string }[]>`SELECT kind FROM mail WHERE kind = 'dunning'`;
    expect(mails).toHaveLength(5);
    processor.state.pay = succeed;
    deps.clock.set(until(14));
    expect(await payInvoice(deps, { invoiceId, merchantId, ...by })).toMatchObject({ outcome: "paid" });
    await refuseInactive(deps.db.sql, "charge", merchantId);
    expect([await statusOf(merchantId), (await eventsOf(invoiceId)).at(-1)]).toEqual(["active", "invoice.paid"]);
    expect(await unpaid()).toEqual([]);
  });

  test("a final decline isn't retried, until another payment method is set", async () => {
    const { invoiceId, merchantId } = await makeFinalInvoice(deps);
    processor.state.pay = decline(false);
    await runDueWork(deps, new Date(start.getTime() + 10 * day * 1000));
    expect(await attemptsOf(invoiceId)).toEqual(["declined 0"]);
    processor.state.pay = succeed;
    await setBillingPaymentMethod(deps, { merchantId, card: "mastercard", ...by });
    await collect();
    expect([...processor.moved.values()][0]).toMatchObject({ paymentMethodRef: "pm_card_mastercard" });
    expect(await rowOf(invoiceId)).toMatchObject({ status: "paid" });
  });

  test("a card that is set while an attempt is unresolved is used immediately after the decline of the former card", async () => {
    const { invoiceId, merchantId } = await makeFinalInvoice(deps);
    await setBillingPaymentMethod(deps, { merchantId, card: "visa", ...by });
    processor.state.pay = async () => ({ kind: "unknown" });
    await collect();
    await setBillingPaymentMethod(deps, { merchantId, card: "mastercard", ...by });
    const { lookup } = processor.state;
    processor.state.lookup = decline(false);
    processor.state.pay = succeed;
    deps.clock.advance(5);
    await collect();
    processor.state.lookup = lookup;
    await collect();
    expect([...processor.moved.values()][0]).toMatchObject({ paymentMethodRef: "pm_card_mastercard" });
    expect(await rowOf(invoiceId)).toMatchObject({ status: "paid" });
  });

  test("voiding an invoice lifts the suspension", async () => {
    const { invoiceId, merchantId } = await makeFinalInvoice(deps);
    processor.state.pay = decline(false);
    await runDueWork(deps, new Date(start.getTime() + 14 * day * 1000));
    expect((await refusalOf(refuseInactive(deps.db.sql, "charge", merchantId))).code).toBe("billing_overdue");
    deps.clock.advance(15 * day);
    await voidInvoice(deps, { invoiceId, reason: "An error", ...by });
    await collect();
    await refuseInactive(deps.db.sql, "charge", merchantId);
  });

  test("in production, an invoice without a payment method stays open with the reason, and is overdue after its due date, with one e-mail", async () => {
    const production = { ...deps, config: { ...deps.config, environment: "production" as const } };
    const { invoiceId, merchantId } = await makeFinalInvoice(deps);
    const { id: accountId } = await makePayer(deps);
    await deps.db.prisma.merchantMember.create({ data: { merchantId, accountId, role: "owner", createdAt: start } });
    await collect(production);
    expect(await rowOf(invoiceId)).toMatchObject({ status: "open", hold: "no_payment_method", failures: 0 });
    const mails = () =>
      deps.db.prisma.mail.findMany({
        where: { recipient: `${accountId.toLowerCase()}@example.test`, kind: "dunning" },
      });
    deps.clock.advance(13 * day);
    await collect(production);
    expect(await mails()).toEqual([]);
    deps.clock.advance(day);
    await collect(production);
    expect([(await eventsOf(invoiceId)).at(-1), processor.state.calls]).toEqual(["invoice.overdue", 0]);
    deps.clock.advance(14 * day);
    await collect(production);
    const sent = await mails();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.text.replaceAll(/\s+/g, " ")).toContain("is past its due date, and you have no payment method.");
  });
});
