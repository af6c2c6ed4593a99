import Stripe from "stripe";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findViolations } from "../../data/invariants/invariants.ts";
import type { Processor } from "../../deps/processor-port.ts";
import { stripeWebhookEndpoint } from "../../endpoints/charges/processor-webhook.ts";
import { provideDeps } from "../../http/runtime.ts";
import { serve } from "../../http/serve.ts";
import { newId } from "../../kernel/ids.ts";
import type { PaymentMandateDetails } from "../../mandates/details/payment-mandate.wire.ts";
import { revokeMandate } from "../../mandates/lifecycle/revoke-mandate.ts";
import { startStripeStandIn } from "../../processors/stripe/stand-in.fixture.ts";
import { createStripeProcessor } from "../../processors/stripe/stripe-processor.ts";
import { reconcileDueCharges } from "../reconcile/reconcile-due-charges.ts";
import { reconcileDueRefunds } from "../refunds/perform-refund.ts";
import { listContradictions } from "../review/list-contradictions.ts";
import { searchChargeUnderReview } from "../review/search-charge-under-review.ts";
import { requestCapture, requestRefund, requestVoid } from "./answers.fixture.ts";
import { makeChargeableMandate, refusalOf } from "./charge-setup.fixture.ts";

const secretKey = "sk_test_standin";
const webhookSecret = "whsec_standin";
const { webhooks } = new Stripe(secretKey, { telemetry: false });

/** No server listens at this address. */
const unusedUrl = "http://127.0.0.1:1";

let deps: TestDeps;
let standIn: Awaited<ReturnType<typeof startStripeStandIn>>;
let totalMs: number;
/** Whether a payment can be looked up. */
let isLookupAnswered: boolean;
let isReachable = true;
beforeAll(async () => {
  standIn = await startStripeStandIn(secretKey);
  const processor = (): Processor => {
    const stripe = createStripeProcessor({
      secretKey,
      webhookSecret,
      returnUrl: "https://wallet.test/wallet",
      apiUrl: isReachable ? standIn.url : unusedUrl,
      connectMs: 10_000,
      totalMs,
    });
    return isLookupAnswered ? stripe : { ...stripe, lookup: async () => ({ kind: "unknown" }) };
  };
  deps = await createTestDeps({
    processors: { get: () => processor() },
    config: { stripe: { secretKey, webhookSecret } },
  });
  // Contradictions are logged as errors; these tests cause them on purpose.
  deps.log = { ...deps.log, error() {} };
  provideDeps(deps);
});
beforeEach(() => {
  totalMs = 20_000;
  isLookupAnswered = true;
});
afterAll(async () => {
  expect(await findViolations(deps.db.sql)).toEqual([]);
  await deps.close();
  await standIn.close();
});

const bodyOf = (answer: { body: string }): Record<string, unknown> => JSON.parse(answer.body);
const send = async (body: string, signature: string | null, type = "application/json") => {
  const headers = { "content-type": type, ...(signature === null ? {} : { "stripe-signature": signature }) };
  const address = `${deps.config.baseUrl}/processors/stripe/webhook`;
  const answer = await serve(stripeWebhookEndpoint)(new Request(address, { method: "POST", headers, body }));
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
};
const sign = (payload: string, secret = webhookSecret) =>
  webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(deps.clock.now().getTime() / 1000) });

/** A merchant whose processor is Stripe. */
const makeStripeMerchant = async (limits: Partial<PaymentMandateDetails> = {}) => {
  const setup = await makeChargeableMandate(deps, { max_total_amount: 1_000, ...limits });
  const { id } = setup.merchant;
  await deps.db.prisma.merchant.update({ where: { id }, data: { processor: "stripe" } });
  const method = { where: { id: setup.payer.paymentMethodId }, data: { processor: "stripe" } };
  await deps.db.prisma.paymentMethod.update(method);
  const account = `acct_${id}`;
  const intent = () => [...standIn.intents.values()].find((each) => each.account === account);
  return {
    ...setup,
    intent,
    account,
    act: (chargeId: string, idempotencyKey: string = newId("req")) => ({
      merchantId: id,
      clientId: setup.merchantClient.id,
      requestId: "r",
      chargeId,
      idempotencyKey,
    }),
    /** Sends a signed Stripe webhook about an object. */
    sendEvent: (type: string, object: object) => {
      const body = JSON.stringify({ id: newId("evt"), object: "event", type, account, data: { object } });
      return send(body, sign(body));
    },
    stateOf: async (chargeId: string) =>
      (await deps.db.prisma.charge.findFirstOrThrow({ where: { id: chargeId } })).state,
    recordsOf: async (objectId: string) => ({
      events: (await deps.db.prisma.event.findMany({ where: { objectId }, orderBy: { sequence: "asc" } })).map(
        ({ type }) => type,
      ),
      audit: await deps.db.prisma.$queryRaw<object[]>`
        SELECT action, actor_id, data FROM audit_entry WHERE subject_id = ${objectId} ORDER BY seq`,
    }),
  };
};
/** The next call succeeds at Stripe, but its answer is lost. */
const loseAnswer = async <T>(call: () => Promise<T>): Promise<T> => {
  totalMs = 2_000;
  standIn.plan("timeout_after_accept");
  const answer = await call();
  totalMs = 20_000;
  return answer;
};

describe("a merchant on Stripe: the adapter and the signed webhooks (docs/spec/payments.md, Processors)", () => {
  test("a payment whose answer was lost is settled by payment_intent.succeeded, once", async () => {
    const setup = await makeStripeMerchant();
    const answer = await loseAnswer(() => setup.charge({}, "k"));
    expect([answer.status, bodyOf(answer)["status"]]).toEqual([202, "unknown"]);
    const sendEvent = () => setup.sendEvent("payment_intent.succeeded", setup.intent() ?? {});
    expect(await sendEvent()).toEqual({ status: 200, json: { received: true } });
    expect((await sendEvent()).status).toBe(200);
    expect(await setup.stateOf(answer.chargeId)).toBe("succeeded");
    expect(await setup.counters()).toMatchObject({ used: 1_000n, held: 0n, usedCount: 1n });
    expect(await setup.charge({}, "k")).toMatchObject({ status: 201, isRepeat: true });
    expect(setup.intent()).toMatchObject({ amount_received: 1_000, metadata: { charge_id: answer.chargeId } });
  });

  test("a capture, a refund and a dispute are recorded even if only an event reports them", async () => {
    const setup = await makeStripeMerchant({ refund_policy: "restore" });
    const { chargeId } = await setup.charge({ capture_method: "manual" });
    const captured = await loseAnswer(() => requestCapture(deps, { ...setup.act(chargeId), request: { amount: 600 } }));
    expect(captured.status).toBe(202);
    await setup.sendEvent("charge.captured", {
      object: "charge",
      payment_intent: setup.intent()?.id,
      metadata: { charge_id: chargeId },
    });
    expect(await setup.stateOf(chargeId)).toBe("partially_captured");
    expect(await setup.counters()).toMatchObject({ used: 600n, held: 0n });
    const refund = await loseAnswer(() => requestRefund(deps, { ...setup.act(chargeId), request: { amount: 200 } }));
    expect(bodyOf(refund)["status"]).toBe("pending");
    await setup.sendEvent("refund.created", {
      object: "refund",
      payment_intent: setup.intent()?.id,
      metadata: { charge_id: chargeId },
    });
    expect(await setup.stateOf(chargeId)).toBe("partially_refunded");
    expect(await setup.counters()).toMatchObject({ used: 400n, usedCount: 1n });
    const dispute = standIn.dispute(setup.account, chargeId, 600);
    await setup.sendEvent("charge.dispute.created", { object: "dispute", id: dispute });
    expect(await setup.stateOf(chargeId)).toBe("disputed");
    standIn.setDispute(dispute, "won");
    await setup.sendEvent("charge.dispute.closed", { object: "dispute", id: dispute });
    expect(await setup.stateOf(chargeId)).toBe("partially_refunded");
    expect(setup.intent()).toMatchObject({ amount_received: 600, amount_refunded: 200 });
  });

  /** A paid charge of 1,000, with access to its refunds. */
  const paid = async (limits: Partial<PaymentMandateDetails> = { refund_policy: "restore" }) => {
    const setup = await makeStripeMerchant(limits);
    const { chargeId } = await setup.charge();
    const intentId = setup.intent()?.id ?? "";
    const refundOf = async (refundRef: string) => {
      const [row] = await deps.db.prisma.$queryRaw<{ id: string; status: string }[]>`
        SELECT id, status, amount, failure_code, merchant_client_id FROM refund WHERE refund_ref = ${refundRef}`;
      return row;
    };
    const stateAndCounters = async () => [await setup.stateOf(chargeId), await setup.counters()];
    return { ...setup, chargeId, intentId, refundOf, stateAndCounters };
  };

  test("a refund made in Stripe's dashboard is recorded once, even if it is reported several times", async () => {
    const setup = await paid();
    const made = standIn.refundByHand(setup.intentId, 300);
    const sendEvent = () => setup.sendEvent("refund.created", made);
    const answers = await Promise.all(Array.from({ length: 6 }, sendEvent));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const refund = await setup.refundOf(made.id);
    expect(refund).toMatchObject({ status: "succeeded", amount: 300n, merchant_client_id: "stripe" });
    expect(await setup.stateAndCounters()).toMatchObject(["partially_refunded", { used: 700n, usedCount: 1n }]);
    expect(await setup.recordsOf(refund?.id ?? "")).toMatchObject({
      events: ["refund.succeeded"],
      audit: [
        { action: "refund.created", actor_id: "processor", data: { refund_ref: made.id, made_at: "stripe" } },
        { action: "refund.succeeded", actor_id: "processor" },
      ],
    });
    const left = await requestRefund(deps, { ...setup.act(setup.chargeId), request: {} });
    expect(bodyOf(left)).toMatchObject({ amount: 700, status: "succeeded" });
    expect(setup.intent()).toMatchObject({ amount_refunded: 1_000 });
  });

  test("a pending dashboard refund is looked up later, and a dashboard refund that failed immediately is ignored", async () => {
    const setup = await paid();
    const intent = setup.intent();
    if (intent) intent.payment_method = "pm_card_refundFail";
    await setup.sendEvent("refund.created", standIn.refundByHand(setup.intentId, 200));
    expect(await setup.stateAndCounters()).toMatchObject(["succeeded", { used: 1_000n }]);
    if (intent) intent.payment_method = "pm_card_pendingRefund";
    const made = standIn.refundByHand(setup.intentId, 300);
    await setup.sendEvent("refund.created", made);
    expect(await setup.refundOf(made.id)).toMatchObject({ status: "pending" });
    expect(await setup.stateAndCounters()).toMatchObject(["succeeded", { used: 1_000n }]);
    made.status = "succeeded";
    deps.clock.advance(60);
    await reconcileDueRefunds(deps, { limit: 10 });
    expect(await setup.refundOf(made.id)).toMatchObject({ status: "succeeded" });
    expect(await setup.stateAndCounters()).toMatchObject(["partially_refunded", { used: 700n }]);
  });

  test("if a refund fails days after it succeeded, its amount counts as captured and as used again, and the failure is reported and audited once", async () => {
    const setup = await paid();
    const { body } = await requestRefund(deps, { ...setup.act(setup.chargeId, "k"), request: {} });
    expect(await setup.stateAndCounters()).toMatchObject(["refunded", { used: 0n, usedCount: 1n }]);
    const [made] = standIn.refundsOf(setup.intentId);
    deps.clock.advance(5 * 86_400);
    const failed = standIn.failRefund(made?.id ?? "");
    await Promise.all(
      ["refund.failed", "refund.updated", "charge.refund.updated"].map((type) => setup.sendEvent(type, failed)),
    );
    const refund = await setup.refundOf(failed.id);
    expect(refund).toMatchObject({ status: "failed", failure_code: "lost_or_stolen_card" });
    expect(await setup.stateAndCounters()).toMatchObject(["succeeded", { used: 1_000n, held: 0n, usedCount: 1n }]);
    expect(await setup.recordsOf(refund?.id ?? "")).toMatchObject({
      events: ["refund.succeeded", "refund.failed"],
      audit: [
        { action: "refund.created" },
        { action: "refund.succeeded" },
        { action: "refund.failed", actor_id: "processor", data: { code: "lost_or_stolen_card", after: "succeeded" } },
      ],
    });
    // The first final answer stays unchanged, and the merchant may refund the money again.
    expect(await requestRefund(deps, { ...setup.act(setup.chargeId, "k"), request: {} })).toEqual({
      body,
      isRepeat: true,
    });
    const secondRefund = await requestRefund(deps, { ...setup.act(setup.chargeId), request: { amount: 400 } });
    expect(bodyOf(secondRefund)["status"]).toBe("succeeded");
    expect(await setup.stateAndCounters()).toMatchObject(["partially_refunded", { used: 600n }]);
  });

  test("if the restored amount was spent in the meantime, the used amount is above the cap, and no further charge is allowed", async () => {
    const setup = await paid({
      refund_policy: "restore",
      periodic_limits: [{ period: "month", alignment: "calendar", max_amount: 1_000 }],
    });
    await requestRefund(deps, { ...setup.act(setup.chargeId), request: {} });
    expect((await setup.charge({ amount: 800 })).status).toBe(201);
    const failed = standIn.failRefund(standIn.refundsOf(setup.intentId)[0]?.id ?? "");
    expect((await setup.sendEvent("refund.failed", failed)).status).toBe(200);
    expect(await setup.counters()).toMatchObject({ used: 1_800n });
    const [period] = await deps.db.prisma.mandatePeriod.findMany({ where: { mandateId: setup.mandateId } });
    expect(period).toMatchObject({ usedAmount: 1_800n });
    expect(await refusalOf(setup.charge({ amount: 1 }))).toMatchObject({ kind: "forbidden" });
  });

  test("a refund that fails during an open dispute leaves the charge disputed", async () => {
    const setup = await paid();
    await requestRefund(deps, { ...setup.act(setup.chargeId), request: { amount: 400 } });
    const dispute = standIn.dispute(setup.account, setup.chargeId, 600);
    await setup.sendEvent("charge.dispute.created", { object: "dispute", id: dispute });
    await setup.sendEvent("refund.failed", standIn.failRefund(standIn.refundsOf(setup.intentId)[0]?.id ?? ""));
    expect(await setup.stateAndCounters()).toMatchObject(["disputed", { used: 1_000n }]);
    standIn.setDispute(dispute, "won");
    await setup.sendEvent("charge.dispute.closed", { object: "dispute", id: dispute });
    expect(await setup.stateAndCounters()).toMatchObject(["succeeded", { used: 1_000n }]);
  });

  test.each([
    ["before", 0],
    ["after", 1],
  ])(
    "a refund made in Stripe's dashboard that is reported %s a dispute leads to the same records",
    async (_when, place) => {
      const setup = await paid();
      const made = standIn.refundByHand(setup.intentId, 300);
      const dispute = standIn.dispute(setup.account, setup.chargeId, 700);
      const deliveries = [() => setup.sendEvent("charge.dispute.created", { object: "dispute", id: dispute })];
      deliveries.splice(place, 0, () => setup.sendEvent("refund.created", made));
      for (const deliver of deliveries) expect((await deliver()).status).toBe(200);
      expect(await setup.refundOf(made.id)).toMatchObject({ status: "succeeded", amount: 300n });
      expect(await setup.stateAndCounters()).toMatchObject(["disputed", { used: 700n }]);
      expect(await listContradictions(deps, { chargeId: setup.chargeId })).toEqual([]);
      standIn.setDispute(dispute, "won");
      await setup.sendEvent("charge.dispute.closed", { object: "dispute", id: dispute });
      expect(await setup.stateAndCounters()).toMatchObject(["partially_refunded", { used: 700n }]);
    },
  );

  test("a refund that contradicts the records is shown to operators and changes nothing", async () => {
    const setup = await paid();
    standIn.plan("timeout_before_accept");
    totalMs = 2_000;
    await requestRefund(deps, { ...setup.act(setup.chargeId), request: {} });
    totalMs = 20_000;
    const made = standIn.refundByHand(setup.intentId, 300);
    for (const type of ["refund.created", "refund.updated"]) await setup.sendEvent(type, made);
    expect(await setup.refundOf(made.id)).toBeUndefined();
    expect(await setup.stateAndCounters()).toMatchObject(["succeeded", { used: 1_000n }]);
    expect(await listContradictions(deps, { chargeId: setup.chargeId })).toMatchObject([
      { about: "refund", processorRef: made.id, reported: "succeeded", amount: 300n, processor: "stripe" },
    ]);
  });

  test.each(["expired_uncaptured_charge", null])(
    "the amount that a partial capture releases (reported with the reason %s) doesn't count as a refund; a manual refund of the same amount does",
    async (reason) => {
      const setup = await makeStripeMerchant({ refund_policy: "restore" });
      const { chargeId } = await setup.charge({ capture_method: "manual" });
      await requestCapture(deps, { ...setup.act(chargeId), request: { amount: 600 } });
      const intentId = setup.intent()?.id ?? "";
      const [release] = standIn.refundsOf(intentId);
      expect(release).toMatchObject({ amount: 400, metadata: {} });
      if (release) release.reason = reason;
      const deliverEvents = async () => {
        expect((await setup.sendEvent("refund.created", release ?? {})).status).toBe(200);
        const paid = { object: "charge", payment_intent: intentId, metadata: { charge_id: chargeId } };
        expect((await setup.sendEvent("charge.refunded", paid)).status).toBe(200);
        return [await setup.stateOf(chargeId), await setup.counters()];
      };
      expect(await deliverEvents()).toMatchObject(["partially_captured", { used: 600n, held: 0n, usedCount: 1n }]);
      await setup.sendEvent("refund.created", standIn.refundByHand(intentId, 400));
      expect(await deliverEvents()).toMatchObject(["partially_refunded", { used: 200n, usedCount: 1n }]);
      await requestRefund(deps, { ...setup.act(chargeId), request: {} });
      expect(await deliverEvents()).toMatchObject(["refunded", { used: 0n, usedCount: 1n }]);
      expect(await listContradictions(deps, { chargeId })).toEqual([]);
    },
  );

  test("the amount that a void or an expiry releases doesn't count as a refund; a void by us or at Stripe raises no contradiction", async () => {
    const [setup, theirs] = [await makeStripeMerchant(), await makeStripeMerchant()];
    const voided = await setup.charge({ capture_method: "manual" });
    expect((await requestVoid(deps, setup.act(voided.chargeId))).status).toBe(200);
    const expired = await theirs.charge({ capture_method: "manual" });
    standIn.cancel(theirs.intent()?.id ?? "");
    for (const [each, { chargeId }] of [[setup, voided] as const, [theirs, expired] as const]) {
      const [release] = standIn.refundsOf(each.intent()?.id ?? "");
      expect(release).toMatchObject({ amount: 1_000, status: "succeeded" });
      for (const type of ["refund.created", "refund.updated"]) {
        expect((await each.sendEvent(type, release ?? {})).status).toBe(200);
      }
      await each.sendEvent("payment_intent.canceled", each.intent() ?? {});
      expect(await each.stateOf(chargeId)).toBe("voided");
      expect(await each.counters()).toMatchObject({ used: 0n, held: 0n });
      expect(await listContradictions(deps, { chargeId })).toEqual([]);
    }
  });

  test("if a payment's outcome is unknown, the payment is settled before its refunds", async () => {
    const setup = await makeStripeMerchant({ refund_policy: "restore" });
    const { chargeId } = await loseAnswer(() => setup.charge());
    expect(await setup.stateOf(chargeId)).toBe("unknown");
    const made = standIn.refundByHand(setup.intent()?.id ?? "", 1_000);
    await setup.sendEvent("refund.created", made);
    expect(await setup.stateOf(chargeId)).toBe("refunded");
    expect(await setup.counters()).toMatchObject({ used: 0n, held: 0n, usedCount: 1n });
  });

  const payBy = (setup: Awaited<ReturnType<typeof makeStripeMerchant>>, processorRef: string) =>
    deps.db.prisma.paymentMethod.update({ where: { id: setup.payer.paymentMethodId }, data: { processorRef } });

  test.each<["automatic" | "manual", string, string]>([
    ["automatic", "pm_card_authenticationRequired", "requires_action"],
    ["manual", "pm_card_visa", "authorized"],
  ])(
    "a refund event that arrives before the payment's own event (%s) settles the payment first, or later if Stripe can't be asked",
    async (capture_method, method, state) => {
      const setup = await makeStripeMerchant({ refund_policy: "restore" });
      await payBy(setup, method);
      const { chargeId } = await setup.charge({ capture_method });
      expect(await setup.stateOf(chargeId)).toBe(state);
      const intent = setup.intent();
      Object.assign(intent ?? {}, { status: "succeeded", amount_received: 1_000 });
      const made = standIn.refundByHand(intent?.id ?? "", 300);
      isLookupAnswered = false;
      expect((await setup.sendEvent("refund.created", made)).status).toBe(503);
      expect(await setup.stateOf(chargeId)).toBe(state);
      isLookupAnswered = true;
      const answers = await Promise.all(Array.from({ length: 6 }, () => setup.sendEvent("refund.created", made)));
      expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
      await setup.sendEvent("payment_intent.succeeded", intent ?? {});
      expect(await setup.stateOf(chargeId)).toBe("partially_refunded");
      expect(await setup.counters()).toMatchObject({ used: 700n, held: 0n, usedCount: 1n });
      expect(await listContradictions(deps, { chargeId })).toEqual([]);
    },
  );

  test("if the charge of a payment or refund event was voided, the response is 503 until Stripe can be reached", async () => {
    const setup = await makeStripeMerchant();
    const { chargeId } = await setup.charge({ capture_method: "manual" });
    await requestVoid(deps, setup.act(chargeId));
    const intent = Object.assign(setup.intent() ?? {}, { status: "succeeded", amount_received: 1_000 });
    const made = standIn.refundByHand(setup.intent()?.id ?? "", 300);
    const sendBoth = async () => [
      await setup.sendEvent("payment_intent.succeeded", intent),
      await setup.sendEvent("refund.created", made),
    ];
    isLookupAnswered = false;
    for (const { status, json } of await sendBoth()) {
      expect([status, json]).toEqual([
        503,
        expect.objectContaining({ type: expect.stringMatching(/#processor_unavailable$/) }),
      ]);
    }
    expect(await listContradictions(deps, { chargeId })).toEqual([]);
    isLookupAnswered = true;
    expect((await sendBoth()).map(({ status }) => status)).toEqual([200, 200]);
    expect(await listContradictions(deps, { chargeId })).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ about: "payment", reported: "captured", amount: 1_000n })]),
    );
    expect(await setup.stateOf(chargeId)).toBe("voided");
  });

  test("a dispute of a declined or voided charge is reported to operators once, and isn't looked up again", async () => {
    const [declined, voided] = [await makeStripeMerchant(), await makeStripeMerchant()];
    await payBy(declined, "pm_card_chargeDeclined");
    const { chargeId } = await declined.charge();
    const other = await voided.charge({ capture_method: "manual" });
    await requestVoid(deps, voided.act(other.chargeId));
    for (const [setup, id, state] of [
      [declined, chargeId, "declined"] as const,
      [voided, other.chargeId, "voided"] as const,
    ]) {
      const dispute = standIn.dispute(setup.account, id, 600);
      const sendDispute = () => setup.sendEvent("charge.dispute.created", { object: "dispute", id: dispute });
      expect([(await sendDispute()).status, (await sendDispute()).status]).toEqual([200, 200]);
      standIn.setDispute(dispute, "lost");
      expect((await sendDispute()).status).toBe(200);
      expect(await setup.stateOf(id)).toBe(state);
      expect(await setup.counters()).toMatchObject({ used: 0n, held: 0n });
      expect(await listContradictions(deps, { chargeId: id })).toMatchObject([
        { about: "payment", processorRef: dispute, reported: "disputed", amount: 600n, chargeState: state },
      ]);
    }
  });

  test.each<[string, (mark: string) => Record<string, string>]>([
    ["removed our metadata", () => ({})],
    ["replaced our metadata with that of another charge", (charge_id) => ({ charge_id })],
  ])("events are matched to their charge by the payment's own id, even if the merchant %s", async (_what, mark) => {
    const setup = await makeStripeMerchant({ max_total_amount: 2_000, refund_policy: "restore" });
    const [{ chargeId }, other] = [await setup.charge(), await setup.charge()];
    const [intent] = [...standIn.intents.values()].filter(({ metadata }) => metadata["charge_id"] === chargeId);
    const dispute = standIn.dispute(setup.account, chargeId, 600);
    Object.assign(intent ?? {}, { metadata: mark(other.chargeId) });
    await setup.sendEvent("refund.created", standIn.refundByHand(intent?.id ?? "", 300));
    expect([await setup.stateOf(chargeId), await setup.stateOf(other.chargeId)]).toEqual([
      "partially_refunded",
      "succeeded",
    ]);
    await setup.sendEvent("charge.dispute.created", { object: "dispute", id: dispute });
    expect([await setup.stateOf(chargeId), await setup.stateOf(other.chargeId)]).toEqual(["disputed", "succeeded"]);
    expect(await setup.counters()).toMatchObject({ used: 1_700n, held: 0n, usedCount: 2n });
  });

  test("the end of an authorization is recognized without our metadata", async () => {
    const setup = await makeStripeMerchant();
    const { chargeId } = await setup.charge({ capture_method: "manual" });
    const intent = Object.assign(setup.intent() ?? {}, { metadata: {} });
    standIn.cancel(setup.intent()?.id ?? "");
    await setup.sendEvent("payment_intent.canceled", intent);
    expect(await setup.stateOf(chargeId)).toBe("voided");
    expect(await setup.counters()).toMatchObject({ used: 0n, held: 0n });
  });

  test("another payment with a copy of our metadata doesn't change the charge that the metadata names", async () => {
    const setup = await paid();
    const intent = setup.intent();
    if (!intent) throw new Error("no payment");
    const foreign = { ...intent, id: "pi_foreign" };
    standIn.intents.set(foreign.id, foreign);
    const made = standIn.refundByHand(foreign.id, 300);
    expect((await setup.sendEvent("refund.created", made)).status).toBe(200);
    expect((await setup.sendEvent("payment_intent.canceled", { ...foreign, status: "canceled" })).status).toBe(200);
    expect(await setup.stateAndCounters()).toMatchObject(["succeeded", { used: 1_000n }]);
    expect(await setup.refundOf(made.id)).toBeUndefined();
    expect(await listContradictions(deps, { chargeId: setup.chargeId })).toEqual([]);
  });

  test.each<[string, object, string, bigint]>([
    ["amount", { amount: 1_200, amount_received: 1_200 }, "another_amount", 1_200n],
    ["currency", { currency: "usd" }, "another_currency", 1_000n],
  ])(
    "a payment whose %s differs from the request settles nothing and is raised once; the charge then waits for an operator",
    async (_what, change, reported, amount) => {
      const setup = await makeStripeMerchant();
      const { chargeId } = await loseAnswer(() => setup.charge());
      const intent = Object.assign(setup.intent() ?? {}, change);
      for (const _ of [1, 2]) expect((await setup.sendEvent("payment_intent.succeeded", intent)).status).toBe(200);
      expect(await setup.stateOf(chargeId)).toBe("unknown");
      expect(await setup.counters()).toMatchObject({ used: 0n, held: 1_000n });
      const raised = [{ about: "payment", processorRef: setup.intent()?.id, reported, amount, chargeState: "unknown" }];
      expect(await listContradictions(deps, { chargeId })).toMatchObject(raised);
      // The dispute and the refund of the payment are also raised to operators, so Stripe doesn't have to send their
      // events again.
      deps.clock.advance(1);
      const dispute = standIn.dispute(setup.account, chargeId, 600);
      expect((await setup.sendEvent("charge.dispute.created", { object: "dispute", id: dispute })).status).toBe(200);
      const refund = standIn.refundByHand(setup.intent()?.id ?? "", 300);
      expect((await setup.sendEvent("refund.created", refund)).status).toBe(200);
      const disputed = { about: "payment", processorRef: dispute, reported: "disputed", amount: 600n };
      deps.clock.advance(24 * 3600);
      await reconcileDueCharges(deps, { limit: 100 });
      expect(await deps.db.prisma.charge.findFirst({ where: { id: chargeId } })).toMatchObject({
        state: "unknown",
        nextLookupAt: null,
      });
      const act = { chargeId, operatorId: "usr_operator", reason: "asked again", requestId: "r" };
      expect(await searchChargeUnderReview(deps, act)).toBe("contradiction");
      expect(await setup.counters()).toMatchObject({ used: 0n, held: 1_000n });
      expect(await listContradictions(deps, { chargeId })).toMatchObject([...raised, disputed]);
    },
  );

  test("if a search finds another charge's payment because of changed metadata, the result counts as not found", async () => {
    const setup = await makeStripeMerchant({ max_total_amount: 2_000 });
    const first = await setup.charge();
    totalMs = 2_000;
    standIn.plan("timeout_before_accept");
    const { chargeId } = await setup.charge();
    totalMs = 20_000;
    Object.assign(setup.intent() ?? {}, { metadata: { charge_id: chargeId } });
    deps.clock.advance(24 * 3600);
    await reconcileDueCharges(deps, { limit: 100 });
    expect([await setup.stateOf(first.chargeId), await setup.stateOf(chargeId)]).toEqual(["succeeded", "unknown"]);
    expect(await setup.counters()).toMatchObject({ used: 1_000n, held: 1_000n });
    expect(await listContradictions(deps, { chargeId })).toEqual([]);
  });

  test("a payment that Stripe has not attempted yet isn't declined, because it may still succeed", async () => {
    const setup = await makeStripeMerchant();
    const { chargeId } = await loseAnswer(() => setup.charge());
    const intent = setup.intent();
    Object.assign(intent ?? {}, { status: "requires_payment_method", amount_received: 0 });
    expect((await setup.sendEvent("payment_intent.created", intent ?? {})).status).toBe(200);
    expect(await setup.stateOf(chargeId)).toBe("unknown");
    expect(await setup.counters()).toMatchObject({ held: 1_000n });
    Object.assign(intent ?? {}, { status: "succeeded", amount_received: 1_000 });
    await setup.sendEvent("payment_intent.succeeded", intent ?? {});
    expect(await setup.stateOf(chargeId)).toBe("succeeded");
  });

  test("while Stripe can't be queried, the event is refused, so that Stripe sends it again", async () => {
    const setup = await paid();
    const made = standIn.refundByHand(setup.intentId, 300);
    isReachable = false;
    expect((await setup.sendEvent("refund.created", made)).status).toBe(503);
    isReachable = true;
    expect((await setup.sendEvent("refund.created", made)).status).toBe(200);
    expect(await setup.refundOf(made.id)).toMatchObject({ status: "succeeded" });
  });

  test("refunds of the merchant's other payments are ignored", async () => {
    const setup = await paid();
    const other = { ...setup.intent(), id: "pi_other", metadata: {} } as NonNullable<ReturnType<typeof setup.intent>>;
    standIn.intents.set(other.id, other);
    expect((await setup.sendEvent("refund.created", standIn.refundByHand(other.id, 300))).status).toBe(200);
    expect(await setup.stateAndCounters()).toMatchObject(["succeeded", { used: 1_000n }]);
    standIn.intents.delete(other.id);
  });

  test("3-D Secure is requested, and the payment is voided at Stripe when the merchant voids the charge", async () => {
    const setup = await makeStripeMerchant();
    await payBy(setup, "pm_card_authenticationRequired");
    const created = await setup.charge();
    expect(bodyOf(created)).toMatchObject({
      status: "requires_action",
      next_action: { type: "redirect", url: expect.stringMatching(/^https:/) },
    });
    expect((await requestVoid(deps, setup.act(created.chargeId))).status).toBe(200);
    expect([await setup.stateOf(created.chargeId), setup.intent()?.status]).toEqual(["voided", "canceled"]);
    expect(await setup.counters()).toMatchObject({ held: 0n, used: 0n });
  });

  test.each<[string, boolean]>([
    ["a charge with the payment's id is settled by this id", true],
    ["a charge without the payment's id is put under review, keeps its hold, and isn't looked up again", false],
  ])("if the merchant removes a payment's metadata in Stripe's dashboard, %s", async (_, isIdKnown) => {
    const setup = await makeStripeMerchant();
    await payBy(setup, "pm_card_authenticationRequired");
    const { chargeId } = isIdKnown ? await setup.charge() : await loseAnswer(() => setup.charge());
    const intent = setup.intent();
    Object.assign(intent ?? {}, { metadata: {}, status: "succeeded", amount_received: 1_000 });
    if (!isIdKnown)
      await revokeMandate(deps, { ...setup, actor: { kind: "payer", id: setup.payer.id }, requestId: "r" });
    for (const seconds of isIdKnown ? [5] : [5, 10, 3600, 86_400]) {
      deps.clock.advance(seconds);
      await reconcileDueCharges(deps, { limit: 100 });
    }
    expect(await setup.stateOf(chargeId)).toBe(isIdKnown ? "succeeded" : "unknown");
    expect(await setup.counters()).toMatchObject(isIdKnown ? { used: 1_000n, held: 0n } : { held: 1_000n });
    expect(await deps.db.prisma.charge.findFirst({ where: { id: chargeId } })).toMatchObject({ nextLookupAt: null });
    expect((await setup.recordsOf(chargeId)).audit).toMatchObject(
      isIdKnown ? [{}, { action: "charge.succeeded" }] : [{}, { action: "charge.review_needed" }],
    );
    Object.assign(intent ?? {}, { metadata: { charge_id: chargeId } });
  });

  test("a cancellation in Stripe's dashboard is recorded from payment_intent.canceled", async () => {
    const setup = await makeStripeMerchant();
    const { chargeId } = await setup.charge({ capture_method: "manual" });
    const intent = setup.intent();
    if (intent) intent.status = "canceled";
    await setup.sendEvent("payment_intent.canceled", intent ?? {});
    expect(await setup.stateOf(chargeId)).toBe("voided");
    expect(await setup.counters()).toMatchObject({ held: 0n });
  });

  test("a payer's payment method on the platform's account is cloned to the merchant's account, and is charged once despite lost answers and repeats", async () => {
    const setup = await makeStripeMerchant();
    await payBy(setup, standIn.keep("pm_card_visa"));
    totalMs = 2_000;
    standIn.plan("timeout_after_accept");
    const answer = await setup.charge({}, "k");
    totalMs = 20_000;
    expect([answer.status, bodyOf(answer)["status"]]).toEqual([202, "unknown"]);
    deps.clock.advance(5);
    await reconcileDueCharges(deps, { limit: 100 });
    expect(await setup.charge({}, "k")).toMatchObject({ status: 201, isRepeat: true });
    expect([...standIn.intents.values()].filter(({ account }) => account === setup.account)).toHaveLength(1);
    expect(standIn.clonesOf(setup.account)).toHaveLength(1);
    expect(await setup.counters()).toMatchObject({ used: 1_000n, held: 0n, usedCount: 1n });
  });

  test("if a payment method can't be cloned in time, the response is 503: nothing was submitted, and a repeat with the same key pays once", async () => {
    const setup = await makeStripeMerchant();
    await payBy(setup, standIn.keep("pm_card_visa"));
    totalMs = 2_000;
    standIn.planClone("timeout_after_accept");
    expect(await refusalOf(setup.charge({}, "k"))).toMatchObject({
      kind: "unavailable",
      code: "processor_unavailable",
    });
    totalMs = 20_000;
    expect(setup.intent()).toBeUndefined();
    expect(await setup.counters()).toMatchObject({ used: 0n, held: 0n });
    expect((await setup.charge({}, "k")).status).toBe(201);
  });

  test("an amount that Stripe doesn't support is refused before anything is sent", async () => {
    const setup = await makeStripeMerchant({
      currency: "KWD",
      max_amount_per_payment: 50_000,
      max_total_amount: 50_000,
    });
    expect(await refusalOf(setup.charge({ amount: 12_341, currency: "KWD" }))).toMatchObject({
      kind: "invalid",
      pointers: ["/amount"],
    });
    expect(setup.intent()).toBeUndefined();
    const { chargeId } = await setup.charge({ amount: 12_340, currency: "KWD", capture_method: "manual" });
    const refused = { kind: "invalid", pointers: ["/amount"] };
    expect(await refusalOf(requestCapture(deps, { ...setup.act(chargeId), request: { amount: 5_005 } }))).toMatchObject(
      refused,
    );
    expect((await requestCapture(deps, { ...setup.act(chargeId), request: { amount: 5_000 } })).status).toBe(200);
    expect(await refusalOf(requestRefund(deps, { ...setup.act(chargeId), request: { amount: 5 } }))).toMatchObject(
      refused,
    );
    const refund = await requestRefund(deps, { ...setup.act(chargeId), request: { amount: 4_990 } });
    expect(bodyOf(refund)["status"]).toBe("succeeded");
  });

  test("an event that is forged, unsigned or of another content type is refused, and settles nothing", async () => {
    const setup = await makeStripeMerchant();
    const answer = await loseAnswer(() => setup.charge());
    const body = JSON.stringify({
      id: "evt_1",
      object: "event",
      type: "payment_intent.succeeded",
      account: setup.account,
      data: { object: setup.intent() },
    });
    for (const signature of [null, "", "t=1,v1=00", sign(body, "whsec_other")]) {
      expect(await send(body, signature)).toMatchObject({
        status: 400,
        json: { type: expect.stringMatching(/#invalid_webhook_signature$/) },
      });
    }
    expect((await send(body, sign(body), "text/plain")).status).toBe(415);
    expect(await setup.stateOf(answer.chargeId)).toBe("unknown");
    expect((await send(body, sign(body))).status).toBe(200);
    expect(await setup.stateOf(answer.chargeId)).toBe("succeeded");
  });

  test("an event of a megabyte is accepted, a larger event gets 413, and a larger event without a signature gets 400", async () => {
    const setup = await makeStripeMerchant();
    const answer = await loseAnswer(() => setup.charge());
    const event = {
      id: "evt_1",
      object: "event",
      type: "payment_intent.succeeded",
      account: setup.account,
      data: { object: setup.intent() },
    };
    const ofSize = (bytes: number) => {
      const rest = JSON.stringify({ ...event, evidence: "" }).length;
      return JSON.stringify({ ...event, evidence: "e".repeat(bytes - rest) });
    };
    const [largest, larger] = [ofSize(1024 * 1024), ofSize(1024 * 1024 + 1)];
    expect(await send(larger, sign(larger))).toMatchObject({
      status: 413,
      json: { type: expect.stringMatching(/#body_too_large$/) },
    });
    expect(await send(larger, null)).toMatchObject({ status: 400 });
    expect(await setup.stateOf(answer.chargeId)).toBe("unknown");
    expect((await send(largest, sign(largest))).status).toBe(200);
    expect(await setup.stateOf(answer.chargeId)).toBe("succeeded");
  });
});
