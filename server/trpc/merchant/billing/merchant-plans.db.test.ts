import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import type { MerchantRole } from "../../../accounts/authorize.ts";
import {
  applyPlans,
  makeSubscriber,
  reportSms,
  testPlans,
} from "../../../billing/subscriptions/subscription.fixture.ts";
import { callerOf } from "../../caller.fixture.ts";
import { makeMember } from "../merchant-tenant.fixture.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
  deps.clock.set(new Date("2026-10-01T00:00:00Z"));
  await applyPlans(deps, testPlans("2026-10-01"));
});
afterAll(() => deps.close());

const callerAs = async (merchantId: string, role: MerchantRole) =>
  callerOf(deps, await makeMember(deps, merchantId, role));

const takeChargeIn = async (merchantId: string, currency: string) => {
  await deps.db.prisma
    .$executeRaw`INSERT INTO charge_sum (merchant_id, slot, state, currency, count, captured, refunded, decline_code)
    VALUES (${merchantId}, ${deps.clock.now()}, 'succeeded', ${currency}, 1, 500, 0, '')`;
};

const reasonOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => "done",
    (error: { code?: string; cause?: { code?: string } }) => error.cause?.code ?? error.code,
  );

describe("plan of a merchant (docs/spec/billing.md, Merchant pages)", () => {
  test("plans have names and prices in the subscription's currency, cheapest first, without hidden plans", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    const api = (await callerAs(merchantId, "viewer")).merchantPlans;
    const comparison = await api.compare({ merchantId });
    expect(comparison?.subscription).toMatchObject({ plan: { id: "pro", name: "Pro" }, nextPlan: null });
    expect(comparison?.plans.map(({ plan, isCurrent }) => [plan.name, plan.flat, isCurrent])).toEqual([
      ["Free", 0, false],
      ["Minimum", 0, false],
      ["Ten free", 0, false],
      ["Trial", 3000, false],
      ["Yearly", 36500, false],
      ["Pro", 3100, true],
      ["Scale", 6200, false],
    ]);
  });

  test("a hidden plan is shown to its own subscriber, and a merchant without a subscription gets no comparison", async () => {
    const merchantId = await makeSubscriber(deps, "hidden");
    const comparison = await (await callerAs(merchantId, "viewer")).merchantPlans.compare({ merchantId });
    expect(comparison?.plans.find(({ isCurrent }) => isCurrent)?.plan.id).toBe("hidden");
    const { id } = await makeMerchant(deps);
    expect(await (await callerAs(id, "viewer")).merchantPlans.compare({ merchantId: id })).toBeNull();
  });

  test("a change needs the hash of a preview, and is refused if the result has changed since", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    const { merchantPlans: api } = await callerAs(merchantId, "admin");
    const choice = { merchantId, planId: "scale", effective: "period_end" } as const;
    const { hash, plan, dueNow } = await api.preview(choice);
    expect([plan.name, dueNow]).toEqual(["Scale", null]);
    await reportSms(deps, merchantId, { quantity: 7 });
    await reportSms(deps, merchantId, { quantity: 7 });
    const now = { ...choice, effective: "now" } as const;
    const seen = await api.preview(now);
    await reportSms(deps, merchantId, { quantity: 1 });
    expect(await reasonOf(api.change({ ...now, hash: seen.hash }))).toBe("precondition_failed");
    await api.change({ ...choice, hash });
    const comparison = await api.compare({ merchantId });
    expect(comparison?.subscription.nextPlan).toMatchObject({ name: "Scale", startsAt: "2026-11-01T00:00:00.000Z" });
    expect(await reasonOf(api.cancel({ merchantId, ends: "now" }))).toBe("change_pending");
    await api.withdraw({ merchantId });
    expect((await api.compare({ merchantId }))?.subscription).toMatchObject({ plan: { name: "Pro" }, nextPlan: null });
  });

  test("only owners and admins change the plan", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    for (const role of ["viewer", "developer"] as const) {
      const { merchantPlans: api } = await callerAs(merchantId, role);
      const { hash } = await api.preview({ merchantId, planId: "scale", effective: "now" });
      expect(await reasonOf(api.change({ merchantId, planId: "scale", effective: "now", hash }))).toBe("FORBIDDEN");
      expect(await reasonOf(api.cancel({ merchantId, ends: "now" }))).toBe("FORBIDDEN");
    }
  });

  test("a merchant that charges in a currency without prices sees its plan and costs, and which plans can't be chosen", async () => {
    const merchantId = await makeSubscriber(deps, "free");
    await takeChargeIn(merchantId, "USD");
    const { merchantPlans, merchantBilling } = await callerAs(merchantId, "owner");
    expect(await merchantBilling.plan({ merchantId })).toMatchObject({ plan: { name: "Free" }, unpriced: ["USD"] });
    const comparison = await merchantPlans.compare({ merchantId });
    expect(comparison?.plans.filter(({ unpriced }) => unpriced.length === 0).map(({ plan }) => plan.id)).toEqual([
      "pro",
      "scale",
    ]);
    const preview = merchantPlans.preview({ merchantId, planId: "minimum", effective: "now" });
    expect(await reasonOf(preview)).toBe("currency_not_priced");
    await merchantPlans.cancel({ merchantId, ends: "period_end" });
  });
});
