import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findViolations } from "../../data/invariants/invariants.ts";
import { newId } from "../../kernel/ids.ts";
import { requestRefund } from "../charge/answers.fixture.ts";
import { makeChargeableMandate, scriptedProcessor } from "../charge/charge-setup.fixture.ts";
import { checkGivenRefunds } from "./check-given-refunds.ts";

const day = 24 * 3_600;
let deps: TestDeps;
let bank: ReturnType<typeof scriptedProcessor>;
beforeAll(async () => {
  deps = await createTestDeps({ processors: { get: (name) => bank.processors.get(name) } });
});
beforeEach(() => {
  bank = scriptedProcessor();
  bank.state.capabilities = { ...bank.state.capabilities, lateRefundFailures: true };
});
afterAll(async () => {
  expect(await findViolations(deps.db.sql)).toEqual([]);
  await deps.close();
});

const makeRefunded = async () => {
  const setup = await makeChargeableMandate(deps, { max_total_amount: 5_000, refund_policy: "restore" });
  const { chargeId } = await setup.charge();
  const caller = { merchantId: setup.merchant.id, clientId: setup.merchantClient.id, requestId: "req_test" };
  await requestRefund(deps, { ...caller, chargeId, idempotencyKey: newId("req"), request: {} });
  const charge = () => deps.db.prisma.charge.findFirstOrThrow({ where: { id: chargeId } });
  return { ...setup, chargeId, charge };
};

/** Runs the check each day for `days` days. @returns the days on which the processor was asked. */
const lookupDays = async (days: number): Promise<number[]> => {
  const checkedOn: number[] = [];
  for (let after = 1; after <= days; after += 1) {
    deps.clock.advance(day);
    if ((await checkGivenRefunds(deps, { limit: 10 })) > 0) checkedOn.push(after);
  }
  return checkedOn;
};

test("a refund is looked up on eight of the 30 days after it was made, and not afterwards", async () => {
  const { charge } = await makeRefunded();
  expect(await lookupDays(45)).toEqual([1, 2, 4, 7, 11, 16, 22, 30]);
  expect((await charge()).state).toBe("refunded");
});

test("if a refund fails without a webhook, one of several workers reverses it: the amount counts as used again, and the events are sent once", async () => {
  const { chargeId, charge, counters } = await makeRefunded();
  await lookupDays(10);
  expect(await counters()).toMatchObject({ used: 0n });
  bank.state.findRefund = async () => ({ kind: "failed", refundRef: "re_1", code: "lost_or_stolen_card" });
  deps.clock.advance(day);
  await Promise.all(Array.from({ length: 4 }, () => checkGivenRefunds(deps, { limit: 10 })));
  expect(await charge()).toMatchObject({ state: "succeeded", amountRefunded: 0n });
  expect(await counters()).toMatchObject({ used: 1_000n });
  const events = await deps.db.prisma.$queryRaw`
    SELECT e.type FROM event e JOIN refund r ON r.id = e.object_id WHERE r.charge_id = ${chargeId} ORDER BY e.sequence`;
  expect(events).toEqual([{ type: "refund.succeeded" }, { type: "refund.failed" }]);
  expect(await lookupDays(30)).toEqual([]);
});

test("if the processor gives no answer, a refund is looked up each day, up to the 37th day", async () => {
  await makeRefunded();
  bank.state.findRefund = async () => ({ kind: "unknown" });
  expect(await lookupDays(45)).toEqual(Array.from({ length: 37 }, (_, index) => index + 1));
});

test("a refund isn't looked up if refunds are final at the processor", async () => {
  bank.state.capabilities = { ...bank.state.capabilities, lateRefundFailures: false };
  await makeRefunded();
  expect(await lookupDays(3)).toEqual([]);
});
