import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import {
  markChargeSumsDue,
  markRecentChargeSumsDue,
  sumMerchantDays,
  takeChargeSumsDue,
} from "../../data/charges/merchant/charge-sums.ts";
import { dispatchEvents } from "../../jobs/messages/dispatch-events.ts";
import { requestCharge, requestRefund } from "../charge/answers.fixture.ts";
import { makeChargeableMandate, scriptedProcessor } from "../charge/charge-setup.fixture.ts";
import { summedUntil } from "../rules/sum-slots.ts";
import { sumDueCharges } from "./sum-due-charges.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
});
afterAll(() => deps.close());

const makeCharge = async () => {
  const setup = await makeChargeableMandate(deps);
  const by = { merchantId: setup.merchant.id, clientId: setup.merchantClient.id, requestId: "r" };
  const request = {
    mandate_id: setup.mandateId,
    amount: 1_000,
    currency: "EUR",
    payer_presence: "in_session",
  } as const;
  const { chargeId } = await requestCharge(deps, { ...by, idempotencyKey: "charge", request });
  return { by, chargeId, createdAt: deps.clock.now() };
};

const dispatchAll = async () => {
  while ((await dispatchEvents(deps)) > 0);
};

/** @param from `sums`: counts only the sums of the worker; `charges`: counts only the charges themselves */
const totals = async (merchantId: string, from: "sums" | "charges") => {
  const since = new Date("2000-01-01T00:00:00Z");
  const chargesFrom = from === "sums" ? new Date("2999-01-01T00:00:00Z") : since;
  const rows = await sumMerchantDays(deps.db.sql, { merchantId, since, timeZone: "Asia/Kathmandu", chargesFrom });
  return rows.map(({ state, count, captured, refunded }) => ({ state, count, captured, refunded }));
};

test("charges are summed after two hours, and again after a refund", async () => {
  const { by, chargeId } = await makeCharge();
  await dispatchAll();
  expect(await sumDueCharges(deps, { limit: 10 })).toBe(0);
  deps.clock.advance(3 * 3600);
  expect(await sumDueCharges(deps, { limit: 10 })).toBe(1);
  expect(await totals(by.merchantId, "sums")).toEqual([
    { state: "succeeded", count: 1, captured: 1_000n, refunded: 0n },
  ]);
  await requestRefund(deps, { ...by, chargeId, idempotencyKey: "refund", request: { amount: 400 } });
  await dispatchAll();
  expect(await sumDueCharges(deps, { limit: 10 })).toBe(1);
  const refunded = [{ state: "partially_refunded", count: 1, captured: 1_000n, refunded: 400n }];
  expect(await totals(by.merchantId, "sums")).toEqual(refunded);
  expect(await totals(by.merchantId, "charges")).toEqual(refunded);
});

test("if a charge changes while its slot is summed, the slot is marked again", async () => {
  const { chargeId, createdAt } = await makeCharge();
  const key = { id: chargeId, createdAt };
  await markChargeSumsDue(deps.db.sql, [key]);
  deps.clock.advance(3 * 3600);
  const until = summedUntil(deps.clock.now());
  let marked = Promise.resolve();
  await deps.db.sqlTransaction(async (sql) => {
    expect(await takeChargeSumsDue(sql, { until, limit: 10 })).toHaveLength(1);
    marked = markChargeSumsDue(deps.db.sql, [key]);
    // The statement that marks the slot waits until this transaction ends.
    await new Promise((resolve) => setTimeout(resolve, 200));
  });
  await marked;
  expect(await sumDueCharges(deps, { limit: 10 })).toBe(1);
});

test("if a worker dispatched the events of charges without marking their slots, the charges are summed after the next start", async () => {
  const { by, createdAt } = await makeCharge();
  deps.clock.advance(3 * 3600);
  await markRecentChargeSumsDue(deps.db.sql, createdAt);
  expect(await sumDueCharges(deps, { limit: 10 })).toBe(0);
  await markRecentChargeSumsDue(deps.db.sql, new Date(createdAt.getTime() - 1));
  expect(await sumDueCharges(deps, { limit: 10 })).toBe(1);
  expect(await totals(by.merchantId, "sums")).toEqual(await totals(by.merchantId, "charges"));
});

test("only one of several concurrent workers sums a slot", async () => {
  await dispatchAll();
  await sumDueCharges(deps, { limit: 10 });
  const { by } = await makeCharge();
  await dispatchAll();
  deps.clock.advance(3 * 3600);
  const done = await Promise.all([1, 2, 3].map(() => sumDueCharges(deps, { limit: 10 })));
  expect(done.toSorted()).toEqual([0, 0, 1]);
  expect(await totals(by.merchantId, "sums")).toEqual(await totals(by.merchantId, "charges"));
});
