import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { refusalOf } from "../../../charges/charge/charge-setup.fixture.ts";
import { getBillingSubscription } from "../get-billing-subscription.ts";
import { applyPlans, change, makeSubscriber, testPlans } from "../subscription.fixture.ts";
import { toSubscriptionObject } from "../subscription.wire.ts";
import { withdrawChange } from "./withdraw-change.ts";

let deps: TestDeps;
const at = (time: string) => deps.clock.set(new Date(time));
beforeAll(async () => {
  deps = await createTestDeps();
  at("2026-10-01T00:00:00Z");
  await applyPlans(deps, testPlans("2026-10-01"));
});
beforeEach(() => at("2026-10-01T00:00:00Z"));
afterAll(() => deps.close());

const by = { actor: { kind: "merchant", id: "acc_1" }, requestId: "req_1" } as const;
const withdraw = async (merchantId: string) => toSubscriptionObject(await withdrawChange(deps, { merchantId, ...by }));
const show = async (merchantId: string) => toSubscriptionObject(await getBillingSubscription(deps, { merchantId }));
const toScale = (merchantId: string) => change(deps, merchantId, { planId: "scale", effective: "period_end" });
const recordsOf = async (merchantId: string) => {
  const audit = await deps.db.prisma.$queryRaw<{ data: object }[]>`
    SELECT data FROM audit_entry WHERE subject_id = ${merchantId} AND action = 'subscription.change_withdrawn'`;
  const { id } = await show(merchantId);
  const events = await deps.db.prisma.event.findMany({
    where: { objectId: id, type: "subscription.updated" },
    orderBy: { sequence: "asc" },
  });
  return { audit: audit.map(({ data }) => data), events: events.map(({ data }) => data) };
};

describe("withdrawing a pending change of plan (docs/spec/billing.md, Plan changes)", () => {
  test("the plan continues; parallel and repeated requests are recorded once", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    await toScale(merchantId);
    const { events: earlier } = await recordsOf(merchantId);
    const shown = await Promise.all(Array.from({ length: 5 }, () => withdraw(merchantId)));
    expect(await withdraw(merchantId)).toMatchObject({ plan: { id: "pro" }, pending_change: null });
    expect(shown.map(({ pending_change }) => pending_change)).toEqual(Array(5).fill(null));
    const { audit, events } = await recordsOf(merchantId);
    expect(audit).toMatchObject([{ plan: "scale", version: 1 }]);
    expect(events.slice(earlier.length)).toMatchObject([{ plan: { id: "pro" }, pending_change: null }]);
    at("2026-11-01T00:00:00Z");
    expect(await withdraw(merchantId)).toMatchObject({
      plan: { id: "pro" },
      period: { from: "2026-11-01T00:00:00.000Z" },
    });
  });

  test("the merchant can then make another change", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    await toScale(merchantId);
    expect(await refusalOf(toScale(merchantId))).toMatchObject({ code: "change_pending" });
    await withdraw(merchantId);
    await toScale(merchantId);
    expect(await show(merchantId)).toMatchObject({ pending_change: { plan: { id: "scale" } } });
  });

  test("a change that has taken effect isn't withdrawn", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    await toScale(merchantId);
    at("2026-11-01T00:00:00Z");
    expect(await withdraw(merchantId)).toMatchObject({ plan: { id: "scale" }, pending_change: null });
    expect((await recordsOf(merchantId)).audit).toEqual([]);
  });

  test("a request is refused if the merchant has no subscription", async () => {
    expect(await refusalOf(withdraw("mch_none"))).toMatchObject({ code: "subscription_not_found" });
  });
});
