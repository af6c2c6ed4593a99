import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { refusalOf } from "../../../charges/charge/charge-setup.fixture.ts";
import { makeCharge } from "../charge-rows.fixture.ts";
import { getBillingSubscription } from "../get-billing-subscription.ts";
import {
  applyPlans,
  assign,
  bill as billOn,
  change,
  forgetReconciliation,
  invoicesOf,
  makeSubscriber,
  preview,
  reportSms,
  testPlans,
} from "../subscription.fixture.ts";
import { subscriptionChangeSchema, toSubscriptionObject } from "../subscription.wire.ts";

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

const at = (text: string) => deps.clock.set(new Date(text));
const bill = () => billOn(deps);
const show = async (merchantId: string) => toSubscriptionObject(await getBillingSubscription(deps, { merchantId }));
const eventsOf = (objectId: string) =>
  deps.db.prisma.event.findMany({ where: { objectId, type: "subscription.updated" }, orderBy: { sequence: "asc" } });

describe("an operator assigns a plan (docs/spec/billing.md, Subscriptions)", () => {
  test("the first period starts on the day of the assignment in the merchant's zone; an audit entry and an event are written", async () => {
    at("2026-10-31T23:30:00Z");
    const merchantId = await makeSubscriber(deps, "pro", { timeZone: "Asia/Tokyo" });
    const subscription = await show(merchantId);
    expect(subscription).toEqual({
      id: expect.stringMatching(/^bsub_/),
      plan: { id: "pro", version: 1 },
      status: "active",
      anchor_day: 1,
      time_zone: "Asia/Tokyo",
      currencies: ["EUR", "USD"],
      period: { from: "2026-10-31T15:00:00.000Z", to: "2026-11-30T15:00:00.000Z" },
      trial_ends_at: null,
      cancel_at: null,
      pending_change: null,
    });
    const [event, ...others] = await eventsOf(subscription.id);
    expect(others).toEqual([]);
    expect(event?.data).toMatchObject({ merchant_id: merchantId, plan: { id: "pro", version: 1 }, status: "active" });
    const entries = await deps.db.prisma
      .$queryRaw`SELECT action, data FROM audit_entry WHERE subject_id = ${merchantId}`;
    expect(entries).toMatchObject([{ action: "subscription.assigned", data: { plan: "pro", currency: "EUR" } }]);
  });

  test("--currency sets the currency of the fees, which the plan must price", async () => {
    const { id } = await makeMerchant(deps);
    expect(await refusalOf(assign(deps, id, { planId: "pro", currency: "JPY" }))).toMatchObject({
      code: "currency_not_priced",
    });
    await assign(deps, id, { planId: "scale", currency: "USD" });
    expect((await show(id)).currencies).toEqual(["USD", "EUR"]);
    expect((await preview(deps, id, { planId: "scale" })).next).toMatchObject({ currency: "USD", total: 7000 });
  });

  test("a plan is refused if it doesn't price a currency of the merchant's charges", async () => {
    const { id } = await makeMerchant(deps);
    await deps.db.prisma
      .$executeRaw`INSERT INTO charge_sum (merchant_id, slot, state, currency, count, captured, refunded, decline_code)
      VALUES (${id}, '2026-09-01T00:00:00Z', 'captured', 'USD', 1, 100, 0, '')`;
    expect(await refusalOf(assign(deps, id, { planId: "free" }))).toMatchObject({ code: "currency_not_priced" });
    await assign(deps, id, { planId: "pro" });
  });

  test("a plan is refused if it doesn't price the currency of charges that aren't summed yet, even if the clock was moved by days", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    await makeCharge(deps, merchantId, { amount: 500, currency: "USD", finalAt: deps.clock.now() });
    at("2026-10-03T10:00:00Z");
    expect(await refusalOf(preview(deps, merchantId, { planId: "free" }))).toMatchObject({
      code: "currency_not_priced",
    });
  });

  test("a plan is refused if it has no price in the currency of a charge that can still be captured", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    const chargeId = await makeCharge(deps, merchantId, { amount: 500, currency: "USD", finalAt: deps.clock.now() });
    const set = (state: "authorized" | "expired") =>
      deps.db.prisma.charge.update({ where: { id: chargeId }, data: { state, amountCaptured: 0 } });
    await deps.db.prisma.$executeRaw`ALTER TABLE charge DISABLE TRIGGER USER`;
    await set("authorized");
    expect(await refusalOf(preview(deps, merchantId, { planId: "free" }))).toMatchObject({
      code: "currency_not_priced",
    });
    await set("expired");
    await deps.db.prisma.$executeRaw`ALTER TABLE charge ENABLE TRIGGER USER`;
    expect((await preview(deps, merchantId, { planId: "free" })).next).toMatchObject({ currency: "EUR" });
  });

  test("an unknown merchant, plan and version are not found", async () => {
    const { id } = await makeMerchant(deps);
    expect(await refusalOf(assign(deps, "mch_unknown", { planId: "pro" }))).toMatchObject({ code: "not_found" });
    expect(await refusalOf(assign(deps, id, { planId: "unknown" }))).toMatchObject({ code: "plan_not_found" });
    expect(await refusalOf(getBillingSubscription(deps, { merchantId: id }))).toMatchObject({
      code: "subscription_not_found",
    });
  });

  test("concurrent first assignments both succeed, and one subscription is created", async () => {
    const { id } = await makeMerchant(deps);
    await Promise.all([
      assign(deps, id, { planId: "pro" }),
      assign(deps, id, { planId: "scale" }),
      assign(deps, id, { planId: "free" }),
    ]);
    const rows = await deps.db.prisma.$queryRaw<object[]>`
      SELECT p.plan_id FROM billing_subscription s JOIN billing_period p ON p.subscription_id = s.id WHERE merchant_id = ${id}`;
    expect(rows).toHaveLength(1);
  });

  test("a later assignment changes the plan immediately and drops a pending change", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    await change(deps, merchantId, { planId: "free", effective: "period_end" });
    at("2026-10-11T10:00:00Z");
    await assign(deps, merchantId, { planId: "scale" });
    expect(await show(merchantId)).toMatchObject({ plan: { id: "scale" }, pending_change: null });
    expect(await invoicesOf(deps, merchantId)).toMatchObject([{ planId: "pro", status: "draft", total: 1000n }]);
  });

  test("the days of a trial are free, and the period in which the trial ends is prorated", async () => {
    const merchantId = await makeSubscriber(deps, "trial");
    await reportSms(deps, merchantId, { quantity: 7 });
    expect(await show(merchantId)).toMatchObject({ status: "trialing", trial_ends_at: "2026-10-15T00:00:00.000Z" });
    at("2026-10-15T00:00:00Z");
    await reportSms(deps, merchantId, { quantity: 5 });
    expect((await show(merchantId)).status).toBe("active");
    expect((await preview(deps, merchantId, { planId: "trial" })).next).toMatchObject({
      lines: [
        { kind: "flat", amount: 1645, period: { from: "2026-10-15T00:00:00.000Z" } },
        { kind: "usage", quantity: 5, amount: 10 },
      ],
    });
  });
});

describe("a change of plan (docs/spec/billing.md, Plan changes)", () => {
  test("now: the old plan's part is due, and the day of the change belongs to the new plan", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    await reportSms(deps, merchantId, { quantity: 10 });
    at("2026-10-11T08:00:00Z");
    await reportSms(deps, merchantId, { quantity: 100 });
    at("2026-10-11T12:00:00Z");
    const shown = await preview(deps, merchantId, { planId: "scale" });
    expect(shown.dueNow).toMatchObject({
      plan: { id: "pro", version: 1 },
      period: { from: "2026-10-01T00:00:00.000Z", to: "2026-10-11T00:00:00.000Z" },
      lines: [
        { kind: "flat", amount: 1000 },
        { kind: "usage", quantity: 10, amount: 20 },
      ],
      total: 1020,
    });
    expect(shown.next).toMatchObject({ plan: { id: "scale" }, total: 4200 + 300 });
    const view = toSubscriptionObject(await change(deps, merchantId, { planId: "scale", hash: shown.hash }));
    expect(view).toMatchObject({ plan: { id: "scale" }, period: { from: "2026-10-11T00:00:00.000Z" }, anchor_day: 1 });
    at("2026-11-02T00:00:00Z");
    while ((await bill()) > 0) {}
    const [first, second, third] = await invoicesOf(deps, merchantId);
    expect(third).toBeUndefined();
    const amounts = ({ lines, ...invoice }: NonNullable<typeof first>) => ({
      total: Number(invoice.total),
      lines: lines.map(({ kind, amount }) => [kind, amount]),
    });
    const wanted = (shownInvoice: NonNullable<typeof shown.dueNow>) => ({
      total: shownInvoice.total,
      lines: shownInvoice.lines.map(({ kind, amount }) => [kind, amount]),
    });
    expect(first && amounts(first)).toEqual(shown.dueNow && wanted(shown.dueNow));
    expect(second && amounts(second)).toEqual(wanted(shown.next));
  });

  test("on the first day of a period, the new plan replaces the old one and nothing is due", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    const { dueNow, next } = await preview(deps, merchantId, { planId: "scale" });
    expect([dueNow, next.total]).toEqual([null, 6200]);
    await change(deps, merchantId, { planId: "scale" });
    expect(await invoicesOf(deps, merchantId)).toEqual([]);
  });

  test("period_end: the plan changes with the next period", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    const { dueNow, next } = await preview(deps, merchantId, { planId: "scale", effective: "period_end" });
    expect(dueNow).toBeNull();
    expect(next).toMatchObject({ plan: { id: "scale" }, period: { from: "2026-11-01T00:00:00.000Z" }, total: 6200 });
    const view = toSubscriptionObject(await change(deps, merchantId, { planId: "scale", effective: "period_end" }));
    expect(view).toMatchObject({
      plan: { id: "pro" },
      pending_change: { plan: { id: "scale", version: 1 }, effective_at: "2026-11-01T00:00:00.000Z" },
    });
    at("2026-11-01T00:00:00Z");
    await bill();
    expect(await show(merchantId)).toMatchObject({ plan: { id: "scale" }, pending_change: null });
    expect((await eventsOf(view.id)).map(({ data }) => (data as { plan: { id: string } }).plan.id)).toEqual([
      "pro",
      "pro",
      "scale",
    ]);
  });

  test("a plan with another interval starts new periods on the day of the change", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    at("2026-10-11T12:00:00Z");
    await change(deps, merchantId, { planId: "yearly" });
    expect(await show(merchantId)).toMatchObject({
      anchor_day: 11,
      period: { from: "2026-10-11T00:00:00.000Z", to: "2027-10-11T00:00:00.000Z" },
    });
  });

  test("is refused if its result would differ from the preview", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    const { hash } = await preview(deps, merchantId, { planId: "scale" });
    expect((await preview(deps, merchantId, { planId: "scale" })).hash).toBe(hash);
    await reportSms(deps, merchantId, { quantity: 1 });
    expect(await refusalOf(change(deps, merchantId, { planId: "scale", hash }))).toMatchObject({
      code: "precondition_failed",
    });
    const other = await preview(deps, merchantId, { planId: "free" });
    expect(await refusalOf(change(deps, merchantId, { planId: "scale", hash: other.hash }))).toMatchObject({
      code: "precondition_failed",
    });
    const atEnd = await preview(deps, merchantId, { planId: "scale", effective: "period_end" });
    expect(await refusalOf(change(deps, merchantId, { planId: "scale", hash: atEnd.hash }))).toMatchObject({
      code: "precondition_failed",
    });
    const free = await preview(deps, merchantId, { planId: "free" });
    await change(deps, merchantId, { planId: "pro", cancelAt: new Date("2100-01-01T00:00:00Z") });
    expect(await refusalOf(change(deps, merchantId, { planId: "free", hash: free.hash }))).toMatchObject({
      code: "precondition_failed",
    });
  });

  test("a preview's hash doesn't depend on its currency, so a change accepts the hash of a preview in another currency", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    at("2026-10-11T12:00:00Z");
    const shown = await preview(deps, merchantId, { planId: "scale", currency: "USD" });
    expect(shown.next).toMatchObject({ currency: "USD", total: 0 });
    expect(shown.hash).toBe((await preview(deps, merchantId, { planId: "scale" })).hash);
    await change(deps, merchantId, { planId: "scale", hash: shown.hash });
    expect(await show(merchantId)).toMatchObject({ plan: { id: "scale" } });
  });

  test("while a change is pending, another change is refused after its hash is checked", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    await change(deps, merchantId, { planId: "scale", effective: "period_end" });
    expect(await refusalOf(change(deps, merchantId, { planId: "free" }))).toMatchObject({ code: "change_pending" });
    expect(await refusalOf(change(deps, merchantId, { planId: "free", hash: "no" }))).toMatchObject({
      code: "precondition_failed",
    });
  });

  test.each(["now", "period_end"] as const)(
    "effective %s: only one of several concurrent changes succeeds",
    async (effective) => {
      const merchantId = await makeSubscriber(deps, "pro");
      at("2026-10-11T12:00:00Z");
      const { hash } = await preview(deps, merchantId, { planId: "scale", effective });
      const tries = await Promise.allSettled(
        Array.from({ length: 5 }, () => change(deps, merchantId, { planId: "scale", effective, hash })),
      );
      const refused = tries.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
      expect(refused).toEqual(Array(4).fill(effective === "now" ? "precondition_failed" : "change_pending"));
      expect(await invoicesOf(deps, merchantId)).toHaveLength(effective === "now" ? 1 : 0);
    },
  );

  test("a retired plan, a replaced version and a hidden plan are refused, except the merchant's current plan", async () => {
    const plan = (id: string, from: string, flags = "") =>
      `catalogue: 1\nplans:\n  ${id}: {name: Old, effective_from: ${from}, interval: month, currencies: {EUR: {flat: 500}}${flags}}\n`;
    await applyPlans(deps, plan("old", "2026-10-01"));
    const merchantId = await makeSubscriber(deps, "old");
    const other = await makeSubscriber(deps, "pro");
    await applyPlans(deps, plan("old", "2026-10-02").replace("500", "600"));
    at("2026-10-02T12:00:00Z");
    const oldVersion = { merchantId: other, planId: "old", version: 1, effective: "now", currency: null } as const;
    const { previewChange } = await import("./preview-change.ts");
    expect(await refusalOf(previewChange(deps, oldVersion))).toMatchObject({ code: "plan_version_retired" });
    expect((await previewChange(deps, { ...oldVersion, merchantId })).next.total).toBe(500);
    await applyPlans(deps, plan("old", "2026-10-02", ", retired: true").replace("500", "600"));
    expect(await refusalOf(preview(deps, other, { planId: "old" }))).toMatchObject({ code: "plan_version_retired" });
    expect(await refusalOf(preview(deps, other, { planId: "hidden" }))).toMatchObject({ code: "plan_not_found" });
  });

  test("cancel_at shortens the period, and the subscription ends there; null removes it", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    const cancelAt = new Date("2026-10-11T12:00:00Z");
    expect(
      await refusalOf(change(deps, merchantId, { planId: "pro", cancelAt: new Date("2026-09-30T00:00:00Z") })),
    ).toMatchObject({
      pointers: ["/cancel_at"],
    });
    await change(deps, merchantId, { planId: "pro", cancelAt });
    expect(await show(merchantId)).toMatchObject({
      cancel_at: cancelAt.toISOString(),
      period: { to: cancelAt.toISOString() },
    });
    await change(deps, merchantId, { planId: "pro", cancelAt: null });
    expect(await show(merchantId)).toMatchObject({ cancel_at: null, period: { to: "2026-11-01T00:00:00.000Z" } });
    await change(deps, merchantId, { planId: "pro", cancelAt });
    at("2026-10-11T11:00:00Z");
    await reportSms(deps, merchantId, { quantity: 4 });
    at("2026-10-11T13:00:00Z");
    await bill();
    expect(await show(merchantId)).toMatchObject({ status: "cancelled", period: { to: cancelAt.toISOString() } });
    expect(await invoicesOf(deps, merchantId)).toMatchObject([
      {
        lines: [
          { kind: "flat", amount: 1000 },
          { kind: "usage", quantity: 4 },
        ],
      },
    ]);
    await assign(deps, merchantId, { planId: "free" });
    expect(await show(merchantId)).toMatchObject({ status: "active", plan: { id: "free" } });
  });

  test("period_end: is refused if the subscription ends before the new plan begins, unless the change also removes the end", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    const later = { planId: "scale", effective: "period_end" } as const;
    for (const end of ["2026-10-20T00:00:00Z", "2026-11-01T00:00:00Z"]) {
      const ended = change(deps, merchantId, { ...later, cancelAt: new Date(end) });
      expect(await refusalOf(ended)).toMatchObject({ pointers: ["/cancel_at"] });
    }
    await change(deps, merchantId, { planId: "pro", cancelAt: new Date("2026-10-20T00:00:00Z") });
    expect(await refusalOf(change(deps, merchantId, later))).toMatchObject({ pointers: ["/cancel_at"] });
    await change(deps, merchantId, { ...later, cancelAt: null });
    expect(await show(merchantId)).toMatchObject({
      cancel_at: null,
      period: { to: "2026-11-01T00:00:00.000Z" },
      pending_change: { effective_at: "2026-11-01T00:00:00.000Z" },
    });
  });

  test("a change that keeps the current plan and cancel_at writes no event", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    const { row } = await change(deps, merchantId, { planId: "pro", cancelAt: new Date("2100-01-01T00:00:00Z") });
    const before = await eventsOf(row.id);
    await change(deps, merchantId, { planId: "pro" });
    await change(deps, merchantId, { planId: "pro", cancelAt: new Date("2100-01-01T00:00:00Z") });
    expect(await eventsOf(row.id)).toEqual(before);
  });

  test.each([
    ["9999-12-31T23:59:59Z", true],
    ["9999-12-31T23:59:59-00:01", false],
  ])(
    "cancel_at must be before the year 10000 UTC, which RFC 3339 can't express: %s, accepted: %s",
    (end, isAccepted) => {
      const body = { plan: "pro", effective: "now", cancel_at: end };
      expect(subscriptionChangeSchema.safeParse(body).success).toBe(isAccepted);
    },
  );

  test("cancel_at with the current time ends the subscription immediately", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    at("2026-10-11T12:00:00Z");
    const view = await change(deps, merchantId, { planId: "pro", cancelAt: deps.clock.now() });
    expect(toSubscriptionObject(view)).toMatchObject({ status: "cancelled", cancel_at: "2026-10-11T12:00:00.000Z" });
    expect(await refusalOf(preview(deps, merchantId, { planId: "pro" }))).toMatchObject({
      code: "subscription_not_found",
    });
  });
});
