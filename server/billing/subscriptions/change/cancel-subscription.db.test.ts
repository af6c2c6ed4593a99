import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { refusalOf } from "../../../charges/charge/charge-setup.fixture.ts";
import { refuseInactive } from "../../../charges/charge/refuse-inactive.ts";
import { makeFinalInvoice } from "../../invoices/invoice.fixture.ts";
import { getBillingSubscription } from "../get-billing-subscription.ts";
import { billDuePeriods } from "../run/bill-due-periods.ts";
import {
  applyPlans,
  assign,
  change,
  invoicesOf,
  makeSubscriber,
  reportSms,
  testPlans,
} from "../subscription.fixture.ts";
import { toSubscriptionObject } from "../subscription.wire.ts";
import { cancelSubscription } from "./cancel-subscription.ts";

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
const cancel = (merchantId: string, ends: "now" | "period_end" | "never") =>
  cancelSubscription(deps, { merchantId, ends, ...by });
const show = async (merchantId: string) => toSubscriptionObject(await getBillingSubscription(deps, { merchantId }));
const auditOf = (merchantId: string) => deps.db.prisma.$queryRaw<{ data: object }[]>`
  SELECT data FROM audit_entry WHERE subject_id = ${merchantId} AND action = 'subscription.changed' ORDER BY seq`;

describe("the end of a plan (docs/spec/billing.md, Plan changes)", () => {
  test("at the period's end: the plan continues until the end, the last invoice bills the whole period, and no period follows", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    expect(await cancel(merchantId, "period_end")).toEqual({ cancelAt: new Date("2026-11-01T00:00:00Z") });
    expect(await show(merchantId)).toMatchObject({ status: "active", cancel_at: "2026-11-01T00:00:00.000Z" });
    at("2026-10-20T00:00:00Z");
    await reportSms(deps, merchantId, { quantity: 4 });
    at("2026-11-01T00:00:00Z");
    await billDuePeriods(deps, { limit: 50 });
    expect(await show(merchantId)).toMatchObject({ status: "cancelled" });
    expect(await invoicesOf(deps, merchantId)).toMatchObject([{ lines: [{ amount: 3100 }, { quantity: 4 }] }]);
  });

  test("now: the flat fee is prorated, and the day of the end isn't billed", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    at("2026-10-11T12:00:00Z");
    await cancel(merchantId, "now");
    expect(await show(merchantId)).toMatchObject({ status: "cancelled", period: { to: "2026-10-11T12:00:00.000Z" } });
    expect(await invoicesOf(deps, merchantId)).toMatchObject([{ lines: [{ kind: "flat", amount: 1000 }] }]);
    expect(await refusalOf(cancel(merchantId, "never"))).toMatchObject({ code: "subscription_not_found" });
    const { id } = await show(merchantId);
    const where = { objectId: id, type: "subscription.updated" };
    const [, ...ended] = await deps.db.prisma.event.findMany({ where, orderBy: { sequence: "asc" } });
    expect(ended.map(({ data }) => data)).toMatchObject([{ status: "cancelled" }]);
    expect(await auditOf(merchantId)).toHaveLength(1);
  });

  test("new charges are refused after the end, until an operator assigns a plan", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    const refusal = () =>
      refuseInactive(deps.db.sql, "charge", merchantId).then(
        () => null,
        ({ code }: { code: string }) => code,
      );
    await cancel(merchantId, "period_end");
    expect(await refusal()).toBeNull();
    at("2026-11-01T00:00:00Z");
    await billDuePeriods(deps, { limit: 50 });
    expect(await refusal()).toBe("billing_plan_ended");
    await refuseInactive(deps.db.sql, "refund", merchantId);
    await assign(deps, merchantId, { planId: "free" });
    expect(await refusal()).toBeNull();
  });

  test("if a new plan starts on the same day, each event of the day is billed once, and the day belongs to the new plan", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    at("2026-10-11T09:00:00Z");
    await reportSms(deps, merchantId, { quantity: 10 });
    at("2026-10-11T12:00:00Z");
    await cancel(merchantId, "now");
    at("2026-10-11T15:00:00Z");
    await assign(deps, merchantId, { planId: "scale" });
    expect(await show(merchantId)).toMatchObject({
      period: { from: "2026-10-11T12:00:00.000Z", to: "2026-11-11T00:00:00.000Z" },
    });
    await reportSms(deps, merchantId, { quantity: 7 });
    at("2026-11-11T00:00:00Z");
    await billDuePeriods(deps, { limit: 50 });
    const billed = (await invoicesOf(deps, merchantId)).map(({ planId, lines }) => [
      planId,
      lines.map(({ kind, quantity, amount }) => [kind, quantity, amount]),
    ]);
    expect(billed).toEqual([
      [
        "pro",
        [
          ["flat", 1, 1000],
          ["usage", 10, 20],
        ],
      ],
      [
        "scale",
        [
          ["flat", 1, 6200],
          ["usage", 7, 21],
        ],
      ],
    ]);
    expect((await show(merchantId)).period).toEqual({
      from: "2026-11-11T00:00:00.000Z",
      to: "2026-12-11T00:00:00.000Z",
    });
  });

  test("unpaid invoices of the last plan also suspend the subscription to a new plan", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    at("2026-10-05T00:00:00Z");
    await cancel(merchantId, "now");
    const { invoiceId } = await makeFinalInvoice(deps, { merchantId, flat: 1_000n });
    await deps.db.prisma.$executeRaw`
      UPDATE billing_collection SET overdue_at = ${deps.clock.now()}, suspended_at = ${deps.clock.now()} WHERE invoice_id = ${invoiceId}`;
    await assign(deps, merchantId, { planId: "free" });
    expect(await show(merchantId)).toMatchObject({ status: "suspended", plan: { id: "free" } });
  });

  test("'never' removes the end; parallel and repeated requests are recorded once", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    await Promise.all(Array.from({ length: 5 }, () => cancel(merchantId, "period_end")));
    await Promise.all(Array.from({ length: 5 }, () => cancel(merchantId, "never")));
    expect(await show(merchantId)).toMatchObject({ cancel_at: null, period: { to: "2026-11-01T00:00:00.000Z" } });
    expect((await auditOf(merchantId)).map(({ data }) => data)).toMatchObject([
      { cancel_at: "2026-11-01T00:00:00.000Z" },
      { cancel_at: null },
    ]);
  });

  test("setting an end in parallel with a change of plan doesn't restore the old plan", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    await Promise.allSettled([change(deps, merchantId, { planId: "scale" }), cancel(merchantId, "period_end")]);
    const { plan, cancel_at } = await show(merchantId);
    expect(cancel_at).not.toBeNull();
    expect(["pro", "scale"]).toContain(plan.id);
    await change(deps, merchantId, { planId: "scale" });
    await cancel(merchantId, "never");
    expect(await show(merchantId)).toMatchObject({ plan: { id: "scale" }, cancel_at: null });
  });

  test("a request to end the plan is refused while a change is pending, and if the merchant has no subscription", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    await change(deps, merchantId, { planId: "scale", effective: "period_end" });
    expect(await refusalOf(cancel(merchantId, "now"))).toMatchObject({ code: "change_pending" });
    expect(await refusalOf(cancel("mch_none", "now"))).toMatchObject({ code: "subscription_not_found" });
  });
});
