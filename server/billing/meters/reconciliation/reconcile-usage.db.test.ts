import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../../charges/charge/charge-setup.fixture.ts";
import { verifyMandate } from "../../../charges/permission/verify-mandate.ts";
import { insertMeteredCall } from "../../../data/billing/meters/metering.ts";
import { isReconciled } from "../../../data/billing/meters/reconciled-periods.ts";
import { compareDays } from "../../../data/billing/meters/reconciliation.ts";
import { listMeterResults, listReconciledDays } from "../../../data/billing/meters/reconciliation-lists.ts";
import { newId } from "../../../kernel/ids.ts";
import { addSeconds } from "../../../kernel/time/clock.ts";
import { dateId } from "../../../kernel/time/dated.ts";
import { recordUsage } from "../record-usage.ts";
import { listReconciliation } from "./list-reconciliation.ts";
import { reconcileUsage } from "./reconcile-usage.ts";

type Setup = Awaited<ReturnType<typeof makeChargeableMandate>>;
const day = 24 * 3600;
const dayStart = (at: Date) => new Date(Math.floor(at.getTime() / (day * 1000)) * day * 1000);

let deps: TestDeps;
beforeAll(async () => {
  // In the first hour of a day, the day before isn't compared yet.
  const noon = addSeconds(dayStart(new Date()), day / 2);
  deps = await createTestDeps({ now: noon, processors: scriptedProcessor().processors });
});
afterAll(() => deps.close());

/** Two events of each meter. */
const useEach = async ({ merchant, merchantClient, mandateId, charge }: Setup, on: TestDeps = deps) => {
  const by = { merchantId: merchant.id, clientId: merchantClient.id, requestId: "req_test" };
  const request = { mandate_id: mandateId, amount: 100, currency: "EUR", payer_presence: "in_session" } as const;
  for (const meter of ["tokens_issued", "tokens_issued"] as const) {
    const at = on.clock.now();
    const call = { id: dateId(newId("mev"), at), merchantId: merchant.id, at, meter, clientId: "cl", subject: null };
    await insertMeteredCall(on.db.sql, call);
  }
  const event = { source: "api", meter: "searches", subject: null, quantity: 4, time: on.clock.now() };
  await recordUsage(on, { ...by, sent: ["1", "2"].map(() => ({ usage: { ...event, eventId: newId("req") } })) });
  for (const _ of [1, 2]) await verifyMandate(on, { ...by, request });
  for (const _ of [1, 2]) await charge({ amount: 300 });
};

const resultsOf = async (merchantId: string | null, isDifferent = false) =>
  (await listMeterResults(deps.db.sql, { merchantId, day: null, isDifferent, after: null, limit: 100 })).map((one) => ({
    meter: one.meter,
    metered: [Number(one.meteredCount), Number(one.meteredQuantity)],
    source: [Number(one.sourceCount), Number(one.sourceQuantity)],
  }));

describe("the daily reconciliation (docs/spec/billing.md, Reconciliation)", () => {
  test("compares every meter with its source, and repeated runs in two workers give the same results", async () => {
    const setup = await makeChargeableMandate(deps);
    await useEach(setup);
    const today = dayStart(deps.clock.now());
    deps.clock.advance(day);
    expect(await reconcileUsage(deps)).toMatchObject({ days: 2, compared: 5, differences: 0 });
    const expected = [
      { meter: "verifications", metered: [2, 2], source: [2, 2] },
      { meter: "tokens_issued", metered: [2, 2], source: [2, 2] },
      { meter: "successful_charges", metered: [2, 600], source: [2, 600] },
      { meter: "own:searches", metered: [2, 8], source: [2, 8] },
      { meter: "active_mandates", metered: [1, 1], source: [1, 1] },
    ];
    expect(await resultsOf(setup.merchant.id)).toEqual(expected);
    const node = await anotherNode(deps);
    await Promise.all([reconcileUsage(deps), reconcileUsage(node), reconcileUsage(node)]);
    await node.close();
    expect(await resultsOf(setup.merchant.id)).toEqual(expected);
    expect((await listReconciledDays(deps.db.sql, 10))[0]).toMatchObject({ day: today, differences: 0n });
  });

  test("finds a sum without its event, an event without its sum, and a charge without its event", async () => {
    const setup = await makeChargeableMandate(deps);
    const other = await makeChargeableMandate(deps);
    await useEach(setup);
    await useEach(other);
    const { id } = setup.merchant;
    const now = deps.clock.now();
    await deps.db.prisma.$executeRaw`UPDATE usage_hour SET quantity = quantity + 1 WHERE merchant_id = ${id}`;
    await deps.db.prisma.$executeRaw`INSERT INTO verification VALUES (${id}, ${now}, ${newId("vrf")}, 'cl', NULL)`;
    await deps.db.prisma.$executeRaw`DELETE FROM meter_minute WHERE merchant_id = ${id}`;
    await deps.db.prisma.$executeRaw`
      DELETE FROM event WHERE type = 'charge.succeeded' AND object_id = (SELECT min(id) FROM charge WHERE merchant_id = ${id})`;
    deps.clock.advance(day);
    expect(await reconcileUsage(deps)).toMatchObject({ differences: 4 });
    const different = [
      { meter: "verifications", metered: [2, 2], source: [3, 3] },
      { meter: "tokens_issued", metered: [0, 0], source: [2, 2] },
      { meter: "successful_charges", metered: [2, 600], source: [1, 300] },
      { meter: "own:searches", metered: [2, 9], source: [2, 8] },
    ];
    expect(await resultsOf(id, true)).toEqual(different);
    expect(await resultsOf(null, true)).toEqual(different);
    expect(await resultsOf(other.merchant.id, true)).toEqual([]);
  });

  test("lists the currencies of the charges whose amounts are added up", async () => {
    const two = await makeChargeableMandate(deps);
    await useEach(two);
    const one = await makeChargeableMandate(deps);
    await useEach(one);
    deps.clock.advance(day);
    await reconcileUsage(deps);
    await deps.db.prisma.$executeRaw`INSERT INTO charge_amount_day (merchant_id, currency, day, amount, count)
      SELECT merchant_id, 'USD', day, 250, 1 FROM charge_amount_day WHERE merchant_id = ${two.merchant.id}`;
    const currenciesOf = async (merchantId: string) =>
      (await listReconciliation(deps, { merchantId, isDifferent: false, after: null, limit: 100 })).results.map(
        ({ meter, currencies }) => [meter, currencies],
      );
    expect(await currenciesOf(two.merchant.id)).toContainEqual(["successful_charges", ["EUR", "USD"]]);
    expect(await currenciesOf(one.merchant.id)).toEqual([
      ["verifications", null],
      ["tokens_issued", null],
      ["successful_charges", ["EUR"]],
      ["own:searches", null],
      ["active_mandates", null],
    ]);
  });

  test("results are listed in pages, newest day first", async () => {
    const first = await listMeterResults(deps.db.sql, {
      merchantId: null,
      day: null,
      isDifferent: false,
      after: null,
      limit: 1000,
    });
    const paged = [];
    for (let after = null; ; ) {
      const rows = await listMeterResults(deps.db.sql, {
        merchantId: null,
        day: null,
        isDifferent: false,
        after,
        limit: 3,
      });
      paged.push(...rows.slice(0, 3));
      const last = paged.at(-1);
      if (rows.length <= 3 || !last) break;
      after = { day: last.day, merchantId: last.merchantId, meter: last.meter };
    }
    expect(paged).toEqual(first);
    expect(paged.length).toBeGreaterThan(5);
  });
});

describe("before an invoice is final (docs/spec/billing.md, Reconciliation)", () => {
  const month = () => ({
    from: addSeconds(deps.clock.now(), -10 * day),
    to: addSeconds(dayStart(deps.clock.now()), day),
  });
  const check = (merchantId: string, period = month()) => isReconciled(deps.db.sql, { merchantId, period });
  /** Compares each day of the period, as if the period had ended. */
  const compare = ({ from, to } = month()) =>
    deps.db.sqlTransaction((sql) => compareDays(sql, { from: dayStart(from), to }));

  test("each day must have been compared, and all meters must be equal on each day", async () => {
    const setup = await makeChargeableMandate(deps);
    await useEach(setup);
    const { id } = setup.merchant;
    await compare();
    expect(await check(id)).toBe(true);
    await deps.db.prisma.$executeRaw`DELETE FROM meter_reconciliation_day WHERE day = ${dayStart(deps.clock.now())}`;
    expect(await check(id)).toBe(false);
    await compare();
    expect(await check(id)).toBe(true);
  });

  test("a difference in a merchant's sums is found immediately, and is no longer found after its correction", async () => {
    const setup = await makeChargeableMandate(deps);
    await useEach(setup);
    const { id: merchantId } = setup.merchant;
    await compare();
    await deps.db.prisma.$executeRaw`UPDATE usage_hour SET count = count + 1 WHERE merchant_id = ${merchantId}`;
    expect(await check(merchantId)).toBe(false);
    expect(await check((await makeMerchant(deps)).id)).toBe(true);
    await deps.db.prisma.$executeRaw`UPDATE usage_hour SET count = count - 1 WHERE merchant_id = ${merchantId}`;
    expect(await check(merchantId)).toBe(true);
    const now = deps.clock.now();
    // A sum without an event. The test removes this sum again below.
    await deps.db.prisma.$executeRaw`INSERT INTO meter_minute VALUES (${merchantId}, 'step_ups', ${now}, 0, 1)`;
    expect(await check(merchantId)).toBe(false);
    await deps.db.prisma.$executeRaw`DELETE FROM meter_minute WHERE merchant_id = ${merchantId} AND meter = 'step_ups'`;
    expect(await check(merchantId)).toBe(true);
  });

  test("the daily comparison finds a charge that differs from its event; after a correction, a repeated comparison finds no difference", async () => {
    const setup = await makeChargeableMandate(deps);
    await useEach(setup);
    const { id: merchantId } = setup.merchant;
    const shift = (by: number) =>
      deps.db.prisma
        .$executeRaw`UPDATE event SET data = jsonb_set(data, '{amount_captured}', to_jsonb((data->>'amount_captured')::int + ${by}::int))
        WHERE type = 'charge.succeeded' AND object_id IN (SELECT id FROM charge WHERE merchant_id = ${merchantId})`;
    await shift(1);
    await compare();
    expect(await check(merchantId)).toBe(false);
    await shift(-1);
    expect(await check(merchantId)).toBe(false);
    await compare();
    expect(await check(merchantId)).toBe(true);
    const now = dayStart(deps.clock.now());
    await deps.db.prisma.$executeRaw`INSERT INTO charge_amount_day VALUES (${merchantId}, 'EUR', ${now}, 7, 1)`;
    await deps.db.prisma.$executeRaw`INSERT INTO charge_mandate_day VALUES (${merchantId}, ${now}, 'mdt_none', ${now})`;
    await compare();
    expect(await check(merchantId)).toBe(true);
  });

  test("concurrent events are never reported as a difference", async () => {
    const setups = [await makeChargeableMandate(deps), await makeChargeableMandate(deps)] as const;
    await compare();
    let isDone = false;
    const keepChecking = async (merchantId: string) => {
      const verdicts = [];
      while (!isDone) verdicts.push(await check(merchantId));
      return verdicts;
    };
    const checking = [...setups, ...setups].map(({ merchant }) => keepChecking(merchant.id));
    await Promise.all([1, 2, 3, 4].flatMap(() => setups.map((setup) => useEach(setup))));
    isDone = true;
    const verdicts = (await Promise.all(checking)).flat();
    expect(verdicts.length).toBeGreaterThan(8);
    expect(new Set(verdicts)).toEqual(new Set([true]));
  });
});
