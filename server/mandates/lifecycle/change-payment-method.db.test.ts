import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { newId } from "../../kernel/ids.ts";
import { changePaymentMethod } from "./change-payment-method.ts";
import { revokeMandate } from "./revoke-mandate.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
});
afterAll(() => deps.close());

const addMethod = async (payerId: string, removedAt: Date | null = null): Promise<string> => {
  const id = newId("pm");
  const card = {
    processor: "simulator",
    processorRef: "pm_card_mastercard",
    type: "card",
    label: "Mastercard ending in 4444",
  };
  await deps.db.prisma.paymentMethod.create({
    data: { ...card, id, payerId, isDefault: false, createdAt: deps.clock.now(), removedAt },
  });
  return id;
};

const setUp = async () => {
  const own = await makeChargeableMandate(deps);
  const act = { mandateId: own.mandateId, actor: { kind: "payer", id: own.payer.id } as const, requestId: "req_test" };
  return { ...own, act, methodId: await addMethod(own.payer.id) };
};

const versionsOf = (mandateId: string) =>
  deps.db.prisma.mandateVersion.findMany({ where: { mandateId }, orderBy: { version: "asc" } });

it("later payments use the other method; the old version is revoked, and the new one names the method", async () => {
  const { mandateId, act, methodId, charge } = await setUp();
  const before = await charge({ amount: 100 });
  expect(await changePaymentMethod(deps, { ...act, paymentMethodId: methodId })).toEqual({ version: 2 });
  const after = await charge({ amount: 100 });
  const refs = await deps.db.prisma.charge.findMany({
    where: { id: { in: [before.chargeId, after.chargeId] } },
    orderBy: { createdAt: "asc" },
    select: { id: true, paymentMethodRef: true },
  });
  expect(Object.fromEntries(refs.map(({ id, paymentMethodRef }) => [id, paymentMethodRef]))).toEqual({
    [before.chargeId]: "pm_card_visa",
    [after.chargeId]: "pm_card_mastercard",
  });
  const [first, second] = await versionsOf(mandateId);
  expect([first?.revoked, second?.revoked]).toEqual([true, false]);
  expect(second?.details).toMatchObject({ payment_instrument: { id: methodId, label: "Mastercard ending in 4444" } });
});

it("makes one new version when the same change is sent four times concurrently, and keeps the counters", async () => {
  const { mandateId, act, methodId, charge, counters } = await setUp();
  await charge({ amount: 700 });
  const change = () => changePaymentMethod(deps, { ...act, paymentMethodId: methodId });
  expect(await Promise.all([change(), change(), change(), change()])).toEqual(Array(4).fill({ version: 2 }));
  expect(await versionsOf(mandateId)).toHaveLength(2);
  expect(await counters()).toMatchObject({ used: 700n, usedCount: 1n });
});

it("refuses a removed method, another payer's method, another payer and an ended mandate", async () => {
  const { mandateId, act, methodId, payer } = await setUp();
  const other = await setUp();
  for (const paymentMethodId of [await addMethod(payer.id, deps.clock.now()), other.methodId, "pm_unknown"]) {
    expect(await refusalOf(changePaymentMethod(deps, { ...act, paymentMethodId }))).toMatchObject({
      code: "payment_method_not_found",
    });
  }
  const foreign = { ...other.act, mandateId, paymentMethodId: other.methodId };
  expect(await refusalOf(changePaymentMethod(deps, foreign))).toMatchObject({ code: "mandate_not_found" });
  await revokeMandate(deps, act);
  expect(await refusalOf(changePaymentMethod(deps, { ...act, paymentMethodId: methodId }))).toMatchObject({
    code: "mandate_revoked",
  });
  expect(await versionsOf(mandateId)).toHaveLength(1);
});
