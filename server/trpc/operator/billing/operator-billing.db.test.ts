import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { collectDueInvoices } from "../../../billing/collection/collect-due-invoices.ts";
import { finalizeInvoice } from "../../../billing/invoices/finalize-invoice.ts";
import { makeDraft, makeFinalInvoice } from "../../../billing/invoices/invoice.fixture.ts";
import { reconcileUsage } from "../../../billing/meters/reconciliation/reconcile-usage.ts";
import { billDuePeriods } from "../../../billing/subscriptions/run/bill-due-periods.ts";
import {
  applyPlans,
  change,
  invoicesOf,
  makeSubscriber,
  preview,
  testPlans,
} from "../../../billing/subscriptions/subscription.fixture.ts";
import { scriptedProcessor } from "../../../charges/charge/charge-setup.fixture.ts";
import { billingInvariants } from "../../../data/invariants/billing-invariants.ts";
import { addSeconds } from "../../../kernel/time/clock.ts";
import { runDueWork } from "../../../sandbox/run-due-work.ts";
import { callerOf } from "../../caller.fixture.ts";
import { addUnresolvedPayment } from "../operator-billing.fixture.ts";

const start = new Date("2026-11-02T00:00:00Z");
const reason = "Asked by phone";
let deps: TestDeps;
let processor: ReturnType<typeof scriptedProcessor>;

beforeAll(async () => {
  processor = scriptedProcessor();
  const created = await createTestDeps({ now: start, processors: processor.processors });
  deps = { ...created, config: { ...created.config, simulatorUrl: "http://127.0.0.1:1", simulatorKey: "k" } };
  await applyPlans(
    deps,
    `${testPlans("2026-11-02")}  ELSE: {percent: "10", plans: [scale]}\n  DOLLAR: {amount: 100, currency: JPY}\n  SHORT: {percent: "10", duration_months: 2}\n`,
  );
});
afterAll(async () => {
  for (const { name, find } of billingInvariants) expect([name, await find(deps.db.sql)]).toEqual([name, []]);
  await deps.close();
});

const api = () => callerOf(deps, "acc_operator", "admin");
const codeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "done",
    (error: { cause?: { code?: string }; code?: string }) => error.cause?.code ?? error.code ?? String(error),
  );
const auditOf = async (subjectId: string) =>
  deps.db.prisma.$queryRaw<{ action: string; actor: string; reason: string | null }[]>`
    SELECT action, actor_id AS actor, data ->> 'reason' AS reason FROM audit_entry
     WHERE subject_id = ${subjectId} AND actor_kind = 'operator' ORDER BY at, seq`;
const stateOf = async (paymentId: string) =>
  (await deps.db.prisma.$queryRaw<{ state: string }[]>`SELECT state FROM billing_payment WHERE id = ${paymentId}`)[0]
    ?.state;

describe("invoices of all merchants (docs/spec/billing.md, Operator pages)", () => {
  test("the list is filtered by number, merchant, type, status, currency and dates, and paged", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const made: string[] = [];
    for (const currency of ["EUR", "USD", "EUR"]) {
      made.push((await makeFinalInvoice(deps, { merchantId, currency })).invoiceId);
      deps.clock.advance(3_600);
    }
    const [first = "", second = "", third = ""] = made;
    const { creditNoteId } = await api().operatorInvoices.credit({
      invoiceId: first,
      lines: "all",
      reason,
      key: "list-test",
    });
    deps.clock.advance(1);
    const draft = await makeDraft(deps, { merchantId });
    type Filter = Parameters<ReturnType<typeof api>["operatorInvoices"]["list"]>[0];
    const idsOf = async (filter: Filter) =>
      (await api().operatorInvoices.list({ search: merchantId, ...filter })).invoices.map(({ id }) => id);
    expect(await idsOf({})).toEqual([draft.invoiceId, creditNoteId, third, second, first]);
    expect(await idsOf({ type: "credit_note" })).toEqual([creditNoteId]);
    expect(await idsOf({ status: "open" })).toEqual([third, second]);
    expect(await idsOf({ currency: "USD" })).toEqual([second]);
    expect(await idsOf({ status: "open", to: new Date(start.getTime() + 5_400_000).toISOString() })).toEqual([second]);
    const { number, merchant } = await api().operatorInvoices.get({ invoiceId: second });
    expect(await idsOf({ search: number?.toLowerCase() ?? "" })).toEqual([second]);
    expect(await idsOf({ search: merchant.name })).toContain(third);
    expect(await idsOf({ search: "inv_unknown" })).toEqual([]);
    const page = await api().operatorInvoices.list({ search: merchantId, status: "open", limit: 1 });
    expect([page.invoices[0]?.id, page.hasMore]).toEqual([third, true]);
    expect(await idsOf({ status: "open", startingAfter: third })).toEqual([second]);
  });

  test("a page of the list reads one index in order, with each filter", async () => {
    const rows = await deps.db.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL enable_seqscan = off`;
      return tx.$queryRaw<{ "QUERY PLAN": string }[]>`EXPLAIN SELECT id FROM billing_invoice i WHERE i.status = 'open'
        ORDER BY coalesce(i.issued_at, i.created_at) DESC, i.id DESC LIMIT 51`;
    });
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toContain("billing_invoice_listed_status");
    expect(plan).not.toContain("Sort");
  });

  test("one invoice has its payments, credit notes, ledger entries and the operators' reasons", async () => {
    const { invoiceId } = await makeFinalInvoice(deps);
    const { lines } = await api().operatorInvoices.get({ invoiceId });
    const flat = { invoiceId, lineId: lines[0]?.id ?? "" };
    const { description } = lines[0] ?? {};
    expect(await api().operatorInvoices.lineEvents(flat)).toEqual({ description, events: [], hasMore: false });
    expect(await codeOf(api().operatorInvoices.lineEvents({ ...flat, lineId: "il_none" }))).toBe("not_found");
    expect(await codeOf(api().operatorInvoices.lineEvents({ ...flat, invoiceId: "inv_none" }))).toBe("not_found");
    const part = { invoiceId, lines: [{ lineId: lines[0]?.id ?? "", amountMinor: 1000 }] };
    expect(await api().operatorInvoices.previewCredit(part)).toMatchObject({ totalMinor: 1190, settledMinor: 1190 });
    const request = { ...part, reason, key: "double-click" };
    const [one, other] = await Promise.all([api(), api()].map((caller) => caller.operatorInvoices.credit(request)));
    expect([one?.creditNoteId, [one?.isNew, other?.isNew].toSorted()]).toEqual([other?.creditNoteId, [false, true]]);
    await collectDueInvoices(deps, { limit: 100 });
    const invoice = await api().operatorInvoices.get({ invoiceId });
    expect(invoice).toMatchObject({
      status: "paid",
      amountCreditedMinor: 1190,
      amountPaidMinor: 4641,
      payments: [{ state: "succeeded", amountMinor: 4641, isUnderReview: false }],
      notes: [{ id: one?.creditNoteId, totalMinor: 1190, reason }],
    });
    expect(invoice.lines[0]).toMatchObject({ creditedMinor: 1000 });
    expect(invoice.transactions.map(({ kind }) => kind).toSorted()).toEqual([
      "credit_note.created",
      "invoice.finalized",
      "payment",
    ]);
    for (const { entries } of invoice.transactions) {
      expect(entries.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(0);
    }
    expect(invoice.timeline).toContainEqual(expect.objectContaining({ action: "credit_note.created", reason }));
  });

  test("voiding and writing off happen once and are audited with operator and reason", async () => {
    for (const [act, action] of [
      ["void", "invoice.voided"],
      ["markUncollectible", "invoice.marked_uncollectible"],
    ] as const) {
      const { invoiceId } = await makeFinalInvoice(deps);
      const results = await Promise.all([1, 2, 3].map(() => api().operatorInvoices[act]({ invoiceId, reason })));
      expect(results.filter(({ isNew }) => isNew)).toHaveLength(1);
      expect(await auditOf(invoiceId)).toEqual([{ action, actor: "acc_operator", reason }]);
    }
  });
});

describe("payments without a known outcome (docs/spec/billing.md, Operator pages)", () => {
  test("need review after an hour, and are settled once with evidence", async () => {
    const { invoiceId, merchantId } = await makeFinalInvoice(deps);
    const paymentId = await addUnresolvedPayment(deps, { invoiceId, merchantId });
    expect((await api().operatorDunning.payments({})).payments).toContainEqual(
      expect.objectContaining({ id: paymentId, invoiceId, amountMinor: 5831 }),
    );
    expect((await api().operator.attention()).billingPaymentsUnderReview).toBeGreaterThan(0);
    expect(await codeOf(api().operatorInvoices.void({ invoiceId, reason }))).toBe("invoice_payment_unresolved");
    const settle = (kind: "succeeded" | "declined") =>
      codeOf(api().operatorDunning.settle({ paymentId, reason, finding: { kind, processorRef: "pay_found" } }));
    const answers = await Promise.all([
      settle("succeeded"),
      settle("declined"),
      settle("succeeded"),
      settle("declined"),
    ]);
    expect(answers.toSorted()).toEqual(["done", ...Array(3).fill("payment_not_under_review")]);
    const state = await stateOf(paymentId);
    const { status } = await api().operatorInvoices.get({ invoiceId });
    expect([
      ["succeeded", "paid"],
      ["declined", "open"],
    ]).toContainEqual([state, status]);
    expect(await auditOf(paymentId)).toEqual([{ action: "billing_payment.settled", actor: "acc_operator", reason }]);
    expect(await codeOf(api().operatorDunning.search({ paymentId, reason }))).toBe("payment_not_under_review");
  });

  test("if the processor has no such payment, another attempt follows", async () => {
    const { invoiceId, merchantId } = await makeFinalInvoice(deps);
    const paymentId = await addUnresolvedPayment(deps, { invoiceId, merchantId });
    expect(await api().operatorDunning.settle({ paymentId, reason, finding: { kind: "nothing" } })).toEqual({
      outcome: "not_submitted",
    });
    deps.clock.advance(61);
    await collectDueInvoices(deps, { limit: 100 });
    const { status, payments } = await api().operatorInvoices.get({ invoiceId });
    expect([status, payments.map(({ state }) => state).toSorted()]).toEqual(["paid", ["not_submitted", "succeeded"]]);
  });

  test("an operator's look-up settles a payment whose outcome the processor knows", async () => {
    const { invoiceId, merchantId } = await makeFinalInvoice(deps);
    const paymentId = await addUnresolvedPayment(deps, { invoiceId, merchantId });
    expect(await api().operatorDunning.search({ paymentId, reason })).toEqual({ outcome: "unknown" });
    processor.moved.set(paymentId, { key: paymentId, amountMinor: 5831n, currency: "EUR" } as never);
    expect(await api().operatorDunning.search({ paymentId, reason })).toEqual({ outcome: "paid" });
    expect(await stateOf(paymentId)).toBe("succeeded");
    // Each look-up has an audit entry. The second one is written by the transaction that settles the payment.
    const entries = await deps.db.prisma.$queryRaw`
      SELECT a.data ->> 'found' AS found, a.xmin::text = p.xmin::text AS "inOneTransaction"
        FROM audit_entry a JOIN billing_payment p ON p.id = a.subject_id
       WHERE p.id = ${paymentId} AND a.action = 'billing_payment.searched' ORDER BY a.seq`;
    expect(entries).toEqual([
      { found: "unknown", inOneTransaction: false },
      { found: "paid", inOneTransaction: true },
    ]);
  });

  test("a payment of the last hour is still looked up and needs no review", async () => {
    const { invoiceId, merchantId } = await makeFinalInvoice(deps);
    const paymentId = await addUnresolvedPayment(deps, { invoiceId, merchantId });
    const before = { ...deps, clock: { ...deps.clock, now: () => new Date(deps.clock.now().getTime() - 3_601_000) } };
    const { payments } = await callerOf(before, "acc_operator", "admin").operatorDunning.payments({});
    expect(payments.map(({ id }) => id)).not.toContain(paymentId);
    const settle = { paymentId, reason, finding: { kind: "nothing" as const } };
    const early = callerOf(before, "acc_operator", "admin").operatorDunning.settle(settle);
    expect(await codeOf(early)).toBe("payment_not_under_review");
  });
});

describe("dunning cases (docs/spec/billing.md, Operator pages)", () => {
  test("show the first failure, the next step and the suspension, and are closed when the invoice is voided", async () => {
    const { invoiceId } = await makeFinalInvoice(deps);
    const failedAt = deps.clock.now();
    processor.state.pay = async () => ({
      kind: "declined",
      processorRef: null,
      declineCode: "insufficient_funds",
      retryable: true,
      advice: "",
    });
    await collectDueInvoices(deps, { limit: 100 });
    const days = (count: number) => new Date(failedAt.getTime() + count * 86_400_000).toISOString();
    const caseOf = async () => (await api().operatorDunning.cases({})).cases.find((one) => one.invoiceId === invoiceId);
    expect(await caseOf()).toMatchObject({
      failures: 1,
      firstFailedAt: days(0),
      next: { kind: "pay", at: days(1) },
      suspensionAt: days(14),
      isSuspended: false,
    });
    await api().operatorInvoices.void({ invoiceId, reason });
    expect(await caseOf()).toBeUndefined();
  });
});

describe("tax decisions (docs/spec/billing.md, Tax details)", () => {
  test("one decision covers a period's drafts in all currencies, and each can be finalized immediately", async () => {
    const production = { ...deps, config: { ...deps.config, environment: "production" as const } };
    const subscriptionId = "bsub_tax";
    const { invoiceId, merchantId } = await makeDraft(deps, { subscriptionId });
    const other = await makeDraft(deps, { subscriptionId, merchantId, currency: "USD" });
    await finalizeInvoice(production, { invoiceId });
    const casesOf = async () => (await api().operatorInvoices.taxCases({ merchantId })).cases;
    expect(await casesOf()).toMatchObject([{ id: invoiceId, isDue: false }]);
    expect(await codeOf(api().operatorInvoices.decideTax({ invoiceId, reason }))).toBe("tax_wait_not_over");
    deps.clock.advance(7 * 86_400);
    expect(await casesOf()).toMatchObject([{ id: invoiceId, isDue: true }]);
    const decided = await Promise.all([1, 2].map(() => api().operatorInvoices.decideTax({ invoiceId, reason })));
    expect(decided.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await casesOf()).toEqual([]);
    for (const id of [invoiceId, other.invoiceId]) {
      expect(await finalizeInvoice(production, { invoiceId: id })).toMatchObject({ outcome: "finalized" });
    }
  });

  test("a decision and the billing run don't block each other, and the next run finalizes the invoice", async () => {
    const production = { ...deps, config: { ...deps.config, environment: "production" as const } };
    const merchantId = await makeSubscriber(deps, "pro");
    const { subscription } = await api().operatorMerchantBilling.get({ merchantId });
    const end = new Date(subscription?.period.to ?? "").getTime();
    const bill = () => billDuePeriods(production, { limit: 100 });
    for (const days of [0, 1, 8.5]) {
      deps.clock.set(new Date(end + days * 86_400_000));
      await reconcileUsage(deps, { maxDays: 31 });
      await bill();
    }
    const { taxCases } = await api().operatorMerchantBilling.get({ merchantId });
    expect(taxCases).toMatchObject([{ merchant: { id: merchantId }, isDue: true }]);
    const invoiceId = taxCases[0]?.id ?? "";
    const decide = () => api().operatorInvoices.decideTax({ invoiceId, reason });
    await Promise.all([decide(), bill(), decide(), bill(), decide(), bill()]);
    await bill();
    expect(await api().operatorInvoices.get({ invoiceId })).toMatchObject({ status: "open", totalMinor: 3100 });
  });
});

describe("a merchant's coupons, credits and plan (docs/spec/billing.md, Coupons of a subscription)", () => {
  const coupons = async (merchantId: string) =>
    (await api().operatorMerchantBilling.get({ merchantId })).coupons.map(({ code, isCurrent }) => [code, isCurrent]);

  test("a coupon is applied once, can be removed for the current and later periods, and can be applied again", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    const half = { merchantId, code: "HALF", reason };
    const applied = await Promise.all([1, 2, 3, 4].map(() => api().operatorMerchantBilling.applyCoupon(half)));
    expect(applied.filter(({ isNew }) => isNew)).toHaveLength(1);
    const from = deps.clock.now();
    const months = (count: number) =>
      new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + count, from.getUTCDate() + 2));
    await runDueWork(deps, months(1));
    deps.clock.set(months(1));
    const removed = await Promise.all([1, 2].map(() => api().operatorMerchantBilling.removeCoupon(half)));
    expect(removed.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await coupons(merchantId)).toEqual([["HALF", false]]);
    await runDueWork(deps, months(2));
    deps.clock.set(months(2));
    expect((await invoicesOf(deps, merchantId)).slice(0, 2).map(({ total }) => total)).toEqual([1550n, 3100n]);
    expect(await api().operatorMerchantBilling.applyCoupon(half)).toEqual({ isNew: true });
    expect(await coupons(merchantId)).toEqual([
      ["HALF", true],
      ["HALF", false],
    ]);
    expect((await auditOf(merchantId)).map(({ action }) => action)).toContain("subscription.coupon_removed");
  });

  test("the months of a limited coupon count from the start of the current period", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    const { subscription } = await api().operatorMerchantBilling.get({ merchantId });
    const start = new Date(subscription?.period.from ?? "");
    deps.clock.advance(10 * 86_400);
    await api().operatorMerchantBilling.applyCoupon({ merchantId, code: "SHORT", reason });
    const [coupon] = (await api().operatorMerchantBilling.get({ merchantId })).coupons;
    const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 2, start.getUTCDate()));
    expect(coupon?.endsAt).toBe(end.toISOString());
  });

  test("a coupon that expires during a period still applies to that period, once, and can be removed until the period ends", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    const half = { merchantId, code: "HALF", reason };
    await api().operatorMerchantBilling.applyCoupon(half);
    const endsAt = addSeconds(deps.clock.now(), 5 * 86_400);
    await deps.db.prisma.$executeRaw`UPDATE billing_applied_coupon c SET ends_at = ${endsAt}
       FROM billing_subscription s WHERE s.id = c.subscription_id AND s.merchant_id = ${merchantId}`;
    deps.clock.advance(6 * 86_400);
    const total = async () => (await preview(deps, merchantId, { planId: "pro" })).next.total;
    const again = await Promise.all([1, 2, 3].map(() => api().operatorMerchantBilling.applyCoupon(half)));
    expect(again.map(({ isNew }) => isNew)).toEqual([false, false, false]);
    expect([await coupons(merchantId), await total()]).toEqual([[["HALF", true]], 1550]);
    await deps.db.prisma.$executeRaw`INSERT INTO billing_applied_coupon
      SELECT 'cpa_again', c.subscription_id, c.code, c.version, ${deps.clock.now()} FROM billing_applied_coupon c
        JOIN billing_subscription s ON s.id = c.subscription_id WHERE s.merchant_id = ${merchantId}`;
    deps.clock.advance(1);
    expect(await total()).toBe(1550);
    await deps.db.prisma.$executeRaw`DELETE FROM billing_applied_coupon WHERE id = 'cpa_again'`;
    expect(await api().operatorMerchantBilling.removeCoupon(half)).toEqual({ isNew: true });
    expect([await coupons(merchantId), await total()]).toEqual([[], 3100]);
  });

  test.each(["NONE", "ELSE", "DOLLAR"])(
    "the coupon %s isn't applicable, and the answer names the field",
    async (code) => {
      const merchantId = await makeSubscriber(deps, "pro");
      const attempt = api().operatorMerchantBilling.applyCoupon({ merchantId, code, reason });
      await expect(attempt).rejects.toMatchObject({
        code: "UNPROCESSABLE_CONTENT",
        cause: { code: "coupon_not_applicable", errors: [{ pointer: "/code" }] },
      });
    },
  );

  test("a merchant without a subscription can have no coupon; its first plan creates a subscription", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const { applyCoupon, assignPlan } = api().operatorMerchantBilling;
    expect(await codeOf(applyCoupon({ merchantId, code: "HALF", reason }))).toBe("subscription_not_found");
    const plan = { merchantId, planId: "pro", version: null, currency: null, reason };
    await Promise.all([1, 2, 3].map(() => assignPlan(plan)));
    expect((await auditOf(merchantId)).map(({ action }) => action)).toEqual(["subscription.assigned"]);
    expect((await api().operatorMerchantBilling.get({ merchantId })).subscription).toMatchObject({
      plan: { id: "pro", name: "Pro" },
    });
  });

  test("an operator withdraws a merchant's pending change of plan, with a reason", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    await change(deps, merchantId, { planId: "scale", effective: "period_end" });
    const nextPlan = async () => (await api().operatorMerchantBilling.get({ merchantId })).subscription?.nextPlan;
    expect(await nextPlan()).toMatchObject({ id: "scale" });
    await Promise.all([1, 2].map(() => api().operatorMerchantBilling.withdrawChange({ merchantId, reason })));
    expect(await nextPlan()).toBeNull();
    const withdrawn = (await auditOf(merchantId)).filter(({ action }) => action === "subscription.change_withdrawn");
    expect(withdrawn).toMatchObject([{ reason }]);
  });

  test("a credit is granted once per key, and a job ends the credit when it expires", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const expiresAt = new Date(deps.clock.now().getTime() + 86_400_000);
    const grant = {
      merchantId,
      kind: "prepaid" as const,
      currency: "EUR",
      amountMinor: 5000,
      priority: 1,
      expiresAt: expiresAt.toISOString(),
      key: "grant-test",
      reason,
    };
    const results = await Promise.all([1, 2, 3].map(() => api().operatorMerchantBilling.grantCredit(grant)));
    expect(results.filter(({ isNew }) => isNew)).toHaveLength(1);
    const find = async () => (await api().operatorMerchantBilling.get({ merchantId })).credits;
    expect(await find()).toMatchObject([{ grantedMinor: 5000, remainingMinor: 5000, priority: 1, isExpired: false }]);
    await runDueWork(deps, expiresAt);
    deps.clock.set(expiresAt);
    expect(await find()).toMatchObject([{ remainingMinor: 0, isExpired: true }]);
    const [entry] = await deps.db.prisma.$queryRaw<{ at: Date }[]>`
      SELECT effective_at AS at FROM billing_ledger_transaction WHERE merchant_id = ${merchantId} AND kind = 'credit.expired'`;
    expect(entry?.at).toEqual(expiresAt);
  });
});

describe("revenue (docs/spec/billing.md, Operator pages)", () => {
  test("is the net amount of issued invoices by month, plan and item, less credit notes and void invoices", async () => {
    const at = new Date("2028-03-10T00:00:00Z");
    deps.clock.set(at);
    const monthOf = async (month: string) =>
      (await api().operatorRevenue.overview({ months: 3 })).rows
        .filter((row) => row.month === month)
        .map(({ currency, planId, item, netMinor }) => [currency, planId, item, netMinor]);
    const credited = await makeFinalInvoice(deps, { tokens: 200n });
    const voided = await makeFinalInvoice(deps);
    expect(await monthOf("2028-03")).toEqual([
      ["EUR", "pro", "flat", 9800],
      ["EUR", "pro", "tokens_issued", 100],
    ]);
    const { outstanding } = await api().operatorRevenue.overview({});
    const before = outstanding.find(({ currency }) => currency === "EUR");
    deps.clock.set(new Date("2028-04-02T00:00:00Z"));
    await api().operatorInvoices.credit({ invoiceId: credited.invoiceId, lines: "all", reason, key: "revenue-test" });
    await api().operatorInvoices.void({ invoiceId: voided.invoiceId, reason });
    expect(await monthOf("2028-03")).toHaveLength(2);
    expect((await api().operatorRevenue.overview({})).rows.find(({ planId }) => planId === "pro")?.planName).toBe(
      "Pro",
    );
    expect(await monthOf("2028-04")).toEqual([
      ["EUR", "pro", "flat", -9800],
      ["EUR", "pro", "tokens_issued", -100],
    ]);
    const after = (await api().operatorRevenue.overview({})).outstanding.find(({ currency }) => currency === "EUR");
    expect([after?.dueMinor, after?.invoices]).toEqual([
      (before?.dueMinor ?? 0) - 5950 - 5831,
      (before?.invoices ?? 0) - 2,
    ]);
    expect(after?.overdueMinor).toBe(after?.dueMinor);
  });

  test("counts each of the invoices that are issued in parallel", async () => {
    deps.clock.set(new Date("2029-01-10T00:00:00Z"));
    await Promise.all(Array.from({ length: 8 }, () => makeFinalInvoice(deps)));
    const { rows, months } = await api().operatorRevenue.overview({ months: 1 });
    expect([months, rows.map(({ netMinor }) => netMinor)]).toEqual([["2029-01"], [39_200]]);
  });
});
