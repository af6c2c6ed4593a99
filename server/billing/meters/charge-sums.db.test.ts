import { afterAll, beforeAll, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { readBillableUsage } from "../../data/billing/meters/billable-usage.ts";
import type { MeteredPeriod } from "../../data/billing/meters/metered-events.ts";
import { compareDays } from "../../data/billing/meters/reconciliation.ts";
import { usageInvariants } from "../../data/invariants/usage-invariants.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { makeCharge } from "../subscriptions/charge-rows.fixture.ts";

let deps: TestDeps;
let merchantId: string;
beforeAll(async () => {
  deps = await createTestDeps();
  merchantId = (await makeMerchant(deps)).id;
});
afterAll(() => deps.close());

const hour = 3600;
const day = 24 * hour;
const start = new Date("2026-08-01T00:00:00Z");
const daysLater = (days: number) => addSeconds(start, days * day);
const amountsUsed = [100, 150, 200];

const insertCharge = async (index: number) => {
  const time = addSeconds(start, (index * 29_989) % (10 * day));
  const charge = { time, amount: amountsUsed[index % 3] ?? 0, mandate: `mdt_${index % 7}` };
  await makeCharge(deps, merchantId, { amount: charge.amount, finalAt: time, mandateId: charge.mandate });
  return charge;
};
type Charge = Awaited<ReturnType<typeof insertCharge>>;
type Query = { period: MeteredPeriod; months: MeteredPeriod[] };

const within = (charges: readonly Charge[], { from, to }: MeteredPeriod): Charge[] =>
  charges.filter(({ time }) => time >= from && time < to);

/** The number of active mandates, then the number of charges for each amount, all counted one by one. */
const countOneByOne = (charges: readonly Charge[], { period, months }: Query) => {
  let active = 0;
  for (const month of months) {
    const counted = within(within(charges, month), { from: start, to: period.to });
    const byMandate = Map.groupBy(counted, ({ mandate }) => mandate);
    for (const ofMandate of byMandate.values()) {
      const first = Math.min(...ofMandate.map(({ time }) => time.getTime()));
      if (first >= period.from.getTime() && first < period.to.getTime()) active += 1;
    }
  }
  const counted = within(charges, period);
  return [active, ...amountsUsed.map((wanted) => counted.filter(({ amount }) => amount === wanted).length)];
};

const read = async (query: Query) => {
  const all = { merchantId, currency: "EUR", includeUncurrencied: true, receivedBefore: null };
  const usage = await readBillableUsage(deps.db.sql, { ...all, ...query });
  const { amounts = [] } = usage.get("successful_charges") ?? {};
  const countOf = (amount: number) => amounts.find(({ amountMinor }) => Number(amountMinor) === amount)?.count ?? 0n;
  return [
    Number(usage.get("active_mandates")?.quantity ?? 0n),
    ...amountsUsed.map((amount) => Number(countOf(amount))),
  ];
};

/**
 * Periods of different lengths that start at different times of day. In half of the
 * queries, an active mandate counts once for the whole period. In the others, it counts once for each of three fixed
 * parts of the ten days.
 */
const queries = Array.from({ length: 20 }, (_, turn): Query => {
  const from = addSeconds(start, (turn * 50_021) % (5 * day));
  const whole = { from: start, to: daysLater(10) };
  const period = turn < 2 ? whole : { from, to: addSeconds(from, (turn * 40_009) % (5 * day)) };
  const bounds = [start, daysLater(3.25), daysLater(6), daysLater(10)];
  const parts = bounds.slice(1).map((to, index) => ({ from: bounds[index] ?? to, to }));
  return { period, months: turn % 2 === 0 ? [period] : parts };
});

const sum = async (of: Date) => {
  await deps.db.sqlTransaction((sql) => compareDays(sql, { from: of, to: addSeconds(of, day) }));
  // Sets the time of the comparison to two hours after the end of the day.
  const checkedAt = addSeconds(of, 26 * hour);
  await deps.db.prisma.$executeRaw`UPDATE meter_reconciliation_day SET checked_at = ${checkedAt} WHERE day = ${of}`;
};

const violated = async () => {
  const names: string[] = [];
  for (const { name, find } of usageInvariants) if ((await find(deps.db.sql)).length > 0) names.push(name);
  return names;
};

test("the counts of charges and active mandates are the same before and after their days are summed (docs/spec/billing.md, Meters)", async () => {
  const charges: Charge[] = [];
  for (let index = 0; index < 90; index += 1) charges.push(await insertCharge(index));
  const expected = queries.map((query) => countOneByOne(charges, query));
  const count = () => Promise.all(queries.map(read));
  expect(await count()).toEqual(expected);
  for (const index of [1, 2, 3, 4, 5, 6, 7, 8, 4]) {
    await sum(daysLater(index));
    expect(await count(), `day ${index}`).toEqual(expected);
  }
  expect(await violated()).toEqual([]);

  // Wrong sums make the counts wrong, and the invariants report them.
  const wrong = daysLater(4);
  await deps.db.prisma.$executeRaw`UPDATE charge_amount_day SET count = count + 1 WHERE day = ${wrong}`;
  await deps.db.prisma.$executeRaw`DELETE FROM charge_mandate_day WHERE day = ${wrong}`;
  const [whole] = queries;
  expect(whole && (await read(whole))).not.toEqual(expected[0]);
  expect(await violated()).toEqual([
    "a daily sum of captured amounts counts each charge once",
    "the mandates counted for a day are those that were charged on that day",
  ]);
});
