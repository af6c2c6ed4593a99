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
  const asked = { merchantId: setup.merchant.id, clientId: setup.merchantClient.id, requestId: "req_test" };
  await requestRefund(deps, { ...asked, chargeId, idempotencyKey: newId("req"), request: {} });
  const charge = () => deps.db.prisma.charge.findFirstOrThrow({ where: { id: chargeId } });
  return { ...setup, chargeId, charge };
};

/** Looks each day for so many days. @returns the days on which the processor was asked. */
const daysAsked = async (days: number): Promise<number[]> => {
  const asked: number[] = [];
  for (let after = 1; after <= days; after += 1) {
    deps.clock.advance(day);
    if ((await checkGivenRefunds(deps, { limit: 10 })) > 0) asked.push(after);
  }
  return asked;
};

test("what was given back is asked for on eight days of the month after, and then no more (what a processor says later)", async () => {
  const { charge } = await makeRefunded();
  expect(await daysAsked(45)).toEqual([1, 2, 4, 7, 11, 16, 22, 30]);
  expect((await charge()).state).toBe("refunded");
});

test("one that failed without a webhook is reversed, once, whoever looks: paid again, used again, events", async () => {
  const { chargeId, charge, counters } = await makeRefunded();
  await daysAsked(10);
  expect(await counters()).toMatchObject({ used: 0n });
  bank.state.findRefund = async () => ({ kind: "failed", refundRef: "re_1", code: "lost_or_stolen_card" });
  deps.clock.advance(day);
  await Promise.all(Array.from({ length: 4 }, () => checkGivenRefunds(deps, { limit: 10 })));
  expect(await charge()).toMatchObject({ state: "succeeded", amountRefunded: 0n });
  expect(await counters()).toMatchObject({ used: 1_000n });
  const events = await deps.db.prisma.$queryRaw`
    SELECT e.type FROM event e JOIN refund r ON r.id = e.object_id WHERE r.charge_id = ${chargeId} ORDER BY e.sequence`;
  expect(events).toEqual([{ type: "refund.succeeded" }, { type: "refund.failed" }]);
  expect(await daysAsked(30)).toEqual([]);
});

test("where nobody can tell it is asked for each day, and a week after the month no more", async () => {
  await makeRefunded();
  bank.state.findRefund = async () => ({ kind: "unknown" });
  expect(await daysAsked(45)).toEqual(Array.from({ length: 37 }, (_, index) => index + 1));
});

test("where what was given back stays so, nobody asks", async () => {
  bank.state.capabilities = { ...bank.state.capabilities, lateRefundFailures: false };
  await makeRefunded();
  expect(await daysAsked(3)).toEqual([]);
});
