import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { readBillableUsage } from "../../data/billing/meters/billable-usage.ts";
import { readEventSet } from "../../data/billing/meters/event-set.ts";
import { readLateUsage } from "../../data/billing/meters/late-usage.ts";
import { findLineEventPlace, listLineEvents } from "../../data/billing/meters/line-events.ts";
import type { MeteredQuery } from "../../data/billing/meters/metered-events.ts";
import { type CallMeter, insertMeteredCall } from "../../data/billing/meters/metering.ts";
import { compareDays } from "../../data/billing/meters/reconciliation.ts";
import { insertUsageEvents } from "../../data/billing/usage-events.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { dateId } from "../../kernel/time/dated.ts";

let deps: TestDeps;
let merchantId: string;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
});
afterAll(() => deps.close());
beforeEach(async () => {
  merchantId = (await makeMerchant(deps)).id;
});

const minute = 60;
const hour = 3600;
const day = 24 * hour;
const at = (text: string) => new Date(text);
const november = { from: at("2026-11-01T00:00:00Z"), to: at("2026-12-01T00:00:00Z") };

type Own = { id: string; time: Date; quantity: number; receivedAt: Date };

const report = async (events: readonly Omit<Own, "id">[], meter = "searches"): Promise<Own[]> => {
  const recorded = events.map((event) => ({ ...event, id: dateId(newId("uev"), event.time) }));
  for (const { receivedAt, ...event } of recorded) {
    const entering = { ...event, source: "api", eventId: event.id, meter, subject: null, bodyHash: "-" };
    await insertUsageEvents(deps.db.sql, { merchantId, receivedAt, keyedSince: event.time, events: [entering] });
  }
  return recorded;
};

const meter = (name: CallMeter, time: Date) =>
  insertMeteredCall(deps.db.sql, {
    id: dateId(newId("mev"), time),
    merchantId,
    at: time,
    meter: name,
    clientId: "cl_test_x",
    subject: null,
  });

type UsageQuery = Parameters<typeof readBillableUsage>[1];
const usageOf = async (change: Partial<UsageQuery> = {}) => {
  const usage = await readBillableUsage(deps.db.sql, {
    merchantId,
    period: november,
    currency: "EUR",
    includeUncurrencied: true,
    receivedBefore: null,
    ...change,
  });
  return Object.fromEntries([...usage].map(([name, { quantity }]) => [name, quantity]));
};

const queryOf = (change: Partial<MeteredQuery> = {}): MeteredQuery => ({
  merchantId,
  meter: "own:searches",
  period: november,
  receivedBefore: null,
  ...change,
});
const hashOf = (ids: readonly string[]) =>
  createHash("sha256")
    .update(ids.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right))).join("\n"))
    .digest("hex");

const listAll = async (query: MeteredQuery, limit = 2) => {
  const found = [];
  for (let after = null; ; ) {
    const rows = await listLineEvents(deps.db.sql, query, { after, limit });
    found.push(...rows.slice(0, limit));
    const last = found.at(-1);
    if (rows.length <= limit || !last) return found;
    after = await findLineEventPlace(deps.db.sql, query, last.id);
    expect(after).toEqual({ at: last.time, id: last.id });
  }
};

describe("the usage of a billing period (docs/spec/billing.md, Meters)", () => {
  test("counts each meter's events in the half-open period, and no events of other merchants", async () => {
    const other = (await makeMerchant(deps)).id;
    const times = [addSeconds(november.from, -1), november.from, at("2026-11-07T10:20:30Z"), november.to];
    for (const time of times) await meter("tokens_issued", time);
    await meter("introspections", at("2026-11-30T23:59:59.999Z"));
    await report([{ time: november.from, quantity: 7, receivedAt: november.from }]);
    expect(await usageOf()).toEqual({ tokens_issued: 2n, introspections: 1n, "own:searches": 7n });
    expect(await usageOf({ includeUncurrencied: false })).toEqual({});
    expect(await usageOf({ merchantId: other })).toEqual({});
  });

  test("stays the same while its days are reconciled one by one, even if a day in the middle is never reconciled", async () => {
    const days = ["2026-10-03", "2026-10-04", "2026-10-05", "2026-10-07"].map((text) => at(`${text}T00:00:00Z`));
    for (const start of days) {
      for (const seconds of [30, 600, day - 1]) await meter("tokens_issued", addSeconds(start, seconds));
    }
    const periods = [
      { from: at("2026-10-03T00:05:00Z"), to: at("2026-10-07T00:05:00Z") },
      { from: at("2026-10-03T00:00:00Z"), to: at("2026-10-06T00:00:00Z") },
      { from: at("2026-10-04T12:00:00Z"), to: at("2026-10-08T12:00:00Z") },
    ];
    const count = () => Promise.all(periods.map(async (period) => (await usageOf({ period }))["tokens_issued"]));
    const expected = [9n, 9n, 7n];
    expect(await count()).toEqual(expected);
    for (const start of days) {
      await deps.db.sqlTransaction((sql) => compareDays(sql, { from: start, to: addSeconds(start, day) }));
      // The test sets the time of the comparison: two hours after the end of the day.
      await deps.db.prisma
        .$executeRaw`UPDATE meter_reconciliation_day SET checked_at = ${addSeconds(start, 26 * hour)} WHERE day = ${start}`;
      expect(await count()).toEqual(expected);
    }
    // Whole days are counted from the daily sums, so deleting the sums per minute doesn't change the count.
    await deps.db.prisma.$executeRaw`DELETE FROM meter_minute WHERE merchant_id = ${merchantId}`;
    expect((await count())[1]).toBe(9n);
  });

  test("is the sum of its events for any period and cut-off, and the event set contains exactly these events", async () => {
    const events = await report(
      Array.from({ length: 120 }, (_, index) => {
        const time = addSeconds(at("2026-11-20T00:00:00Z"), (index * 7919) % (3 * day));
        const delay = [0, 200, 300, 301, hour, 2 * day, 34 * day][index % 7] ?? 0;
        return { time, quantity: index + 1, receivedAt: addSeconds(time, delay) };
      }),
    );
    for (let turn = 0; turn < 60; turn += 1) {
      const from = addSeconds(at("2026-11-20T00:00:00Z"), (turn * 5417) % (2 * day));
      const to = addSeconds(from, (turn * 3607) % (2 * day));
      const receivedBefore = turn % 5 === 0 ? null : addSeconds(to, ((turn * 977) % (3 * day)) - hour);
      const counted = events.filter(
        ({ time, receivedAt }) => time >= from && time < to && (receivedBefore === null || receivedAt < receivedBefore),
      );
      const expected = counted.reduce((sum, { quantity }) => sum + BigInt(quantity), 0n);
      const period = { from, to };
      expect((await usageOf({ period, receivedBefore }))["own:searches"] ?? 0n, `${turn}`).toBe(expected);
      const set = await readEventSet(deps.db.sql, queryOf({ period, receivedBefore }));
      expect(set).toEqual({ count: BigInt(counted.length), setHash: hashOf(counted.map(({ id }) => id)) });
    }
  });

  test("counts an active mandate once a month, in the period that contains its first charge of the month, and groups charges by amount", async () => {
    const setup = await makeChargeableMandate(deps, { max_amount_per_payment: 5_000 });
    const start = deps.clock.now();
    const ids: string[] = [];
    for (const [days, amount] of [
      [0, 100],
      [10, 250],
      [10, 100],
    ] as const) {
      deps.clock.advance(days * day);
      ids.push((await setup.charge({ amount })).chargeId);
    }
    const months = [
      { from: start, to: addSeconds(start, 15 * day) },
      { from: addSeconds(start, 15 * day), to: addSeconds(start, 30 * day) },
    ] as const;
    const of = { merchantId: setup.merchant.id, months };
    const period = { from: start, to: addSeconds(start, 30 * day) };
    expect(await usageOf({ ...of, period })).toEqual({ successful_charges: 3n, active_mandates: 2n });
    expect(await usageOf({ ...of, period: months[1] })).toEqual({ successful_charges: 1n, active_mandates: 1n });
    const secondPart = { from: addSeconds(start, day), to: months[0].to };
    expect(await usageOf({ ...of, period: secondPart })).toEqual({ successful_charges: 1n });
    expect(await usageOf({ ...of, period, currency: "USD" })).toEqual({ active_mandates: 2n });
    const usage = await readBillableUsage(deps.db.sql, {
      ...of,
      period,
      currency: "EUR",
      includeUncurrencied: false,
      receivedBefore: null,
    });
    const { amounts } = usage.get("successful_charges") ?? { amounts: [] };
    expect(amounts.toSorted((a, b) => Number(a.amountMinor - b.amountMinor))).toEqual([
      { amountMinor: 100n, count: 2n },
      { amountMinor: 250n, count: 1n },
    ]);
    const query = queryOf({ ...of, period });
    const mandates = await listAll({ ...query, meter: "active_mandates" });
    expect(mandates.map(({ id, subject }) => [id, subject])).toEqual([
      [ids[0], setup.mandateId],
      [ids[2], setup.mandateId],
    ]);
    const charges = await listAll({ ...query, meter: "successful_charges", currency: "EUR" });
    expect(charges.map(({ id, amount }) => [id, amount])).toEqual([
      [ids[0], 100n],
      [ids[1], 250n],
      [ids[2], 100n],
    ]);
    const set = await readEventSet(deps.db.sql, { ...query, meter: "successful_charges", currency: "EUR" });
    expect(set).toEqual({ count: 3n, setHash: hashOf(ids) });
  });
});

describe("the events behind a line (docs/spec/billing.md, Events of a period)", () => {
  test("are listed in pages, oldest first, without events after the cut-off", async () => {
    const time = at("2026-11-10T10:00:00Z");
    const receivedAt = addSeconds(november.to, minute);
    const events = await report(
      Array.from({ length: 7 }, (_, index) => ({ time: addSeconds(time, index % 3), quantity: 1, receivedAt })),
    );
    const late = await report([{ time, quantity: 1, receivedAt: addSeconds(november.to, day) }]);
    await report([{ time, quantity: 1, receivedAt }], "others");
    const receivedBefore = addSeconds(november.to, day);
    const listed = (await listAll(queryOf({ receivedBefore }))).map(({ id }) => id);
    const order = events.toSorted((a, b) => a.time.getTime() - b.time.getTime() || (a.id < b.id ? -1 : 1));
    expect(listed).toEqual(order.map(({ id }) => id));
    expect(await findLineEventPlace(deps.db.sql, queryOf({ receivedBefore }), late[0]?.id ?? "")).toBeNull();
    const lateQuery = queryOf({ receivedFrom: receivedBefore });
    expect((await listAll(lateQuery)).map(({ id }) => id)).toEqual([late[0]?.id]);
  });

  test("an empty set has the hash of an empty string", async () => {
    expect(await readEventSet(deps.db.sql, queryOf())).toEqual({ count: 0n, setHash: hashOf([]) });
  });

  test("an event that arrives after the cut-off counts exactly once, as late usage, and doesn't change the sum up to the cut-off", async () => {
    const cutOff = addSeconds(november.to, day);
    const lastMoment = addSeconds(november.to, -1);
    await report([
      { time: lastMoment, quantity: 1, receivedAt: addSeconds(cutOff, -1) },
      { time: lastMoment, quantity: 10, receivedAt: cutOff },
      { time: november.from, quantity: 100, receivedAt: addSeconds(november.from, 35 * day) },
      { time: november.from, quantity: 1_000, receivedAt: addSeconds(cutOff, 2 * day) },
    ]);
    expect(await usageOf({ receivedBefore: cutOff })).toEqual({ "own:searches": 1n });
    const late = (receivedFrom: Date, receivedBefore: Date) =>
      readLateUsage(deps.db.sql, { merchantId, period: november, receivedFrom, receivedBefore });
    const next = addSeconds(cutOff, 2 * day);
    const after = addSeconds(cutOff, 30 * day);
    expect(await late(cutOff, next)).toEqual([{ meter: "own:searches", count: 1n, quantity: 10n }]);
    expect(await late(next, after)).toEqual([{ meter: "own:searches", count: 2n, quantity: 1_100n }]);
    expect(await late(after, addSeconds(after, day))).toEqual([]);
    // Even if the cut-off is the end of the period, an event of the period's last minutes is late if it arrives
    // afterwards.
    const prompt = addSeconds(november.to, 2);
    await report([{ time: lastMoment, quantity: 5, receivedAt: prompt }], "prompt");
    expect(await late(november.to, addSeconds(prompt, 1))).toEqual([{ meter: "own:prompt", count: 1n, quantity: 5n }]);
    expect((await usageOf({ receivedBefore: november.to }))["own:prompt"]).toBeUndefined();
  });
});

describe("a recorded event never changes (docs/spec/billing.md, Events of a period)", () => {
  const refused = (text: string) =>
    expect(deps.db.prisma.$executeRawUnsafe(text)).rejects.toThrow(/never changes|append-only|counted/);

  test("usage events, verifications and metered calls can't be edited or deleted", async () => {
    const time = deps.clock.now();
    await report([{ time, quantity: 1, receivedAt: time }]);
    await meter("step_ups", time);
    await deps.db.prisma
      .$executeRaw`INSERT INTO verification VALUES (${merchantId}, ${time}, ${newId("vrf")}, 'cl', NULL)`;
    for (const table of ["usage_event", "verification", "meter_event"]) {
      await refused(`UPDATE ${table} SET merchant_id = 'mch_other' WHERE merchant_id = '${merchantId}'`);
      await refused(`DELETE FROM ${table} WHERE merchant_id = '${merchantId}'`);
      await refused(`TRUNCATE ${table}`);
    }
    await refused(`UPDATE usage_event SET quantity = 2 WHERE merchant_id = '${merchantId}'`);
  });

  test("a counted charge keeps its captured amount and time, and its refunds can still be recorded", async () => {
    const setup = await makeChargeableMandate(deps);
    const { chargeId } = await setup.charge();
    for (const change of [
      "amount_captured = 1",
      "final_at = final_at + interval '1 day'",
      "final_at = NULL",
      "currency = 'USD'",
      "merchant_id = 'mch_other'",
      "state = 'voided'",
    ]) {
      await refused(`UPDATE charge SET ${change} WHERE id = '${chargeId}'`);
    }
    await refused(`DELETE FROM charge WHERE id = '${chargeId}'`);
    await deps.db.prisma
      .$executeRaw`UPDATE charge SET state = 'refunded', amount_refunded = amount_captured WHERE id = ${chargeId}`;
    expect(await deps.db.prisma.charge.findFirst({ where: { id: chargeId } })).toMatchObject({ state: "refunded" });
  });
});
