import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { failRefund, makeCharge, makeRefund } from "../charge-rows.fixture.ts";
import {
  applyPlans,
  bill,
  change,
  forgetReconciliation,
  invoicesOf,
  makeSubscriber,
  skipSlaCredits,
  testPlans,
} from "../subscription.fixture.ts";

let deps: TestDeps;
const start = new Date("2026-10-01T10:00:00Z");
beforeAll(async () => {
  deps = await createTestDeps({ now: start });
  await applyPlans(deps, testPlans("2026-10-01"));
});
afterAll(() => deps.close());
beforeEach(async () => {
  deps.clock.set(start);
  await forgetReconciliation(deps);
});

const billAt = async (text: string) => {
  deps.clock.set(new Date(text));
  await bill(deps);
};

describe("a refund in the last second before the last invoice (docs/spec/billing.md, The billing run)", () => {
  /** The last period of the subscription ends 36 days after 2026-11-05. */
  const lastSecond = new Date("2026-12-10T23:59:59Z");

  const endedSubscriber = async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    const chargeId = await makeCharge(deps, merchantId, { amount: 1_000, finalAt: new Date("2026-10-10T00:00:00Z") });
    await billAt("2026-11-02T00:00:00Z");
    deps.clock.set(new Date("2026-11-05T00:00:00Z"));
    await change(deps, merchantId, { planId: "pro", cancelAt: new Date("2026-11-05T00:00:00Z") });
    await skipSlaCredits(deps, merchantId);
    await billAt("2026-11-06T01:00:00Z");
    return { merchantId, chargeId };
  };

  /** Does the work in a transaction that commits after the due billing steps. */
  const commitAfterBilling = async (text: string, work: (on: TestDeps) => Promise<unknown>) => {
    const [written, billed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const committed = deps.db.prisma.$transaction(
      async (prisma) => {
        await work({ ...deps, db: { ...deps.db, prisma: prisma as TestDeps["db"]["prisma"] } });
        written.resolve();
        await billed.promise;
      },
      { timeout: 60_000 },
    );
    await Promise.race([written.promise, committed]);
    await billAt(text).finally(billed.resolve);
    await committed;
  };

  const refundsOf = async (merchantId: string) =>
    (await invoicesOf(deps, merchantId)).flatMap(({ status, lines }) =>
      lines.flatMap(({ kind, exact }) => (kind === "refund" ? [[status, exact]] : [])),
    );

  test("is credited, even if it commits after the period's end, and the credit becomes credit balance", async () => {
    const { merchantId, chargeId } = await endedSubscriber();
    await commitAfterBilling("2026-12-11T00:00:00Z", (on) =>
      makeRefund(on, merchantId, { chargeId, amount: 1_000, givenAt: lastSecond }),
    );
    await billAt("2026-12-12T00:00:00Z");
    expect(await refundsOf(merchantId)).toEqual([["paid", -10]]);
    const credits = await deps.db.prisma.$queryRaw`
      SELECT kind, remaining FROM billing_credit_grant WHERE merchant_id = ${merchantId}`;
    expect(credits).toEqual([{ kind: "credit_note", remaining: 10n }]);
  });

  test("isn't credited if it fails in this second, even if the failure commits after the period's end", async () => {
    const { merchantId, chargeId } = await endedSubscriber();
    const given = { chargeId, amount: 1_000, givenAt: new Date("2026-12-10T00:00:00Z") };
    const refundId = await makeRefund(deps, merchantId, given);
    await commitAfterBilling("2026-12-11T00:00:00Z", (on) => failRefund(on, refundId, lastSecond));
    await billAt("2026-12-12T00:00:00Z");
    expect(await refundsOf(merchantId)).toEqual([]);
  });
});
