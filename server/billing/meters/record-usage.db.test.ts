import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { usageInvariants } from "../../data/invariants/usage-invariants.ts";
import type { OwnUsage } from "../rules/usage-event.ts";
import { listUsageEvents, type UsageEvent } from "./list-usage-events.ts";
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
const now = () => deps.clock.now();
const ago = (seconds: number) => new Date(now().getTime() - seconds * 1000);
const usage = (eventId: string, change: Partial<OwnUsage> = {}): OwnUsage => ({
  source: "api",
  eventId,
  meter: "searches",
  subject: null,
  quantity: 1,
  time: ago(60),
  ...change,
});

const record = async (events: readonly OwnUsage[], of = merchantId) => {
  const sent = events.map((one) => ({ usage: one }));
  const verdicts = await recordUsage(deps, { merchantId: of, clientId: "cl_test_x", requestId: "req_x", sent });
  return verdicts.map(({ status }) => status);
};

const wide = () => ({ from: ago(300 * day), to: ago(-day) });
const metersOf = async (of = merchantId, meter: string | null = null) =>
  (await readUsage(deps, { merchantId: of, meter, ...wide() })).ownMeters;
const list = (
  page: { startingAfter?: string | null; endingBefore?: string | null; meter?: string; limit?: number } = {},
  of = merchantId,
) =>
  listUsageEvents(deps, {
    merchantId: of,
    meter: null,
    limit: 2,
    startingAfter: null,
    endingBefore: null,
    ...wide(),
    ...page,
  });
/** The merchant's event id; null for an event of a built-in meter. */
const ownIdOf = (event: UsageEvent) => (event.kind === "own" ? event.of.eventId : null);

const auditOf = (subjectId: string) =>
  deps.db.prisma.$queryRaw<{ action: string; actor_id: string; data: object }[]>`
    SELECT action, actor_id, data FROM audit_entry WHERE subject_id = ${subjectId} ORDER BY seq`;

describe("a merchant's own usage is recorded once (docs/spec/billing.md, Usage events)", () => {
  test("records each event separately, with one audit entry per batch", async () => {
    const events = [usage("1"), usage("2", { quantity: 999_999_999_999 }), usage("1"), usage("1", { quantity: 2 })];
    expect(await record(events)).toEqual(["accepted", "accepted", "duplicate", "conflict"]);
    expect(await metersOf()).toEqual([{ meter: "searches", count: 2, quantity: 1_000_000_000_000n }]);
    const recorded = { action: "usage.recorded", actor_id: "cl_test_x", data: { events: 2 } };
    expect(await auditOf(merchantId)).toEqual([recorded]);
    expect(await record(events)).toEqual(["duplicate", "duplicate", "duplicate", "conflict"]);
    expect(await auditOf(merchantId)).toEqual([recorded]);
  });

  test("the quantities of a meter are limited per UTC month, and a refused event doesn't affect others", async () => {
    const large = { quantity: 600_000_000_000 };
    const events = [
      usage("1", large),
      usage("2", large),
      usage("3", { quantity: 400_000_000_000 }),
      usage("4", { ...large, meter: "gb_stored" }),
      usage("5", { ...large, time: ago(32 * day) }),
    ];
    expect(await record(events)).toEqual(["accepted", "refused", "accepted", "accepted", "accepted"]);
    expect(await record(events)).toEqual(["duplicate", "refused", "duplicate", "duplicate", "duplicate"]);
    expect(await record([usage("1", { quantity: 2_000_000 })])).toEqual(["conflict"]);
    const sent = [{ usage: usage("6", { quantity: 2_000_000 }) }];
    expect(await recordUsage(deps, { merchantId, clientId: "cl_test_x", requestId: "req_x", sent })).toEqual([
      {
        status: "refused",
        problems: [
          {
            pointer: "/quantity",
            detail: "the sum of the meter's quantities in a UTC month must be at most 1000000000000",
          },
        ],
      },
    ]);
    expect(await metersOf(merchantId, "gb_stored")).toEqual([
      { meter: "gb_stored", count: 1, quantity: 600_000_000_000n },
    ]);
    for (const { find } of usageInvariants) expect(await find(deps.db.sql)).toEqual([]);
  });

  test("concurrent requests together stay within the limit of a month", async () => {
    const requests = Array.from({ length: 8 }, (_, index) => [usage(`${index}`, { quantity: 300_000_000_000 })]);
    const answers = (await Promise.all(requests.map((events) => record(events)))).flat();
    expect(answers.filter((status) => status === "accepted")).toHaveLength(3);
    expect(await metersOf()).toEqual([{ meter: "searches", count: 3, quantity: 900_000_000_000n }]);
  });

  test("a repeated event is still a duplicate for a week after it has become too old", async () => {
    const event = usage("1", { time: ago(35 * day) });
    expect(await record([event, usage("2", { time: ago(35 * day + 1) })])).toEqual(["accepted", "refused"]);
    deps.clock.advance(day);
    expect(await record([event, { ...event, eventId: "3" }])).toEqual(["duplicate", "refused"]);
    expect(await metersOf()).toMatchObject([{ count: 1 }]);
  });

  test("an id can be used again once its event is older than 35 days, even if upkeep hasn't run", async () => {
    const event = usage("1", { time: now() });
    expect(await record([event])).toEqual(["accepted"]);
    deps.clock.advance(35 * day);
    const next = usage("1", { time: now(), quantity: 2 });
    expect(await record([next, event])).toEqual(["conflict", "duplicate"]);
    deps.clock.set(new Date(now().getTime() + 1));
    const again = { ...next, quantity: 600_000_000_000 };
    expect(await record([event])).toEqual(["duplicate"]);
    const answers = await Promise.all(Array.from({ length: 4 }, () => record([again])));
    expect(answers.flat().toSorted()).toEqual(["accepted", "duplicate", "duplicate", "duplicate"]);
    expect(await record([event, next])).toEqual(["refused", "conflict"]);
    const other = usage("2", { time: now(), quantity: 600_000_000_000 });
    expect(await record([other])).toEqual(["refused"]);
    for (const { find } of usageInvariants) expect(await find(deps.db.sql)).toEqual([]);
  });

  test("an event with a reused id counts towards the limit of its month", async () => {
    const large = (eventId: string, time: Date) => usage(eventId, { time, quantity: 600_000_000_000 });
    expect(await record([large("1", now())])).toEqual(["accepted"]);
    deps.clock.advance(36 * day);
    expect(await record([large("2", now()), large("1", now())])).toEqual(["accepted", "refused"]);
  });

  test("concurrent requests with the same ids record each event once, and all get verdicts", async () => {
    const events = Array.from({ length: 60 }, (_, index) =>
      usage(String(index), { meter: `m${index % 4}`, time: ago(60 + (index % 5) * 3600) }),
    );
    const orders = Array.from({ length: 8 }, (_, turn) =>
      turn % 2 === 0 ? events : [...events.slice(turn * 7), ...events.slice(0, turn * 7)].toReversed(),
    );
    const answers = (await Promise.all(orders.map((order) => record(order)))).flat();
    expect(answers.filter((status) => status === "accepted")).toHaveLength(60);
    expect(new Set(answers)).toEqual(new Set(["accepted", "duplicate"]));
    expect(await metersOf()).toMatchObject(Array(4).fill({ count: 15, quantity: 15n }));
    for (const { find } of usageInvariants) expect(await find(deps.db.sql)).toEqual([]);
  });

  test("if two concurrent requests send different events with the same id, one event is accepted and the other is a conflict", async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const answers = await Promise.all([1, 2].map((quantity) => record([usage(`x${turn}`, { quantity })])));
      expect(answers.flat().toSorted()).toEqual(["accepted", "conflict"]);
    }
  });

  test("ids are separate per source and merchant", async () => {
    const other = (await makeMerchant(deps)).id;
    expect(await record([usage("1"), usage("1", { source: "jobs" })])).toEqual(["accepted", "accepted"]);
    expect(await record([usage("1", { quantity: 9 })], other)).toEqual(["accepted"]);
    expect(await metersOf()).toEqual([{ meter: "searches", count: 2, quantity: 2n }]);
    expect(await metersOf(other)).toEqual([{ meter: "searches", count: 1, quantity: 9n }]);
    const [foreign] = (await list({}, other)).events;
    const refusal = await refusalOf(list({ startingAfter: foreign?.id ?? "" }));
    expect(refusal).toMatchObject({ code: "invalid_request", pointers: ["#starting_after"] });
  });

  test("ids that look alike are different", async () => {
    const ids = ["é", "e\u0301", "É", "ß", "ss", "\u202e1", "😀"];
    expect(await record(ids.map((id) => usage(id)))).toEqual(ids.map(() => "accepted"));
    const listed = (await list({ limit: 100 })).events.map(ownIdOf);
    expect(listed.toSorted()).toEqual(ids.toSorted());
  });
});

describe("recorded usage appears in GET /billing/usage and its events", () => {
  test("usage is summed by time and meter, and the listed events, including charges, add up to the sums", async () => {
    const setup = await makeChargeableMandate(deps);
    const of = setup.merchant.id;
    const { chargeId } = await setup.charge({ amount: 500 });
    deps.clock.advance(120);
    const events = [
      usage("1", { time: ago(200) }),
      usage("2", { meter: "gb_stored", quantity: 5, subject: "customer-42", time: ago(30) }),
      usage("3", { quantity: 7, time: ago(200) }),
    ];
    expect(await record(events, of)).toEqual(["accepted", "accepted", "accepted"]);
    const all = [];
    let page = await list({}, of);
    all.push(...page.events);
    while (page.hasMore) {
      page = await list({ startingAfter: all.at(-1)?.id ?? null }, of);
      all.push(...page.events);
    }
    const ids = all.map(({ id }) => id);
    const endingBefore = async (id: string | undefined) => {
      const { events: found, hasMore } = await list({ endingBefore: id ?? null }, of);
      return { ids: found.map((event) => event.id), hasMore };
    };
    expect(await endingBefore(ids[3])).toEqual({ ids: ids.slice(1, 3), hasMore: true });
    expect(await endingBefore(ids[1])).toEqual({ ids: ids.slice(0, 1), hasMore: false });
    expect(await endingBefore(ids[0])).toEqual({ ids: [], hasMore: false });
    expect(all.map(ownIdOf)).toEqual([...all.slice(0, 2).map(ownIdOf), null, "2"]);
    expect(new Set(all.slice(0, 2).map(ownIdOf))).toEqual(new Set(["1", "3"]));
    expect(all[2]).toMatchObject({ id: chargeId, meter: "successful_charges", kind: "charge" });
    const expected = { quantity: 5, subject: "customer-42", receivedMs: now().getTime() };
    expect(all[3]).toMatchObject({ meter: "gb_stored", kind: "own", of: expected });
    const sums = await metersOf(of);
    expect(sums).toEqual([
      { meter: "gb_stored", count: 1, quantity: 5n },
      { meter: "searches", count: 2, quantity: 8n },
    ]);
    expect(await metersOf(of, "searches")).toEqual(sums.slice(1));
    const of2 = async (meter: string) => (await list({ meter, limit: 100 }, of)).events.map(({ id }) => id);
    expect(await of2("gb_stored")).toEqual([all[3]?.id]);
    expect(await of2("successful_charges")).toEqual([chargeId]);
  });

  test("the sums of full and partial hours add up to the events, for any period", async () => {
    const hour = 3600;
    const events = Array.from({ length: 90 }, (_, index) => {
      // Some events are at the first or last instant of an hour.
      const begin = Math.floor(now().getTime() / 3_600_000 - 1 - (index % 7)) * 3_600_000;
      const offset = index % 3 === 0 ? 0 : index % 3 === 1 ? 3_599_999 : (index * 7919) % 3_600_000;
      const meter = index % 2 === 0 ? "searches" : "gb_stored";
      return usage(String(index), { meter, quantity: 1 + index, time: new Date(begin + offset) });
    });
    for (const batch of [events.slice(0, 50), events.slice(50)]) await record(batch);
    const starts = events.slice(0, 21).map(({ time }) => time);
    for (const [index, from] of [...starts, ago(12 * hour)].entries()) {
      const to = new Date(from.getTime() + 1 + ((index * 1_234_567) % (8 * 3_600_000)));
      const within = events.filter(({ time }) => time >= from && time < to);
      const { ownMeters } = await readUsage(deps, { merchantId, meter: null, from, to });
      const expected = ["gb_stored", "searches"].flatMap((meter) => {
        const own = within.filter((event) => event.meter === meter);
        const quantity = BigInt(own.reduce((sum, event) => sum + event.quantity, 0));
        return own.length === 0 ? [] : [{ meter, count: own.length, quantity }];
      });
      expect(ownMeters).toEqual(expected);
    }
    for (const { find } of usageInvariants) expect(await find(deps.db.sql)).toEqual([]);
  });

  test("a period is half-open for own meters too", async () => {
    const [first, second] = [ago(100), ago(50)];
    await record([usage("1", { time: first }), usage("2", { time: second })]);
    const countIn = async (from: Date, to: Date) =>
      (await readUsage(deps, { merchantId, meter: null, from, to })).ownMeters[0]?.count ?? 0;
    expect([await countIn(first, second), await countIn(second, now())]).toEqual([1, 1]);
  });
});
