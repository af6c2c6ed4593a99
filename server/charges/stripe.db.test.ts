import Stripe from "stripe";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findViolations } from "../data/invariants.ts";
import { provideDeps } from "../http/runtime.ts";
import { serve } from "../http/serve.ts";
import { newId } from "../kernel/ids.ts";
import type { PaymentMandateDetails } from "../mandates/payment-mandate.wire.ts";
import { startStripeStandIn } from "../processors/stripe/stand-in.fixture.ts";
import { createStripeProcessor } from "../processors/stripe/stripe-processor.ts";
import { captureCharge, voidCharge } from "./act-on-charge.ts";
import { stripeWebhookEndpoint } from "./endpoints/processor-webhook.ts";
import { refundCharge } from "./refund-charge.ts";
import { makeStanding, refusalOf } from "./standing.fixture.ts";

const secretKey = "sk_test_standin";
const webhookSecret = "whsec_standin";
const { webhooks } = new Stripe(secretKey, { telemetry: false });

let deps: TestDeps;
let standIn: Awaited<ReturnType<typeof startStripeStandIn>>;
let totalMs: number;
beforeAll(async () => {
  standIn = await startStripeStandIn(secretKey);
  const processor = () =>
    createStripeProcessor({
      ...{ secretKey, webhookSecret, returnUrl: "https://wallet.test/wallet", apiUrl: standIn.url },
      ...{ connectMs: 10_000, totalMs },
    });
  deps = await createTestDeps({ processors: { get: () => processor() } });
  provideDeps(deps);
});
beforeEach(() => {
  totalMs = 20_000;
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
const makeOwn = async (limits: Partial<PaymentMandateDetails> = {}) => {
  const standing = await makeStanding(deps, { max_total_amount: 1_000, ...limits });
  const { id } = standing.merchant;
  await deps.db.prisma.merchant.update({ where: { id }, data: { processor: "stripe" } });
  const method = { where: { id: standing.payer.paymentMethodId }, data: { processor: "stripe" } };
  await deps.db.prisma.paymentMethod.update(method);
  const account = `acct_${id}`;
  const intent = () => [...standIn.intents.values()].find((each) => each.account === account);
  return {
    ...standing,
    intent,
    account,
    act: (chargeId: string, idempotencyKey: string = newId("req")) => ({
      ...{ merchantId: id, clientId: standing.merchantClient.id, requestId: "r", chargeId, idempotencyKey },
    }),
    /** Stripe tells of what it holds. */
    tell: (type: string, object: object) => {
      const body = JSON.stringify({ id: newId("evt"), object: "event", type, account, data: { object } });
      return send(body, sign(body));
    },
    stateOf: async (chargeId: string) =>
      (await deps.db.prisma.charge.findFirstOrThrow({ where: { id: chargeId } })).state,
  };
};
/** The next call is done there, and nobody hears of it here. */
const loseAnswer = async <T>(call: () => Promise<T>): Promise<T> => {
  totalMs = 500;
  standIn.plan("timeout_after_accept");
  const answer = await call();
  totalMs = 20_000;
  return answer;
};

describe("a merchant on Stripe (2-payments, Processors), by its adapter and its signed webhooks", () => {
  test("what was paid while nobody heard of it is settled by payment_intent.succeeded, once", async () => {
    const own = await makeOwn();
    const answer = await loseAnswer(() => own.charge({}, "k"));
    expect([answer.status, bodyOf(answer)["status"]]).toEqual([202, "unknown"]);
    const news = () => own.tell("payment_intent.succeeded", own.intent() ?? {});
    expect(await news()).toEqual({ status: 200, json: { received: true } });
    expect((await news()).status).toBe(200);
    expect(await own.stateOf(answer.chargeId)).toBe("succeeded");
    expect(await own.counters()).toMatchObject({ used: 1_000n, held: 0n, usedCount: 1n });
    expect(await own.charge({}, "k")).toMatchObject({ status: 201, isReplay: true });
    expect(own.intent()).toMatchObject({ amount_received: 1_000, metadata: { charge_id: answer.chargeId } });
  });

  test("capture, refund and dispute, each heard of by its event alone", async () => {
    const own = await makeOwn({ refund_policy: "restore" });
    const { chargeId } = await own.charge({ capture_method: "manual" });
    const captured = await loseAnswer(() => captureCharge(deps, { ...own.act(chargeId), request: { amount: 600 } }));
    expect(captured.status).toBe(202);
    await own.tell("charge.captured", {
      object: "charge",
      payment_intent: own.intent()?.id,
      metadata: { charge_id: chargeId },
    });
    expect(await own.stateOf(chargeId)).toBe("partially_captured");
    expect(await own.counters()).toMatchObject({ used: 600n, held: 0n });
    const refund = await loseAnswer(() => refundCharge(deps, { ...own.act(chargeId), request: { amount: 200 } }));
    expect(bodyOf(refund)["status"]).toBe("pending");
    await own.tell("refund.created", {
      object: "refund",
      payment_intent: own.intent()?.id,
      metadata: { charge_id: chargeId },
    });
    expect(await own.stateOf(chargeId)).toBe("partially_refunded");
    expect(await own.counters()).toMatchObject({ used: 400n, usedCount: 1n });
    const dispute = standIn.dispute(own.account, chargeId, 600);
    await own.tell("charge.dispute.created", { object: "dispute", id: dispute });
    expect(await own.stateOf(chargeId)).toBe("disputed");
    standIn.setDispute(dispute, "won");
    await own.tell("charge.dispute.closed", { object: "dispute", id: dispute });
    expect(await own.stateOf(chargeId)).toBe("partially_refunded");
    expect(own.intent()).toMatchObject({ amount_received: 600, amount_refunded: 200 });
  });

  test("3-D Secure is asked for, and given up at Stripe when the merchant voids the charge", async () => {
    const own = await makeOwn();
    await deps.db.prisma.paymentMethod.update({
      where: { id: own.payer.paymentMethodId },
      data: { processorRef: "pm_card_authenticationRequired" },
    });
    const asked = await own.charge();
    expect(bodyOf(asked)).toMatchObject({
      ...{ status: "requires_action", next_action: { type: "redirect", url: expect.stringMatching(/^https:/) } },
    });
    expect((await voidCharge(deps, own.act(asked.chargeId))).status).toBe(200);
    expect([await own.stateOf(asked.chargeId), own.intent()?.status]).toEqual(["voided", "canceled"]);
    expect(await own.counters()).toMatchObject({ held: 0n, used: 0n });
  });

  test("what was given up in Stripe's dashboard is taken over from payment_intent.canceled", async () => {
    const own = await makeOwn();
    const { chargeId } = await own.charge({ capture_method: "manual" });
    const intent = own.intent();
    if (intent) intent.status = "canceled";
    await own.tell("payment_intent.canceled", intent ?? {});
    expect(await own.stateOf(chargeId)).toBe("voided");
    expect(await own.counters()).toMatchObject({ held: 0n });
  });

  test("an amount that Stripe can't carry is refused before anything is sent", async () => {
    const own = await makeOwn({ currency: "KWD", max_amount_per_payment: 50_000, max_total_amount: 50_000 });
    expect(await refusalOf(own.charge({ amount: 12_341, currency: "KWD" }))).toMatchObject({
      ...{ kind: "invalid", pointers: ["/amount"] },
    });
    expect(own.intent()).toBeUndefined();
    expect((await own.charge({ amount: 12_340, currency: "KWD" })).status).toBe(201);
  });

  test("an event that is forged, unsigned or of another content type is refused, and settles nothing", async () => {
    const own = await makeOwn();
    const answer = await loseAnswer(() => own.charge());
    const body = JSON.stringify({
      ...{ id: "evt_1", object: "event", type: "payment_intent.succeeded", account: own.account },
      data: { object: own.intent() },
    });
    for (const signature of [null, "", "t=1,v1=00", sign(body, "whsec_other")]) {
      expect(await send(body, signature)).toMatchObject({
        ...{ status: 400, json: { type: expect.stringMatching(/#invalid_webhook_signature$/) } },
      });
    }
    expect((await send(body, sign(body), "text/plain")).status).toBe(415);
    expect(await own.stateOf(answer.chargeId)).toBe("unknown");
    expect((await send(body, sign(body))).status).toBe(200);
    expect(await own.stateOf(answer.chargeId)).toBe("succeeded");
  });
});
