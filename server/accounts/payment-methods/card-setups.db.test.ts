import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makePayer } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, refusalOf } from "../../charges/charge/charge-setup.fixture.ts";
import { startStripeStandIn } from "../../processors/stripe/stand-in.fixture.ts";
import { createStripeProcessor } from "../../processors/stripe/stripe-processor.ts";
import { beginCardSetup } from "./begin-card-setup.ts";
import { settleCardSetup, settleDueCardSetups } from "./settle-card-setup.ts";

const secretKey = "sk_test_standin";
let deps: TestDeps;
let standIn: Awaited<ReturnType<typeof startStripeStandIn>>;
let isReachable = true;
beforeAll(async () => {
  standIn = await startStripeStandIn(secretKey, () => deps.clock.now().getTime());
  const processor = () =>
    createStripeProcessor({
      secretKey,
      webhookSecret: "whsec_standin",
      returnUrl: "https://wallet.test/wallet",
      apiUrl: isReachable ? standIn.url : "http://127.0.0.1:9",
      connectMs: 10_000,
      totalMs: 20_000,
    });
  deps = await createTestDeps({ processors: { get: processor } });
});
beforeEach(async () => {
  isReachable = true;
  await deps.db.prisma.cardSetup.deleteMany();
});
afterAll(async () => {
  await deps.close();
  await standIn.close();
});

const begin = async (payerId?: string) => {
  const id = payerId ?? (await makePayerWithoutMethod());
  const { setupId, pageUrl } = await beginCardSetup(deps, { payerId: id, requestId: "req_test" });
  return { payerId: id, setupId, setupRef: pageUrl.split("/").at(-1) ?? "" };
};
const makePayerWithoutMethod = async (): Promise<string> => {
  const { id, paymentMethodId } = await makePayer(deps);
  await deps.db.prisma.paymentMethod.delete({ where: { id: paymentMethodId } });
  return id;
};
const settle = (setupId: string) => settleCardSetup(deps, { setupId, requestId: "req_test" });
const methodsOf = (payerId: string) => deps.db.prisma.paymentMethod.findMany({ where: { payerId } });
const stateOf = async (id: string) => (await deps.db.prisma.cardSetup.findUniqueOrThrow({ where: { id } })).state;
const settleAfter = (seconds: number) => {
  deps.clock.advance(seconds);
  return settleDueCardSetups(deps, { limit: 10 });
};

describe("a payer adds a card at Stripe (docs/spec/portal.md, Payment methods)", () => {
  test("concurrent requests add the card once, and the first card is the default", async () => {
    const { payerId, setupId, setupRef } = await begin();
    expect(await settle(setupId)).toEqual({ state: "open" });
    standIn.giveCard(setupRef);
    deps.clock.advance(60);
    const requests = Array.from({ length: 10 }, () => settle(setupId));
    const [results] = await Promise.all([Promise.all(requests), settleDueCardSetups(deps, { limit: 10 })]);
    expect(results).toEqual(Array(10).fill({ state: "added", label: "Visa ending in 4242" }));
    const [method, ...others] = await methodsOf(payerId);
    expect([method, others]).toMatchObject([
      { processor: "stripe", type: "card", label: "Visa ending in 4242", isDefault: true },
      [],
    ]);
    expect(method?.processorRef).toMatch(/^cus_\w+\/pm_\w+$/);
    expect(await settle(setupId)).toEqual({ state: "added", label: "Visa ending in 4242" });
    expect(
      await deps.db.prisma.$queryRaw`
        SELECT action, subject_id FROM audit_entry WHERE actor_id = ${payerId} ORDER BY seq`,
    ).toEqual([
      { action: "card_setup.begun", subject_id: setupId },
      { action: "payment_method.added", subject_id: method?.id },
    ]);
  });

  test("if several cards are added concurrently, exactly one of them is the default", async () => {
    const payerId = await makePayerWithoutMethod();
    const setups = await Promise.all(Array.from({ length: 4 }, () => begin(payerId)));
    for (const { setupRef } of setups) standIn.giveCard(setupRef);
    await Promise.all(setups.map(({ setupId }) => settle(setupId)));
    const methods = await methodsOf(payerId);
    expect([methods.length, methods.filter(({ isDefault }) => isDefault).length]).toEqual([4, 1]);
  });

  test("a merchant that uses Stripe can charge the card", async () => {
    const mandate = await makeChargeableMandate(deps);
    await deps.db.prisma.merchant.update({ where: { id: mandate.merchant.id }, data: { processor: "stripe" } });
    const { setupId, setupRef } = await begin(mandate.payer.id);
    standIn.giveCard(setupRef);
    await settle(setupId);
    const method = (await methodsOf(mandate.payer.id)).find(({ processor }) => processor === "stripe");
    const where = { id: mandate.mandateId };
    await deps.db.prisma.mandate.update({ where, data: { paymentMethodId: method?.id ?? "" } });
    expect((await mandate.charge()).status).toBe(201);
  });

  test("the card is added even if the payer doesn't return: the setup is looked up after 1, 2, 4 … minutes", async () => {
    const { payerId, setupId, setupRef } = await begin();
    expect(await settleAfter(59)).toBe(0);
    for (const wait of [1, 60, 120]) expect(await settleAfter(wait)).toBe(1);
    expect(await settleAfter(239)).toBe(0);
    standIn.giveCard(setupRef);
    expect(await settleAfter(1)).toBe(1);
    expect([await stateOf(setupId), (await methodsOf(payerId)).length]).toEqual(["added", 1]);
    expect(await settleAfter(86_400)).toBe(0);
  });

  test("a payer's requests are limited to 20 look-ups at Stripe in a row, then one every 30 seconds; a worker isn't limited", async () => {
    const payerId = await makePayerWithoutMethod();
    const [one, two] = [await begin(payerId), await begin(payerId)];
    await Promise.all(Array.from({ length: 20 }, () => settle(one.setupId)));
    for (const { setupRef } of [one, two]) standIn.giveCard(setupRef);
    expect([await settle(one.setupId), await settle(two.setupId)]).toEqual([{ state: "open" }, { state: "open" }]);
    deps.clock.advance(30);
    expect([(await settle(one.setupId)).state, (await settle(two.setupId)).state]).toEqual(["added", "open"]);
    expect(await settleAfter(29)).toBe(0);
    expect(await settleAfter(1)).toBe(1);
    expect(await stateOf(two.setupId)).toBe("added");
  });

  test("an expired page adds nothing, and isn't looked up again", async () => {
    const { payerId, setupId, setupRef } = await begin();
    standIn.expireSession(setupRef);
    expect(await settleAfter(60)).toBe(1);
    expect([await stateOf(setupId), await methodsOf(payerId)]).toEqual(["ended", []]);
    expect(await settle(setupId)).toEqual({ state: "ended" });
    expect(await settleAfter(86_400)).toBe(0);
  });

  test("a setup stays open while Stripe can't be reached, and ends a day after its page expired", async () => {
    const { setupId } = await begin();
    isReachable = false;
    expect(await settle(setupId)).toEqual({ state: "open" });
    expect(await settleAfter(3_600 + 86_399)).toBe(1);
    expect(await stateOf(setupId)).toBe("open");
    expect(await settleAfter(3_600)).toBe(1);
    expect(await stateOf(setupId)).toBe("ended");
  });

  test("no setup starts while Stripe can't be reached", async () => {
    isReachable = false;
    expect((await refusalOf(begin())).code).toBe("processor_unavailable");
    expect(await deps.db.prisma.cardSetup.count()).toBe(0);
  });

  test("a payer has at most five open pages; they expire after an hour", async () => {
    const payerId = await makePayerWithoutMethod();
    const started = await Promise.allSettled(Array.from({ length: 8 }, () => begin(payerId)));
    expect(started.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect((await refusalOf(begin(payerId))).kind).toBe("rate_limited");
    deps.clock.advance(3_600);
    expect((await begin(payerId)).setupId).toMatch(/^cst_/);
  });
});
