import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countReads } from "#e2e/support/count-reads.ts";
import { makeAgentClient, makeGrant, makeMerchant, makePayer } from "#e2e/support/factories.ts";
import { countLockWaits } from "#e2e/support/statements.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { refusalOf } from "../charges/charge/charge-setup.fixture.ts";
import { statement } from "../data/client.ts";
import { searchMandatesOfOwners } from "../data/mandates/mandate-search.ts";
import { findPayerMandateIds } from "../data/mandates/payer-mandates.ts";
import { newId } from "../kernel/ids.ts";
import { addSeconds } from "../kernel/time/clock.ts";
import type { PaymentMandateDetails } from "./details/payment-mandate.wire.ts";
import {
  listMandatesOfMethods,
  listOthersOfClient,
  listPayerMandateNames,
  listPayerMandates,
  summarizePayerMandates,
} from "./find-mandates.ts";
import { activateMandates } from "./lifecycle/activate-mandates.ts";
import { revokeMandatesOfClient } from "./lifecycle/revoke-mandate.ts";
import { suspendMandate } from "./lifecycle/suspend-mandate.ts";
import { searchMandates } from "./search-mandates.ts";

const turnOff = statement("turn_off", "SELECT set_config($1, 'off', true)");

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

type Tenant = { payer: Awaited<ReturnType<typeof makePayer>>; clientId: string };

/** Makes mandates of one payer and client, one second apart; the newest is the last. */
const grant = async ({ payer, clientId }: Tenant, details: readonly Partial<PaymentMandateDetails>[]) => {
  const { id: grantId } = await makeGrant(deps, { clientId, payerId: payer.id });
  const ids: string[] = [];
  for (const each of details) {
    const mandateId = newId("mdt");
    deps.clock.advance(1);
    await deps.db.transaction((tx) =>
      activateMandates(deps, tx, {
        requestId: "r",
        grantId,
        clientId,
        payerId: payer.id,
        paymentMethodId: payer.paymentMethodId,
        mandateIds: [mandateId],
        budgetVisible: false,
        now: deps.clock.now(),
        details: [
          { type: "payment_mandate_v1", actions: ["charge"], currency: "EUR", max_total_amount: 10_000, ...each },
        ],
      }),
    );
    ids.push(mandateId);
  }
  return ids;
};

const makeTenant = async (): Promise<Tenant> => ({
  payer: await makePayer(deps),
  clientId: (await makeAgentClient(deps)).id,
});

const stateOf = async (id: string) => (await deps.db.prisma.mandate.findUniqueOrThrow({ where: { id } })).state;
const times = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(index));
const idsOf = ({ mandates }: { mandates: readonly { id: string }[] }) => mandates.map(({ id }) => id);

describe("the lists of a payer's mandates", () => {
  test("pages have each mandate once, newest first; an expired mandate counts as ended even before the worker records its expiry", async () => {
    const own = await makeTenant();
    const soon = addSeconds(deps.clock.now(), 60).toISOString();
    const ids = await grant(own, [...times(7, () => ({})), { valid_until: soon }]);
    const [first = "", second = ""] = ids;
    await suspendMandate(deps, { mandateId: first, actor: { kind: "payer", id: own.payer.id }, requestId: "r" });
    await deps.db.prisma.mandate.update({ where: { id: second }, data: { state: "revoked" } });
    deps.clock.advance(61);
    const pages = async (show: "live" | "ended") => {
      const found: string[][] = [];
      for (let hasMore = true; hasMore; ) {
        const startingAfter = found.at(-1)?.at(-1);
        const page = await listPayerMandates(deps, {
          payerId: own.payer.id,
          show,
          limit: 3,
          ...(startingAfter === undefined ? {} : { startingAfter }),
        });
        found.push(idsOf(page));
        hasMore = page.hasMore;
      }
      return found;
    };
    const live = ids.filter((id) => id !== second && id !== ids.at(-1)).toReversed();
    expect(await pages("live")).toEqual([live.slice(0, 3), live.slice(3, 6)]);
    expect(await pages("ended")).toEqual([[ids.at(-1), second]]);
  });

  test("another payer's mandate isn't accepted as a cursor or as the selected mandate", async () => {
    const [own, foreign] = [await makeTenant(), await makeTenant()];
    const ids = await grant(own, [{}, {}]);
    const [theirs = ""] = await grant(foreign, [{}]);
    const page = { payerId: own.payer.id, show: "live", limit: 5, startingAfter: theirs } as const;
    expect(await listPayerMandates(deps, page)).toEqual({ mandates: [], hasMore: false });
    const names = await listPayerMandateNames(deps, { payerId: own.payer.id, including: theirs });
    expect(names.map(({ id }) => id)).toEqual(ids.toReversed());
  });

  test("a search matches app, purpose, merchant and category, ignoring case", async () => {
    const own = await makeTenant();
    const merchant = await makeMerchant(deps);
    const [groceries, category] = await grant(own, [
      { purpose: "Wöchentlicher EINKAUF", payees: [{ id: merchant.id }] },
      { purpose: "Books_100%", payees: [{ category: "5942" }] },
    ]);
    const found = async (search: string) =>
      idsOf(await listPayerMandates(deps, { payerId: own.payer.id, show: "live", limit: 5, search }));
    expect(await found("einkauf")).toEqual([groceries]);
    expect(await found("FRESH market")).toEqual([groceries]);
    expect(await found("5942")).toEqual([category]);
    expect(await found("s_1")).toEqual([category]);
    expect(await found("_%")).toEqual([]);
    expect(await found("grocer bot")).toEqual([category, groceries]);
  });

  test("a page reads about as many rows as it returns, for any number of mandates", async () => {
    const own = await makeTenant();
    const [id = ""] = await grant(own, [{}]);
    const row = await deps.db.prisma.mandate.findUniqueOrThrow({ where: { id } });
    const copies = times(600, (index) => ({
      ...row,
      id: `${id}_${index}`,
      details: row.details ?? {},
      periodicLimits: row.periodicLimits ?? [],
      limitMails: {},
      createdAt: addSeconds(row.createdAt, -index),
    }));
    await deps.db.prisma.mandate.createMany({ data: copies });
    await deps.db.prisma.$executeRawUnsafe("ANALYZE mandate");
    const { done, reads } = await deps.db.sqlTransaction((sql) =>
      countReads(sql, (counted) =>
        findPayerMandateIds(counted, {
          payerId: own.payer.id,
          show: "live",
          search: null,
          limit: 10,
          at: deps.clock.now(),
          startingAfter: `${id}_300`,
        }),
      ),
    );
    expect(done).toEqual(times(11, (index) => `${id}_${301 + index}`));
    expect(reads).toBeLessThan(100);
  });
});

describe("the overview of a payer's mandates", () => {
  test("counts live mandates, and lists those that are new, near a limit or near their end", async () => {
    const own = await makeTenant();
    const month = { period: "month", alignment: "calendar" } as const;
    const soon = addSeconds(deps.clock.now(), 13 * 86_400).toISOString();
    const ids = await grant(own, [
      { max_total_amount: 1_000 },
      { max_payments: 10 },
      { periodic_limits: [{ ...month, max_amount: 500 }] },
      { periodic_limits: [{ ...month, max_payments: 5 }] },
      { valid_until: soon },
      {},
    ]);
    const [total = "", count = "", period = "", periodCount = "", ending = "", paused = ""] = ids;
    const update = (id: string, data: object) => deps.db.prisma.mandate.update({ where: { id }, data });
    await update(total, { usedAmount: 700n, heldAmount: 100n });
    await update(count, { usedCount: 8n });
    const [startsAt, endsAt] = [addSeconds(deps.clock.now(), -60), addSeconds(deps.clock.now(), 60)];
    const running = { limitKey: "month:calendar", startsAt, endsAt };
    await deps.db.prisma.mandatePeriod.createMany({
      data: [
        { mandateId: period, ...running, usedAmount: 400n },
        { mandateId: periodCount, ...running, usedCount: 3n, heldCount: 1n },
        // Not listed, because this period has ended.
        { mandateId: ending, limitKey: "month:calendar", startsAt: new Date(0), endsAt: startsAt, usedAmount: 10_000n },
      ],
    });
    await suspendMandate(deps, { mandateId: paused, actor: { kind: "payer", id: own.payer.id }, requestId: "r" });
    const all = await summarizePayerMandates(deps, { payerId: own.payer.id, limit: 10 });
    expect([all.active, all.suspended]).toEqual([5, 1]);
    expect(idsOf(all.newest)).toEqual([ending, periodCount, period, count, total, paused]);
    expect(idsOf(all.near)).toEqual([periodCount, period, count, total]);
    expect(idsOf(all.ending)).toEqual([ending]);
    expect(all.newest.mandates.map(({ liveOfClient }) => liveOfClient)).toEqual(times(6, () => 6));
    const beside = { payerId: own.payer.id, mandateId: period };
    const others = await listOthersOfClient(deps, { ...beside, limit: 10 });
    expect(others.map(({ id }) => id).toSorted()).toEqual([ending, periodCount, count, total, paused].toSorted());
    expect(await listOthersOfClient(deps, { ...beside, limit: 3 })).toHaveLength(3);
    expect(await listOthersOfClient(deps, { ...beside, payerId: "acc_other", limit: 3 })).toEqual([]);
    const few = await summarizePayerMandates(deps, { payerId: own.payer.id, limit: 2 });
    expect([idsOf(few.near), few.near.hasMore, few.ending.hasMore]).toEqual([[periodCount, period], true, false]);

    await update(total, { usedAmount: 699n });
    await update(count, { usedCount: 7n });
    const after = await summarizePayerMandates(deps, { payerId: own.payer.id, limit: 10 });
    expect(idsOf(after.near)).toEqual([periodCount, period]);
  });

  test("is empty for a payer without mandates", async () => {
    const none = { mandates: [], hasMore: false };
    expect(await summarizePayerMandates(deps, { payerId: (await makePayer(deps)).id, limit: 3 })).toEqual({
      active: 0,
      suspended: 0,
      newest: none,
      near: none,
      ending: none,
    });
  });

  test("each payment method is returned with the live mandates that use it", async () => {
    const own = await makeTenant();
    const [ended = ""] = await grant(own, [{}, {}, {}]);
    await deps.db.prisma.mandate.update({ where: { id: ended }, data: { state: "consumed" } });
    const { id: payerId, paymentMethodId } = own.payer;
    const uses = await listMandatesOfMethods(deps, { payerId, methodIds: [paymentMethodId, "pm_other"] });
    expect([...uses]).toEqual([[paymentMethodId, { count: 2, names: ["Grocer Bot", "Grocer Bot"] }]]);
  });
});

describe("stopping all mandates of an agent", () => {
  test("ends each live mandate once, with audit entry and event; mandates of other agents and payers don't change", async () => {
    const own = await makeTenant();
    const otherAgent = { ...own, clientId: (await makeAgentClient(deps)).id };
    const otherPayer = { ...own, payer: await makePayer(deps) };
    const [first = "", paused = "", ended = "", over = ""] = await grant(own, [
      {},
      {},
      {},
      { valid_until: addSeconds(deps.clock.now(), 60).toISOString() },
    ]);
    const spared = [...(await grant(otherAgent, [{}])), ...(await grant(otherPayer, [{}]))];
    const actor = { kind: "payer", id: own.payer.id } as const;
    await suspendMandate(deps, { mandateId: paused, actor, requestId: "r" });
    await deps.db.prisma.mandate.update({ where: { id: ended }, data: { state: "consumed" } });
    deps.clock.advance(61);
    const stop = (mandateId: string, payerId = own.payer.id) =>
      revokeMandatesOfClient(deps, { mandateId, payerId, requestId: "req_all" });

    expect(await refusalOf(stop(first, otherPayer.payer.id))).toMatchObject({ code: "mandate_not_found" });
    expect(await refusalOf(stop("mdt_none"))).toMatchObject({ code: "mandate_not_found" });
    // An ended mandate can be named too, because the page may be outdated.
    expect(await Promise.all([stop(ended), stop(first)])).toEqual(expect.arrayContaining([0, 2]));
    expect(await stop(ended)).toBe(0);
    expect(await Promise.all([first, paused, ended, over].map(stateOf))).toEqual([
      "revoked",
      "revoked",
      "consumed",
      "expired",
    ]);
    expect(await Promise.all(spared.map(stateOf))).toEqual(["active", "active"]);
    const audited = await deps.db.prisma.$queryRaw`
      SELECT subject_id AS id, actor_kind AS kind, actor_id AS by FROM audit_entry
       WHERE request_id = 'req_all' AND action = 'mandate.revoked' ORDER BY subject_id`;
    expect(audited).toEqual([first, paused].toSorted().map((id) => ({ id, kind: "payer", by: own.payer.id })));
    const events = await deps.db.prisma.event.findMany({ where: { type: "mandate.revoked" } });
    expect(events.map(({ objectId }) => objectId).toSorted()).toEqual([first, paused].toSorted());
  });

  test("locks the grants in the order of their ids, as all other transactions do", async () => {
    const own = await makeTenant();
    const [mandateId = ""] = (await Promise.all(Array.from({ length: 8 }, () => grant(own, [{}])))).flat();
    const where = { payerId: own.payer.id };
    const [first, ...others] = await deps.db.prisma.grant.findMany({ where, orderBy: { id: "asc" } });
    const { stopping } = await deps.db.transaction(async (tx) => {
      const lock = (id: string) => tx.$queryRaw`SELECT 1 FROM "grant" WHERE id = ${id} FOR NO KEY UPDATE NOWAIT`;
      await lock(first?.id ?? "");
      const stopping = revokeMandatesOfClient(deps, { mandateId, payerId: own.payer.id, requestId: "req_order" });
      await expect.poll(() => countLockWaits(deps)).toBe(1);
      for (const { id } of others) await lock(id);
      return { stopping };
    });
    expect(await stopping).toBe(8);
  });
});

describe("the operators' search of mandates (docs/spec/portal.md, Operator console)", () => {
  const find = async (search: string) =>
    (await searchMandates(deps, { search, limit: 50 })).mandates.map(({ id }) => id);
  /** Two merchants whose names no other test uses, and payers with mandates that name them. */
  const setUp = async () => {
    const shops = [await makeMerchant(deps), await makeMerchant(deps)].map(({ id }) => id);
    const prefix = newId("req").toLowerCase();
    await deps.db.prisma.merchant.updateMany({ where: { id: { in: shops } }, data: { displayName: `Shop ${prefix}` } });
    const [ann, bob] = [await makeTenant(), await makeTenant()];
    const rename = ({ payer: { id } }: Tenant, name: string) =>
      deps.db.prisma.account.update({ where: { id }, data: { email: `${prefix}-${name}@example.test` } });
    await rename(ann, "ann");
    await rename(bob, "bob");
    const named = (...ids: string[]) => ({ payees: ids.map((id) => ({ id })) });
    const annsIds = await grant(ann, [{}, named(shops[0] ?? "")]);
    const bobsIds = await grant(bob, [named(...shops), named(shops[1] ?? ""), {}]);
    return { shops, prefix, ann, bob, annsIds, bobsIds };
  };

  test("lists the mandates of all payers, newest first, if nothing is searched", async () => {
    const { annsIds, bobsIds } = await setUp();
    const expected = [...annsIds, ...bobsIds].toReversed();
    const first = await searchMandates(deps, { limit: 3 });
    expect(first).toMatchObject({ hasMore: true, isCut: false });
    const rest = await searchMandates(deps, { limit: 2, startingAfter: first.mandates.at(-1)?.id });
    expect([...first.mandates, ...rest.mandates].map(({ id }) => id)).toEqual(expected);
    expect(await searchMandates(deps, { limit: 2, startingAfter: "mdt_unknown" })).toMatchObject({ mandates: [] });
  });

  test("finds mandates by the id of a mandate, client, payer or payee, by the start of an address or by part of a payee's name", async () => {
    const { shops, prefix, ann, bob, annsIds, bobsIds } = await setUp();
    const [first = "", second = ""] = annsIds;
    const [third = "", fourth = "", fifth = ""] = bobsIds;
    expect(await find(first)).toEqual([first]);
    expect(await find(bob.clientId)).toEqual([fifth, fourth, third]);
    expect(await find(ann.payer.id)).toEqual([second, first]);
    expect(await find(shops[0] ?? "")).toEqual([third, second]);
    expect(await find(`${prefix.toUpperCase()}-A`)).toEqual([second, first]);
    expect(await find(`op ${prefix}`)).toEqual([fourth, third, second]);
    // The text matches both payers' addresses and both payees' names, but each mandate is listed once.
    expect(await find(prefix)).toEqual([fifth, fourth, third, second, first]);
    for (const search of ["mdt_nowhere", "acc_nowhere", "cl_test_nowhere", "mch_nowhere", `${prefix}%`, "-ann@"])
      expect([search, await find(search)]).toEqual([search, []]);
  });

  test("pages contain each mandate once, and a page reads about as many rows as it returns", async () => {
    const { shops, prefix, ann, annsIds } = await setUp();
    const [, id = ""] = annsIds;
    const { details, periodicLimits, ...row } = await deps.db.prisma.mandate.findUniqueOrThrow({ where: { id } });
    const copies = times(600, (index) => ({
      ...row,
      id: `${id}_${index}`,
      details: details ?? {},
      periodicLimits: periodicLimits ?? [],
      limitMails: {},
      createdAt: addSeconds(row.createdAt, -1 - index),
    }));
    await deps.db.prisma.mandate.createMany({ data: copies });
    for (const table of ["mandate", "merchant_mandate"]) await deps.db.prisma.$executeRawUnsafe(`ANALYZE ${table}`);
    for (const search of [`op ${prefix}`, prefix, ann.clientId]) {
      const pages: string[] = [];
      for (let hasMore = true; hasMore; ) {
        const page = await searchMandates(deps, { search, limit: 200, startingAfter: pages.at(-1) });
        pages.push(...page.mandates.map((mandate) => mandate.id));
        ({ hasMore } = page);
      }
      expect(new Set(pages).size).toBe(pages.length);
      expect(pages.length).toBeGreaterThan(600);
    }
    const none = { payerIds: [], clientIds: [], merchantIds: [] };
    for (const owner of [{ merchantIds: shops }, { payerIds: [ann.payer.id] }, { clientIds: [ann.clientId] }]) {
      const page = { startingAfter: `${id}_300`, limit: 10 };
      const { done, reads } = await deps.db.sqlTransaction(async (sql) => {
        // Only tables as small as these are read completely for a join.
        for (const plan of ["seqscan", "hashjoin", "mergejoin"]) await sql.query(turnOff, [`enable_${plan}`]);
        return countReads(sql, (counted) => searchMandatesOfOwners(counted, { ...none, ...owner }, page));
      });
      expect(done.map((mandate) => mandate.id)).toEqual(times(11, (index) => `${id}_${301 + index}`));
      expect(reads).toBeLessThan(200);
    }
  });
});

test("a limit has a reset time only if it is before the mandate's end (docs/spec/portal.md, Pages)", async () => {
  const [payer, client] = await Promise.all([makePayer(deps), makeAgentClient(deps)]);
  const daily = [{ period: "day" as const, alignment: "calendar" as const, max_amount: 5_000, max_payments: 3 }];
  const start = addSeconds(deps.clock.now(), 2 * 86_400);
  start.setUTCHours(0, 0, 0, 0);
  const midnight = addSeconds(start, 86_400);
  const until = (seconds: number) => ({
    periodic_limits: daily,
    valid_from: start.toISOString(),
    valid_until: addSeconds(midnight, seconds).toISOString(),
  });
  await grant({ payer, clientId: client.id }, [until(-1), until(0), until(1)]);
  const { mandates } = await listPayerMandates(deps, { payerId: payer.id, show: "live", limit: 5 });
  const resets = mandates.map(({ limits }) => limits.map(({ resetsAt }) => resetsAt));
  expect(resets).toEqual([
    [midnight, midnight, null],
    [null, null, null],
    [null, null, null],
  ]);
});
