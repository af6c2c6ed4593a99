import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { refusalOf } from "../../../charges/charge/charge-setup.fixture.ts";
import { addSeconds, standingAt } from "../../../kernel/time/clock.ts";
import { runDueWork } from "../../../sandbox/run-due-work.ts";
import { getIssuedInvoice } from "../../documents/get-issued-invoice.ts";
import { compareAgain } from "../../meters/reconciliation/compare-again.ts";
import { reconcileUsage } from "../../meters/reconciliation/reconcile-usage.ts";
import { makeCharge } from "../charge-rows.fixture.ts";
import {
  applyPlans,
  bill,
  change,
  forgetReconciliation,
  invoicesOf,
  makeSubscriber,
  reportSms,
  testPlans,
} from "../subscription.fixture.ts";
import { billDuePeriods } from "./bill-due-periods.ts";

const by = { reason: "Corrected the event", actor: { kind: "operator", id: "acc_1" }, requestId: "req_1" } as const;
let deps: TestDeps;
const start = new Date("2026-10-01T10:00:00Z");
beforeAll(async () => {
  deps = await createTestDeps({ now: start });
  await applyPlans(deps, testPlans("2026-10-01"));
});
afterAll(() => deps.close());
beforeEach(async () => {
  deps.clock.set(start);
  // Each test has its own merchants. Periods of earlier tests are never due.
  await deps.db.prisma
    .$executeRaw`UPDATE billing_period SET state = 'final', due_at = NULL, retry_at = NULL, hold = NULL, cut_off_at = "to"`;
  await forgetReconciliation(deps);
});

const at = (text: string) => deps.clock.set(new Date(text));
const statesOf = async (merchantId: string) => (await invoicesOf(deps, merchantId)).map(({ status }) => status);
const holdsOf = async (merchantId: string) =>
  (
    await deps.db.prisma.$queryRaw<{ hold: string | null }[]>`
      SELECT hold FROM billing_period p JOIN billing_subscription s ON s.id = p.subscription_id
       WHERE s.merchant_id = ${merchantId} AND p.state = 'draft'`
  ).map(({ hold }) => hold);
const daysOf = () => deps.db.prisma.$queryRaw<{ day: Date; differences: number }[]>`
  SELECT day, differences::int AS differences FROM meter_reconciliation_day WHERE day >= '2026-10-01' ORDER BY day`;

/** Adds `by` to the captured amount that the event of a charge reports. The charge itself doesn't change. */
const shift = (chargeId: string, by: number) =>
  deps.db.prisma
    .$executeRaw`UPDATE event SET data = jsonb_set(data, '{amount_captured}', to_jsonb((data->>'amount_captured')::int + ${by}::int))
    WHERE object_id = ${chargeId}`;

describe("an invoice is final only after each day of its period was compared (docs/spec/billing.md, Reconciliation)", () => {
  test("until the last day's charges are also compared, the invoice waits, and its documents aren't available", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    await makeCharge(deps, merchantId, { amount: 1_000, finalAt: new Date("2026-10-31T23:59:00Z") });
    at("2026-10-31T02:00:00Z");
    await reconcileUsage(deps, { maxDays: 31 });
    at("2026-11-02T00:00:00Z");
    while ((await billDuePeriods(deps, { limit: 10 })) > 0);
    expect([await statesOf(merchantId), await holdsOf(merchantId)]).toEqual([["draft"], ["reconciliation"]]);
    const [draft] = await invoicesOf(deps, merchantId);
    const wanted = { merchantId, invoiceId: draft?.id ?? "" };
    expect(await refusalOf(getIssuedInvoice(deps, wanted))).toMatchObject({ code: "reconciliation_pending" });

    expect(await reconcileUsage(deps)).toMatchObject({ differences: 0, released: 1 });
    expect(await billDuePeriods(deps, { limit: 10 })).toBe(1);
    expect(await statesOf(merchantId)).toEqual(["open"]);
    expect(await getIssuedInvoice(deps, wanted)).toMatchObject({ issued: { invoice: { id: wanted.invoiceId } } });
  });

  test("a charge that differs from its event delays the invoice until a repeated comparison finds no difference", async () => {
    const [merchantId, other] = [await makeSubscriber(deps, "pro"), await makeSubscriber(deps, "pro")];
    const chargeId = await makeCharge(deps, merchantId, { amount: 1_000, finalAt: new Date("2026-10-31T12:00:00Z") });
    await shift(chargeId, 1);
    await runDueWork(deps, new Date("2026-11-10T00:00:00Z"));
    expect([await statesOf(merchantId), await holdsOf(merchantId)]).toEqual([["draft"], ["reconciliation"]]);
    expect(await statesOf(other)).toEqual(["open"]);
    expect((await daysOf()).filter(({ differences }) => differences > 0)).toEqual([
      { day: new Date("2026-10-31T00:00:00Z"), differences: 1 },
    ]);
    // Nothing was corrected, so the next comparison finds the difference again.
    at("2026-11-10T00:00:00Z");
    expect(await reconcileUsage(deps)).toMatchObject({ differences: 1, released: 0 });
    const again = (day: string) => compareAgain(deps, { day: new Date(day), ...by });
    expect(await again("2026-10-31")).toMatchObject({ differences: 1, released: 0 });
    expect(await refusalOf(again("2026-11-10"))).toMatchObject({ code: "day_not_compared" });
    await shift(chargeId, -1);
    expect(await again("2026-10-31")).toMatchObject({ differences: 0, released: 1 });
    expect(await again("2026-10-31")).toMatchObject({ differences: 0, released: 0 });
    const audited = await deps.db.prisma.$queryRaw`
      SELECT subject_id, data->'differences' AS differences FROM audit_entry WHERE action = 'reconciliation.repeated' ORDER BY seq`;
    expect(audited).toEqual([1, 0, 0].map((differences) => ({ subject_id: "2026-10-31", differences })));
    expect(await bill(deps)).toBe(1);
    expect(await statesOf(merchantId)).toEqual(["open"]);
  });

  test("if several workers compare and bill at the same time, each invoice is finalized once, and the numbers have no gaps", async () => {
    const merchants = [];
    for (let index = 0; index < 6; index += 1) {
      const merchantId = await makeSubscriber(deps, "pro");
      await reportSms(deps, merchantId, { quantity: 1 });
      await makeCharge(deps, merchantId, { amount: 1_000, finalAt: new Date(`2026-10-2${index}T12:00:00Z`) });
      merchants.push(merchantId);
    }
    const before = await deps.db.prisma.$queryRaw<{ last: bigint }[]>`SELECT last FROM billing_number`;
    at("2026-11-02T00:00:00Z");
    const nodes = await Promise.all([1, 2, 3].map(() => anotherNode(deps)));
    const work = nodes.flatMap((node) => [
      reconcileUsage(node, { maxDays: 3 }),
      billDuePeriods(node, { limit: 20 }),
      billDuePeriods(node, { limit: 20 }),
    ]);
    await Promise.all(work);
    await bill(deps);
    await Promise.all(nodes.map((node) => node.close()));
    const invoices = (await Promise.all(merchants.map((id) => invoicesOf(deps, id)))).flat();
    expect(invoices.map(({ status, lines }) => [status, lines.length])).toEqual(merchants.map(() => ["open", 3]));
    const numbers = invoices.map(({ number }) => Number(number?.slice(-6))).toSorted((left, right) => left - right);
    const first = Number(before[0]?.last ?? 0) + 1;
    expect(numbers).toEqual(merchants.map((_, index) => first + index));
  });

  test("if the period ends within the first hour of a UTC day, the invoice waits for the comparison of that day", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    await change(deps, merchantId, { planId: "pro", cancelAt: new Date("2026-10-11T00:30:00Z") });
    await makeCharge(deps, merchantId, { amount: 1_000, finalAt: new Date("2026-10-11T00:10:00Z") });
    await runDueWork(deps, new Date("2026-10-12T00:59:59Z"));
    expect([await statesOf(merchantId), await holdsOf(merchantId)]).toEqual([["draft"], [null]]);
    await runDueWork(deps, new Date("2026-10-12T01:00:00Z"));
    expect(await statesOf(merchantId)).toEqual(["open"]);
  });

  test("the last invoice of an ended subscription waits until the days of its late usage are compared", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    await change(deps, merchantId, { planId: "pro", cancelAt: new Date("2026-10-11T12:00:00Z") });
    await runDueWork(deps, new Date("2026-10-13T00:00:00Z"));
    at("2026-10-20T00:00:00Z");
    await reportSms(deps, merchantId, { quantity: 3, time: new Date("2026-10-11T11:00:00Z") });
    const shiftHours = (by: number) =>
      deps.db.prisma
        .$executeRaw`UPDATE usage_hour SET quantity = quantity + ${by}::int WHERE merchant_id = ${merchantId}`;
    await shiftHours(1);
    await runDueWork(deps, new Date("2026-11-20T00:00:00Z"));
    expect([await statesOf(merchantId), await holdsOf(merchantId)]).toEqual([["open", "draft"], ["reconciliation"]]);
    await shiftHours(-1);
    at("2026-11-20T00:00:00Z");
    await reconcileUsage(deps);
    await bill(deps);
    expect(await statesOf(merchantId)).toEqual(["open", "open"]);
  });
});

describe("moving the clock compares each day (docs/spec/sandbox.md, Clock)", () => {
  test("comparisons and other due work run in chronological order, and a second move continues an interrupted one", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    await makeCharge(deps, merchantId, { amount: 1_000, finalAt: new Date("2026-12-31T23:00:00Z") });
    const until = new Date("2027-01-02T00:00:00Z");
    let compared = 0;
    const dying: TestDeps = {
      ...deps,
      db: {
        ...deps.db,
        sqlTransaction: (work, options) =>
          deps.db.sqlTransaction(
            (sql) =>
              work({
                async query(statement, values) {
                  if (statement.name === "store_reconciled_days") compared += 1;
                  if (compared === 3) throw new Error("killed");
                  return sql.query(statement, values);
                },
              }),
            options,
          ),
      },
    };
    await expect(runDueWork(dying, until)).rejects.toThrow("killed");
    const before = (await daysOf()).length;
    expect(before).toBeLessThan(92);
    await runDueWork(deps, until);
    expect(await daysOf()).toHaveLength(92);
    expect(await statesOf(merchantId)).toEqual(["open", "open", "open"]);
    const [, , december] = await invoicesOf(deps, merchantId);
    expect(december?.lines).toMatchObject([{ kind: "flat" }, { kind: "usage", quantity: 1, amount: 10 }]);
  });

  test("a worker compares nothing while the clock is being moved", async () => {
    await makeSubscriber(deps, "pro");
    const later = standingAt(addSeconds(start, 40 * 24 * 3_600));
    const moving = { ...deps, businessClock: { ...later, dueUntil: async () => null } };
    expect(await reconcileUsage(moving)).toEqual({ days: 0, compared: 0, differences: 0, released: 0 });
    expect(await daysOf()).toEqual([]);
  });
});
