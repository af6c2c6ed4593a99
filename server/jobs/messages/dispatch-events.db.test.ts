import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { requestCharge } from "../../charges/charge/answers.fixture.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { appendEvent } from "../../data/webhooks/events.ts";
import { dispatchEvents } from "./dispatch-events.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
});
afterAll(() => deps.close());

it("dispatches each event once, with two concurrent dispatchers", async () => {
  for (let index = 0; index < 30; index++) {
    const objectId = `mdt_${index % 3}`;
    await appendEvent(deps.db.sql, { type: "mandate.updated", objectId, data: {}, at: deps.clock.now() });
  }
  const [first, second] = await Promise.all([dispatchEvents(deps), dispatchEvents(deps)]);
  expect(first + second).toBe(30);
  expect(await dispatchEvents(deps)).toBe(0);
  expect(await deps.db.prisma.event.count({ where: { dispatchedAt: deps.clock.now() } })).toBe(30);
});

it("ends the grant of a used-up mandate if the charging process crashed just before it could end the grant", async () => {
  const setup = await makeChargeableMandate(deps, { max_payments: 1 });
  const grantOf = async () =>
    deps.db.prisma.grant.findFirstOrThrow({ where: { mandates: { some: { id: setup.mandateId } } } });
  const killed = () => Promise.reject(new Error("killed"));
  const dying: TestDeps = { ...deps, db: { ...deps.db, sqlTransaction: killed } };
  const charge = requestCharge(dying, {
    merchantId: setup.merchant.id,
    clientId: setup.merchantClient.id,
    requestId: "r",
    idempotencyKey: "k",
    request: { mandate_id: setup.mandateId, amount: 1_000, currency: "EUR", payer_presence: "in_session" },
  });
  await expect(charge).rejects.toThrow("killed");
  const { state } = await deps.db.prisma.mandate.findUniqueOrThrow({ where: { id: setup.mandateId } });
  expect([state, (await grantOf()).endedAt]).toEqual(["consumed", null]);
  await dispatchEvents(deps);
  expect((await grantOf()).endedAt).toEqual(deps.clock.now());
});
