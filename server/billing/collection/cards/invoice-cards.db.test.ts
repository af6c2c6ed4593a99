import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { refusalOf } from "../../../charges/charge/charge-setup.fixture.ts";
import { findLedgerBalances } from "../../../data/billing/ledger/entries.ts";
import { billingInvariants } from "../../../data/invariants/billing-invariants.ts";
import { type StandInFault, startStripeStandIn } from "../../../processors/stripe/stand-in.fixture.ts";
import { createStripeProcessor } from "../../../processors/stripe/stripe-processor.ts";
import { makeFinalInvoice } from "../../invoices/invoice.fixture.ts";
import { collectDueInvoices } from "../collect-due-invoices.ts";
import { findBillingPaymentMethod } from "../find-billing-payment-method.ts";
import { payInvoice } from "../pay-invoice.ts";
import { beginInvoiceCard } from "./begin-invoice-card.ts";
import { settleDueInvoiceCards, settleInvoiceCard } from "./settle-invoice-card.ts";

const secretKey = "sk_test_standin";
const webhookSecret = "whsec_standin";
const day = 24 * 3600;
const start = new Date("2026-11-02T00:00:00Z");
const by = { actor: { kind: "merchant", id: "acc_owner" }, requestId: "req_test" } as const;
/** 49.00 EUR and 19% tax. */
const total = 5831n;

let standIn: Awaited<ReturnType<typeof startStripeStandIn>>;
/** Invoices are issued in the sandbox, because invoices of production need tax details. */
let sandbox: TestDeps;
let deps: TestDeps;
let isReachable: boolean;
let totalMs: number;
beforeAll(async () => {
  standIn = await startStripeStandIn(secretKey, () => sandbox.clock.now().getTime());
  const get = () =>
    createStripeProcessor({
      secretKey,
      webhookSecret,
      returnUrl: "https://wallet.test/wallet",
      apiUrl: isReachable ? standIn.url : "http://127.0.0.1:9",
      connectMs: 10_000,
      totalMs,
    });
  sandbox = await createTestDeps({ now: start, processors: { get } });
  const config = { ...sandbox.config, environment: "production" as const, stripe: { secretKey, webhookSecret } };
  deps = { ...sandbox, config };
});
beforeEach(() => {
  isReachable = true;
  totalMs = 20_000;
});
afterAll(async () => {
  for (const { name, find } of billingInvariants) expect([name, await find(deps.db.sql)]).toEqual([name, []]);
  await sandbox.close();
  await standIn.close();
});

const openInvoice = (wanted: Parameters<typeof makeFinalInvoice>[1] = {}) => makeFinalInvoice(sandbox, wanted);
const begin = async (merchantId: string) => {
  const { setupId, pageUrl } = await beginInvoiceCard(deps, { merchantId, ...by });
  return { setupId, setupRef: pageUrl.split("/").at(-1) ?? "" };
};
const settle = (merchantId: string, setupId: string, own = deps) =>
  settleInvoiceCard(own, { merchantId, setupId, requestId: "req_return" });
/** A member enters a card at Stripe and returns. */
const setCard = async (merchantId: string, card = "pm_card_visa") => {
  const { setupId, setupRef } = await begin(merchantId);
  standIn.giveCard(setupRef, card);
  return settle(merchantId, setupId);
};
const collect = (own = deps) => collectDueInvoices(own, { limit: 100 });
const collectAfter = (seconds: number) => {
  deps.clock.advance(seconds);
  return collect();
};
const settleAfter = (seconds: number) => {
  deps.clock.advance(seconds);
  return settleDueInvoiceCards(deps, { limit: 10 });
};
const methodOf = (merchantId: string) => findBillingPaymentMethod(deps, { merchantId });
const stateOf = async (setupId: string) =>
  (await deps.db.prisma.$queryRaw<{ state: string }[]>`SELECT state FROM billing_card_setup WHERE id = ${setupId}`)[0]
    ?.state;
const auditOf = (merchantId: string) =>
  deps.db.prisma.$queryRaw<{ action: string; actor_id: string }[]>`
    SELECT action, actor_id FROM audit_entry WHERE subject_id = ${merchantId} AND action LIKE 'billing%' ORDER BY seq`;
const invoiceOf = async (invoiceId: string) =>
  (
    await deps.db.prisma.$queryRaw<{ status: string; hold: string | null; failures: number }[]>`
    SELECT i.status, c.hold, c.failures FROM billing_invoice i JOIN billing_collection c ON c.invoice_id = i.id
     WHERE i.id = ${invoiceId}`
  )[0];
const attemptsOf = (invoiceId: string) =>
  deps.db.prisma.$queryRaw<{ id: string; state: string; decline_code: string | null }[]>`
    SELECT id, state, decline_code FROM billing_payment WHERE invoice_id = ${invoiceId} ORDER BY created_at, id`;
/** The payments of an invoice at Stripe. */
const intentsOf = async (invoiceId: string) => {
  const ids = (await attemptsOf(invoiceId)).map(({ id }) => id);
  return [...standIn.intents.values()].filter(({ metadata }) => ids.includes(metadata["payment_id"] ?? ""));
};
/** Pays an invoice while Stripe has a fault. */
const payWith = async (fault: StandInFault, invoiceId: string) => {
  totalMs = 2_000;
  standIn.plan(fault);
  const { outcome } = await payInvoice(deps, { invoiceId, ...by });
  totalMs = 20_000;
  return outcome;
};
const clearingOf = async (merchantId: string) =>
  (await findLedgerBalances(deps.db.sql, merchantId, { account: "processor_clearing", currency: null })).map(
    ({ posted, pending }) => [posted, pending],
  );

describe("a merchant adds a card for its invoices at Stripe (docs/spec/billing.md, Collection)", () => {
  test("an invoice that waits for a payment method is paid once with the card, on our own account", async () => {
    const { invoiceId, merchantId } = await openInvoice();
    await collect();
    expect(await invoiceOf(invoiceId)).toMatchObject({ status: "open", hold: "no_payment_method" });
    const { setupId, setupRef } = await begin(merchantId);
    expect(standIn.sessions.get(setupRef)).toMatchObject({
      success_url: `https://wallet.test/merchant/billing/details?merchant=${merchantId}&card=${setupId}`,
      cancel_url: `https://wallet.test/merchant/billing/details?merchant=${merchantId}`,
    });
    expect(await settle(merchantId, setupId)).toEqual({ state: "open" });
    standIn.giveCard(setupRef);
    expect(await settle(merchantId, setupId)).toEqual({ state: "added", label: "Visa ending in 4242" });
    expect((await methodOf(merchantId)).used).toMatchObject({ processor: "stripe", account: "platform" });
    const other = await anotherNode(deps);
    const requests = Array.from({ length: 4 }, () => payInvoice(other, { invoiceId, ...by }));
    await Promise.allSettled([...requests, ...Array.from({ length: 4 }, () => collect())]);
    await other.close();
    expect(await invoiceOf(invoiceId)).toMatchObject({ status: "paid", hold: null });
    expect(await intentsOf(invoiceId)).toMatchObject([
      { account: "", amount_received: Number(total), currency: "eur" },
    ]);
    expect(await clearingOf(merchantId)).toEqual([[total, 0n]]);
    expect(await auditOf(merchantId)).toEqual([
      { action: "billing_card_setup.begun", actor_id: by.actor.id },
      { action: "billing_payment_method.set", actor_id: by.actor.id },
    ]);
  });

  test("concurrent returns and workers set the card once, and another merchant can't read the result", async () => {
    const [{ merchantId }, stranger] = [await openInvoice(), await openInvoice()];
    const { setupId, setupRef } = await begin(merchantId);
    standIn.giveCard(setupRef);
    expect((await refusalOf(settle(stranger.merchantId, setupId))).code).toBe("not_found");
    const returns = Array.from({ length: 8 }, () => settle(merchantId, setupId));
    const [results] = await Promise.all([Promise.all(returns), settleAfter(60)]);
    expect(results).toEqual(Array(8).fill({ state: "added", label: "Visa ending in 4242" }));
    expect((await auditOf(merchantId)).map(({ action }) => action)).toEqual([
      "billing_card_setup.begun",
      "billing_payment_method.set",
    ]);
  });

  test("the card is set even if the member doesn't return", async () => {
    const { merchantId } = await openInvoice();
    const { setupId, setupRef } = await begin(merchantId);
    for (const wait of [60, 60, 120]) expect(await settleAfter(wait)).toBe(1);
    standIn.giveCard(setupRef, "pm_card_amex");
    expect(await settleAfter(239)).toBe(0);
    expect(await settleAfter(1)).toBe(1);
    expect([await stateOf(setupId), (await methodOf(merchantId)).used?.label]).toEqual([
      "added",
      "American Express ending in 8431",
    ]);
    expect(await settleAfter(day)).toBe(0);
  });

  test("after a card is set, the results of the merchant's other open pages have no effect, even if they are read at the same time", async () => {
    const { merchantId } = await openInvoice();
    const old = await begin(merchantId);
    const fresh = await Promise.all(Array.from({ length: 3 }, () => begin(merchantId)));
    for (const { setupRef } of fresh) standIn.giveCard(setupRef);
    const results = await Promise.all(fresh.map(({ setupId }) => settle(merchantId, setupId)));
    expect(results.map(({ state }) => state).toSorted()).toEqual(["added", "ended", "ended"]);
    standIn.giveCard(old.setupRef, "pm_card_amex");
    expect(await settle(merchantId, old.setupId)).toEqual({ state: "ended" });
    expect((await methodOf(merchantId)).used?.label).toBe("Visa ending in 4242");
  });

  test("an expired page sets no card; while Stripe can't be reached, a page remains open for a day", async () => {
    const { merchantId } = await openInvoice();
    const expired = await begin(merchantId);
    standIn.expireSession(expired.setupRef);
    expect(await settle(merchantId, expired.setupId)).toEqual({ state: "ended" });
    const { setupId } = await begin(merchantId);
    isReachable = false;
    expect((await refusalOf(begin(merchantId))).code).toBe("processor_unavailable");
    expect(await settle(merchantId, setupId)).toEqual({ state: "open" });
    expect(await settleAfter(3_600 + day - 1)).toBe(1);
    expect(await stateOf(setupId)).toBe("open");
    expect(await settleAfter(3_600)).toBe(1);
    expect(await stateOf(setupId)).toBe("ended");
    expect((await methodOf(merchantId)).hold).toBe("no_payment_method");
    expect((await auditOf(merchantId)).filter(({ action }) => action === "billing_card_setup.ended")).toHaveLength(2);
  });

  test("a card can't be added if the simulator is configured, or without Stripe", async () => {
    const { merchantId } = await openInvoice();
    for (const change of [{ simulatorUrl: "http://127.0.0.1:1", simulatorKey: "k" }, { stripe: null }]) {
      const config = { ...deps.config, ...change };
      expect((await refusalOf(beginInvoiceCard({ ...deps, config }, { merchantId, ...by }))).code).toBe(
        "invoice_cards_unavailable",
      );
    }
    expect(await auditOf(merchantId)).toEqual([]);
  });

  test("a merchant's members share 20 requests to Stripe in a row", async () => {
    const { merchantId } = await openInvoice();
    const { setupId } = await begin(merchantId);
    const results = await Promise.allSettled(Array.from({ length: 25 }, () => settle(merchantId, setupId)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(19);
    expect((await refusalOf(begin(merchantId))).code).toBe("too_many_processor_requests");
  });
});

describe("collection through Stripe (docs/spec/billing.md, Collection)", () => {
  test("if the answer is lost, the outcome stays unknown until a look-up finds the payment, and nothing is paid twice", async () => {
    const { invoiceId, merchantId } = await openInvoice();
    await setCard(merchantId);
    expect(await payWith("timeout_after_accept", invoiceId)).toBe("unknown");
    expect(await payInvoice(deps, { invoiceId, ...by })).toMatchObject({ outcome: "unresolved" });
    expect(await clearingOf(merchantId)).toEqual([[0n, total]]);
    isReachable = false;
    await collectAfter(5);
    expect(await attemptsOf(invoiceId)).toMatchObject([{ state: "pending" }]);
    isReachable = true;
    await collectAfter(3_600);
    expect(await attemptsOf(invoiceId)).toMatchObject([{ state: "succeeded" }]);
    expect([await intentsOf(invoiceId), await clearingOf(merchantId)]).toMatchObject([{ length: 1 }, [[total, 0n]]]);
  });

  test("after an attempt that never arrived, another attempt follows with a new key", async () => {
    const { invoiceId, merchantId } = await openInvoice();
    await setCard(merchantId);
    expect(await payWith("timeout_before_accept", invoiceId)).toBe("unknown");
    expect(await attemptsOf(invoiceId)).toMatchObject([{ state: "pending" }]);
    for (const seconds of [31, 61, 61]) await collectAfter(seconds);
    expect((await attemptsOf(invoiceId)).map(({ state }) => state)).toEqual(["not_submitted", "succeeded"]);
    expect(await intentsOf(invoiceId)).toHaveLength(1);
  });

  test("if Stripe can't be reached, the attempt counts as not sent, and another attempt follows", async () => {
    const { invoiceId, merchantId } = await openInvoice();
    await setCard(merchantId);
    isReachable = false;
    await collect();
    expect(await attemptsOf(invoiceId)).toMatchObject([{ state: "not_submitted" }]);
    isReachable = true;
    await collectAfter(60);
    expect(await invoiceOf(invoiceId)).toMatchObject({ status: "paid", failures: 0 });
  });

  test("a final decline isn't retried until another card is set; other declines are retried", async () => {
    const [lost, poor] = [await openInvoice(), await openInvoice()];
    await setCard(lost.merchantId, "pm_card_visa_chargeDeclinedLostCard");
    await setCard(poor.merchantId, "pm_card_visa_chargeDeclinedInsufficientFunds");
    await collect();
    for (let days = 1; days <= 3; days++) await collectAfter(day);
    expect((await attemptsOf(lost.invoiceId)).map(({ decline_code }) => decline_code)).toEqual(["lost_card"]);
    expect((await attemptsOf(poor.invoiceId)).map(({ decline_code }) => decline_code)).toEqual(
      Array(3).fill("insufficient_funds"),
    );
    await setCard(lost.merchantId);
    await collect();
    expect(await invoiceOf(lost.invoiceId)).toMatchObject({ status: "paid", failures: 1 });
    expect((await intentsOf(lost.invoiceId)).map(({ status }) => status)).toEqual([
      "requires_payment_method",
      "succeeded",
    ]);
  });

  test.each([
    ["a currency that Stripe doesn't support", { currency: "UGX" }],
    ["an amount that Stripe can't represent", { currency: "KWD", flat: 4901n }],
  ])("%s isn't charged, and the invoice waits", async (_, wanted) => {
    const { invoiceId, merchantId } = await openInvoice(wanted);
    await setCard(merchantId);
    await collect();
    expect([await invoiceOf(invoiceId), await attemptsOf(invoiceId)]).toMatchObject([
      { status: "open", hold: "no_processor" },
      [],
    ]);
  });
});
