import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { insertMeteredCall } from "../../data/billing/meters/metering.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { dateId } from "../../kernel/time/dated.ts";
import type { UsageWindow } from "../rules/usage-windows.ts";
import { exploreUsage } from "./explorer/explore-usage.ts";
import { listUsageEvents } from "./list-usage-events.ts";
import { readUsage } from "./read-usage.ts";
import { recordUsage } from "./record-usage.ts";

let deps: TestDeps;
let merchantId: string;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
});
afterAll(() => deps.close());
beforeEach(async () => {
  merchantId = (await makeMerchant(deps)).id;
});

const day = 24 * 3600;
const ago = (seconds: number) => addSeconds(deps.clock.now(), -seconds);

const introspect = (at: Date, of = merchantId) =>
  insertMeteredCall(deps.db.sql, {
    id: dateId(newId("mev"), at),
    merchantId: of,
    at,
    meter: "introspections",
    clientId: "cl_test_x",
    subject: null,
  });

const search = (times: readonly Date[], meter = "searches") =>
  recordUsage(deps, {
    merchantId,
    clientId: "cl_test_x",
    requestId: "req_x",
    sent: times.map((time) => ({
      usage: { source: "api", eventId: newId("req"), meter, subject: null, quantity: 3, time },
    })),
  });

const read = (
  options: { window: UsageWindow; timeZone: string; from: Date; to: Date; meter?: string },
  of = merchantId,
) => readUsage(deps, { merchantId: of, meter: null, ...options });

describe("usage by window (docs/spec/billing.md, Usage)", () => {
  test("each window counts its own events, for any period, window and time zone", async () => {
    const times = Array.from({ length: 90 }, (_, index) => {
      const near = addSeconds(ago(5 * day), ((index * 7919) % (4 * day)) + index / 7);
      // Some events are at the first or last instant of a full or half hour.
      const half = new Date(Math.floor(near.getTime() / 1_800_000) * 1_800_000);
      return [near, half, new Date(half.getTime() - 1)][index % 3] ?? near;
    });
    await search(times);
    for (const time of times) await introspect(time);
    for (const timeZone of ["UTC", "Asia/Kolkata", "America/New_York"]) {
      for (const window of ["hour", "day", "month"] as const) {
        const [from, to] = [addSeconds(ago(5 * day), 1_234.567), addSeconds(ago(day), -77)];
        const usage = await read({ window, timeZone, from, to });
        const expected = (usage.windows ?? []).map(
          ({ period }) => times.filter((time) => time >= period.from && time < period.to).length,
        );
        expect(usage.windows?.map(({ calls }) => calls.introspections)).toEqual(expected);
        expect(usage.windows?.map(({ ownMeters }) => Number(ownMeters[0]?.quantity ?? 0n))).toEqual(
          expected.map((count) => 3 * count),
        );
        const total = expected.reduce((sum, count) => sum + count, 0);
        expect([usage.calls.introspections, usage.ownMeters[0]?.count]).toEqual([total, total]);
      }
    }
  });

  test("a merchant's own meter is listed even if the period starts in the middle of a UTC hour, as midnight in Asia/Kolkata does", async () => {
    const start = new Date(
      `${ago(2 * day)
        .toISOString()
        .slice(0, 10)}T18:30:00Z`,
    );
    await search([addSeconds(start, 60)]);
    const usage = await exploreUsage(deps, {
      merchantId,
      meter: "own:searches",
      window: "day",
      timeZone: "Asia/Kolkata",
      from: start,
      to: addSeconds(start, day),
    });
    expect(usage.ownMeters).toEqual(["own:searches"]);
    expect(usage.windows.map(({ quantity }) => quantity)).toEqual([3n]);
  });

  test("a charge counts in its window, and an active mandate in each window in which it was charged", async () => {
    const setup = await makeChargeableMandate(deps);
    const from = deps.clock.now();
    await setup.charge({ amount: 100 });
    await setup.charge({ amount: 200 });
    deps.clock.advance(day);
    await setup.charge({ amount: 300 });
    const to = addSeconds(deps.clock.now(), 1);
    const { windows, activeMandates } = await read({ window: "day", timeZone: "UTC", from, to }, setup.merchant.id);
    expect(activeMandates).toBe(1);
    const charged = windows?.filter(({ charges }) => charges.length > 0);
    expect(charged).toMatchObject([
      { activeMandates: 1, charges: [{ currency: "EUR", count: 2, amountMinor: 300n }] },
      { activeMandates: 1, charges: [{ currency: "EUR", count: 1, amountMinor: 300n }] },
    ]);
  });

  test("a window has at most 20 own meters; all other own meters can be requested by name", async () => {
    for (let index = 10; index < 32; index += 1) await search([ago(60)], `meter_${index}`);
    const period = { window: "day", timeZone: "UTC", from: ago(day), to: deps.clock.now() } as const;
    const usage = await read(period);
    expect([usage.ownMeters.length, usage.hasMoreMeters]).toEqual([22, false]);
    expect(usage.windows?.at(-1)).toMatchObject({ hasMoreMeters: true });
    expect(usage.windows?.at(-1)?.ownMeters).toHaveLength(20);
    const named = await read({ ...period, meter: "meter_31" });
    expect(named.windows?.at(-1)).toMatchObject({ ownMeters: [{ meter: "meter_31", count: 1 }], hasMoreMeters: false });
  });

  test("an empty period has no windows, and too many hours are refused, naming the field", async () => {
    const to = deps.clock.now();
    expect((await read({ window: "hour", timeZone: "UTC", from: to, to })).windows).toEqual([]);
    const refusal = await refusalOf(read({ window: "hour", timeZone: "UTC", from: ago(32 * day), to }));
    expect(refusal).toMatchObject({ code: "invalid_request", pointers: ["#window"] });
  });

  test("the default period starts at the first midnight of the month in the time zone", async () => {
    const query = { merchantId, meter: null, from: null, to: new Date("2026-11-15T00:00:00Z") };
    const { period } = await readUsage(deps, { ...query, timeZone: "Europe/Berlin" });
    expect(period.from).toEqual(new Date("2026-10-31T23:00:00Z"));
  });

  test("a merchant's calls are listed in pages together with its other events, and no events of other merchants are listed", async () => {
    const other = (await makeMerchant(deps)).id;
    for (const seconds of [50, 40, 40, 30]) await introspect(ago(seconds));
    await introspect(ago(35), other);
    await search([ago(45)]);
    const list = (startingAfter: string | null, meter: string | null = null, of = merchantId) =>
      listUsageEvents(deps, {
        merchantId: of,
        meter,
        from: ago(day),
        to: deps.clock.now(),
        limit: 2,
        startingAfter,
        endingBefore: null,
      });
    const all = [];
    for (let after = null; ; after = all.at(-1)?.id ?? null) {
      const page = await list(after);
      all.push(...page.events);
      if (!page.hasMore) break;
    }
    expect(all.map(({ kind }) => kind)).toEqual(["call", "own", "call", "call", "call"]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(5);
    const calls = await list(null, "introspections");
    expect(calls.events.map(({ id }) => id)).toEqual([all[0]?.id, all[2]?.id]);
    expect((await list(null, "step_ups")).events).toEqual([]);
    expect((await list(null, null, other)).events).toHaveLength(1);
    expect(await refusalOf(list(all[0]?.id ?? "", null, other))).toMatchObject({ pointers: ["#starting_after"] });
  });
});
