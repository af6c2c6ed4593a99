import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { lockMerchant } from "../../data/merchants/merchants.ts";
import type { Deps } from "../../deps/deps.ts";
import { dayIn } from "../../kernel/time/calendar.ts";
import { addSeconds, standingAt } from "../../kernel/time/clock.ts";
import { lockStanding } from "../collection/refresh-billing-standing.ts";
import { billDuePeriods } from "../subscriptions/run/bill-due-periods.ts";
import {
  applyPlans,
  assign,
  change,
  makeSubscriber,
  reportSms,
  testPlans,
} from "../subscriptions/subscription.fixture.ts";
import type { BudgetAlertFields } from "./budget-alert-fields.ts";
import { checkDueBudgets } from "./check-due-budgets.ts";
import { createBudgetAlert } from "./create-budget-alert.ts";
import { deleteBudgetAlert } from "./delete-budget-alert.ts";
import { listBudgetAlerts } from "./list-budget-alerts.ts";
import { updateBudgetAlert } from "./update-budget-alert.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
  await applyPlans(deps, testPlans(dayIn("UTC", deps.clock.now())));
});
afterAll(() => deps.close());

const by = { actor: { kind: "merchant", id: "acc_owner" }, requestId: "req_test" } as const;
const fields: BudgetAlertFields = {
  name: "Texts",
  currency: "EUR",
  amountMinor: 100n,
  percent: null,
  sendsMail: true,
  sendsWebhook: true,
};
const create = (merchantId: string, changed: Partial<BudgetAlertFields> = {}) =>
  createBudgetAlert(deps, { ...fields, ...changed, merchantId, ...by });

const makeOwner = async (merchantId: string): Promise<string> => {
  const id = `acc_${merchantId}`;
  const email = `${merchantId.toLowerCase()}@example.test`;
  const createdAt = deps.clock.now();
  await deps.db.prisma.account.create({ data: { id, email, displayName: "Owner", createdAt } });
  await deps.db.prisma.merchantMember.create({ data: { merchantId, accountId: id, role: "owner", createdAt } });
  return email;
};

const eventsOf = (alertId: string) =>
  deps.db.prisma.$queryRaw<{ sequence: number; data: Record<string, unknown> }[]>`
    SELECT sequence, data FROM event WHERE type = 'budget_alert.triggered' AND object_id = ${alertId} ORDER BY sequence`;
const mailsTo = (recipient: string) =>
  deps.db.prisma.mail.findMany({ where: { recipient, kind: "budget_alert" }, select: { subject: true, text: true } });
const auditOf = (merchantId: string) =>
  deps.db.prisma.$queryRaw<{ action: string }[]>`
    SELECT action FROM audit_entry WHERE subject_id = ${merchantId} AND action LIKE 'budget_alert.%' ORDER BY seq`;

const check = (later: number, at: Pick<Deps, "businessClock"> = deps) => {
  deps.clock.advance(later);
  return checkDueBudgets({ ...deps, ...at }, { limit: 1_000 });
};
/** Closes the periods that end within this number of days. */
const bill = (days: number) => {
  const at = addSeconds(deps.clock.now(), days * 24 * 3_600);
  return billDuePeriods({ ...deps, businessClock: standingAt(at) }, { limit: 100 });
};
/** Checks are repeated every five minutes. */
const nextCheck = () => check(301);

describe("budget alerts of a merchant (docs/spec/billing.md, Budget alerts)", () => {
  test("an alert fires once, with event, e-mail and audit entry, when the cost reaches the alert's threshold", async () => {
    const merchantId = await makeSubscriber(deps, "free");
    const email = await makeOwner(merchantId);
    const { alertId } = await create(merchantId);
    await reportSms(deps, merchantId, { quantity: 99 });
    await nextCheck();
    expect(await eventsOf(alertId)).toEqual([]);
    await reportSms(deps, merchantId, { quantity: 1 });
    await nextCheck();
    await reportSms(deps, merchantId, { quantity: 500 });
    await nextCheck();
    expect(await eventsOf(alertId)).toMatchObject([
      { sequence: 1, data: { merchant_id: merchantId, threshold: 100, percent: null, budget: null, spent: 100 } },
    ]);
    const mails = await mailsTo(email);
    expect(mails.map(({ subject }) => subject)).toEqual(["[Sandbox] Budget alert: Texts"]);
    expect(mails[0]?.text).toContain("€1.00");
    const actions = (await auditOf(merchantId)).map(({ action }) => action);
    expect(actions).toEqual(["budget_alert.created", "budget_alert.triggered"]);
    expect(await listBudgetAlerts(deps, { merchantId })).toMatchObject([{ id: alertId, spent: 100n }]);
  });

  test("an alert fires once, even if checks run in parallel and the period then ends", async () => {
    const merchantId = await makeSubscriber(deps, "free");
    const email = await makeOwner(merchantId);
    const { alertId } = await create(merchantId, { percent: 80 });
    await reportSms(deps, merchantId, { quantity: 80 });
    const at = addSeconds(deps.clock.now(), 1);
    const makeDue = () =>
      deps.db.prisma.$executeRaw`UPDATE billing_budget_check SET due_at = ${at} WHERE merchant_id = ${merchantId}`;
    const races = Array.from({ length: 8 }, async () => {
      await makeDue();
      await checkDueBudgets({ ...deps, businessClock: standingAt(at) }, { limit: 100 });
    });
    await Promise.all(races);
    await bill(32);
    expect(await eventsOf(alertId)).toMatchObject([{ data: { threshold: 80, percent: 80, budget: 100, spent: 80 } }]);
    expect(await mailsTo(email)).toHaveLength(1);
  });

  test("at the end of a period, an alert with e-mail fires even while a payment locks the merchant", async () => {
    const merchantId = await makeSubscriber(deps, "free");
    const email = await makeOwner(merchantId);
    const { alertId } = await create(merchantId);
    await reportSms(deps, merchantId, { quantity: 100 });
    await deps.db.sqlTransaction(async (sql) => {
      await lockMerchant(sql, merchantId);
      await bill(32);
      await lockStanding(sql, merchantId);
    });
    expect(await eventsOf(alertId)).toHaveLength(1);
    expect(await mailsTo(email)).toHaveLength(1);
  });

  test("an alert fires at the end of the period if no check ran during the period", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    const { alertId } = await create(merchantId, { amountMinor: 3100n });
    await bill(70);
    const events = await eventsOf(alertId);
    expect(events.map(({ data }) => data["spent"])).toEqual([3100, 3100]);
    expect(new Set(events.map(({ data }) => JSON.stringify(data["period"]))).size).toBe(2);
  });

  test("a change of plan doesn't begin a new budget: the costs of both parts of the period count", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    const { alertId } = await create(merchantId, { amountMinor: 4000n });
    deps.clock.advance(10 * 24 * 3_600);
    await reportSms(deps, merchantId, { quantity: 100 });
    await change(deps, merchantId, { planId: "scale" });
    await nextCheck();
    const [event] = await eventsOf(alertId);
    expect(event?.data["spent"]).toBeGreaterThan(4000);
    await change(deps, merchantId, { planId: "pro" });
    await nextCheck();
    expect(await eventsOf(alertId)).toHaveLength(1);
  });

  test("a plan with another interval ends the budget of the old period and begins a new one", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    await reportSms(deps, merchantId, { quantity: 1_000 });
    const { alertId: early } = await create(merchantId);
    await nextCheck();
    const { alertId: late } = await create(merchantId, { amountMinor: 1_900n });
    await reportSms(deps, merchantId, { quantity: 1_000 });
    deps.clock.advance(2 * 24 * 3_600);
    await change(deps, merchantId, { planId: "yearly" });
    expect([await eventsOf(early), await eventsOf(late)]).toMatchObject([[{}], [{}]]);
    await nextCheck();
    const ofBoth = [await eventsOf(early), await eventsOf(late)];
    expect(ofBoth.map((events) => events.at(-1)?.data["spent"])).toEqual([36_500, 36_500]);
    expect(ofBoth.map((events) => events.length)).toEqual([2, 2]);
  });

  test("after a change of plan or a first plan, the next check follows within five minutes", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    const { id: unsubscribedId } = await makeMerchant(deps);
    const { alertId: fired } = await create(merchantId);
    await nextCheck();
    deps.clock.advance(2 * 24 * 3_600);
    const { alertId: waiting } = await create(unsubscribedId);
    await nextCheck();
    expect([await eventsOf(fired), await eventsOf(waiting)]).toMatchObject([[{}], []]);
    await change(deps, merchantId, { planId: "yearly" });
    await assign(deps, unsubscribedId, { planId: "pro" });
    await nextCheck();
    expect([await eventsOf(fired), await eventsOf(waiting)]).toMatchObject([[{}, {}], [{}]]);
  });

  test("earlier parts of a period count even in currencies that the new plan doesn't price", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    await assign(deps, merchantId, { planId: "scale", currency: "USD" });
    const { alertId } = await create(merchantId, { currency: "USD", amountMinor: 400n });
    deps.clock.advance(3 * 24 * 3_600);
    await change(deps, merchantId, { planId: "free" });
    await nextCheck();
    expect(await eventsOf(alertId)).toMatchObject([{ data: { currency: "USD" } }]);
  });

  test("an alert sends no event if webhook is off, and no e-mail if e-mail is off", async () => {
    const merchantId = await makeSubscriber(deps, "free");
    const email = await makeOwner(merchantId);
    const byMail = await create(merchantId, { sendsWebhook: false });
    const byWebhook = await create(merchantId, { amountMinor: 50n, sendsMail: false });
    await reportSms(deps, merchantId, { quantity: 100 });
    await nextCheck();
    expect(await eventsOf(byMail.alertId)).toEqual([]);
    expect(await eventsOf(byWebhook.alertId)).toHaveLength(1);
    expect(await mailsTo(email)).toHaveLength(1);
  });
});

describe("changes of budget alerts (docs/spec/billing.md, Budget alerts)", () => {
  const refusalOf = (attempt: Promise<unknown>) =>
    attempt.then(
      () => "done",
      (error: { code: string; errors?: { pointer: string }[] }) => [
        error.code,
        ...(error.errors ?? []).map(({ pointer }) => pointer),
      ],
    );

  test("the refusal of a change names each invalid field", async () => {
    const merchantId = await makeSubscriber(deps, "free");
    const wrong = { name: " ", amountMinor: 0n, percent: 1001, sendsMail: false, sendsWebhook: false, currency: "USD" };
    expect(await refusalOf(create(merchantId, wrong))).toEqual([
      "invalid_request",
      "/name",
      "/amountMinor",
      "/percent",
      "/sendsMail",
      "/currency",
    ]);
    const { id } = await makeMerchant(deps);
    await expect(create(id, { amountMinor: 0n })).rejects.toThrow("Enter an amount above zero.");
    await expect(create(id, { amountMinor: 100_000_000_000n })).rejects.toThrow("The amount is too large.");
    expect(await refusalOf(create(id, { currency: "EURO" }))).toEqual(["invalid_request", "/currency"]);
    expect(await refusalOf(create(id, { currency: "JPY" }))).toBe("done");
  });

  test("if equal alerts are created in parallel, only one is stored", async () => {
    const merchantId = await makeSubscriber(deps, "free");
    const attempts = await Promise.all(Array.from({ length: 5 }, () => refusalOf(create(merchantId))));
    expect(attempts.filter((one) => one === "done")).toHaveLength(1);
    expect(attempts.filter((one) => one[0] === "budget_alert_exists")).toHaveLength(4);
  });

  test("an alert is changed and deleted, but not by another merchant", async () => {
    const merchantId = await makeSubscriber(deps, "free");
    const otherId = await makeSubscriber(deps, "free");
    const { alertId } = await create(merchantId);
    const { alertId: twin } = await create(merchantId, { amountMinor: 200n });
    const update = (changed: Partial<BudgetAlertFields>, of = merchantId) =>
      updateBudgetAlert(deps, { ...fields, ...changed, merchantId: of, alertId, ...by });
    expect(await refusalOf(update({ amountMinor: 1n }, otherId))).toEqual(["not_found"]);
    expect(await refusalOf(update({ amountMinor: 200n }))).toEqual(["budget_alert_exists", "/amountMinor"]);
    await update({ amountMinor: 300n, name: "Later" });
    const alerts = await listBudgetAlerts(deps, { merchantId });
    expect(alerts.find(({ id }) => id === alertId)).toMatchObject({ amount: 300n, name: "Later" });
    const remove = (of: string, id: string) => deleteBudgetAlert(deps, { merchantId: of, alertId: id, ...by });
    expect(await refusalOf(remove(otherId, alertId))).toEqual(["not_found"]);
    await remove(merchantId, alertId);
    expect((await listBudgetAlerts(deps, { merchantId })).map(({ id }) => id)).toEqual([twin]);
    expect((await auditOf(merchantId)).map(({ action }) => action)).toEqual([
      "budget_alert.created",
      "budget_alert.created",
      "budget_alert.updated",
      "budget_alert.deleted",
    ]);
  });
});
