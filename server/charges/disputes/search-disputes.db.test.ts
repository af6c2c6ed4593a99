import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countReads } from "#e2e/support/count-reads.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findDisputeReasons, searchDisputePage } from "../../data/operators/dispute-search.ts";
import { makeChargeableMandate, scriptedProcessor } from "../charge/charge-setup.fixture.ts";
import { searchDisputes } from "./search-disputes.ts";
import { searchMerchantDisputes } from "./search-merchant-disputes.ts";
import { settleDispute } from "./settle-dispute.ts";

let deps: TestDeps;
type Setup = Awaited<ReturnType<typeof makeChargeableMandate>>;
let bakery: Setup;
/** oldest first */
let ids: string[];
let charges: string[];

beforeAll(async () => {
  // In the middle of a month, because the long history must be in one partition.
  deps = await createTestDeps({ processors: scriptedProcessor().processors, now: new Date("2026-11-20T12:00:00Z") });
  bakery = await makeChargeableMandate(deps);
  const grocer = await makeChargeableMandate(deps);
  charges = [];
  for (const [index, setup] of [bakery, bakery, grocer, grocer].entries()) {
    const { chargeId } = await setup.charge({ reference: `order-${index}` });
    charges.push(chargeId);
    const report = {
      kind: "dispute",
      disputeRef: `dp_${index}`,
      chargeId,
      reference: `ref_${chargeId}`,
      currency: "EUR",
      amountMinor: 500n,
      status: index === 1 ? "won" : "open",
      reason: index === 3 ? "duplicate" : "fraudulent",
      evidenceDueAt: new Date("2026-12-20T00:00:00Z"),
    } as const;
    await settleDispute(deps, report, { kind: "processor", requestId: "r" });
    deps.clock.advance(60);
  }
  const rows = await deps.db.prisma.$queryRawUnsafe<{ id: string }[]>("SELECT id FROM dispute ORDER BY created_at");
  ids = rows.map(({ id }) => id);
});
afterAll(() => deps.close());

type Query = Parameters<typeof searchDisputes>[1];
const find = async (query: Partial<Query> = {}) =>
  (await searchDisputes(deps, { limit: 50, ...query })).disputes.map(({ id }) => ids.indexOf(id));

describe("the operators' list of disputes (docs/spec/portal.md, Operator console)", () => {
  test("lists the disputes of all merchants, newest first, by state, reason, id and time", async () => {
    expect(await find()).toEqual([3, 2, 1, 0]);
    expect(await find({ status: "open" })).toEqual([3, 2, 0]);
    expect(await find({ reason: "fraudulent" })).toEqual([2, 1, 0]);
    expect(await find({ reason: "fraudulent", status: "won" })).toEqual([1]);
    expect(await find({ search: ids[2] })).toEqual([2]);
    expect(await find({ search: charges[1] })).toEqual([1]);
    expect(await find({ search: bakery.merchant.id, status: "open" })).toEqual([0]);
    expect(await find({ search: "dp_3" })).toEqual([3]);
    expect(await find({ search: "dsp_nowhere" })).toEqual([]);
    const { disputes, reasons } = await searchDisputes(deps, { limit: 50 });
    expect(reasons).toEqual(["duplicate", "fraudulent"]);
    expect(disputes[0]).toMatchObject({
      merchantName: "Fresh Market",
      evidenceDueAt: new Date("2026-12-20T00:00:00Z"),
    });
    expect(await find({ from: disputes[1]?.createdAt, to: disputes[0]?.createdAt })).toEqual([2]);
  });

  test("a search with an empty reason and a search without a reason use different statements, even on one connection", async () => {
    const all = { source: { kind: "all" }, status: null, createdFrom: null, createdTo: null, after: null } as const;
    const sizes = await deps.db.sqlTransaction(async (sql) => [
      (await searchDisputePage(sql, { ...all, reason: "", limit: 9 })).length,
      (await searchDisputePage(sql, { ...all, reason: null, limit: 9 })).length,
    ]);
    expect(sizes).toEqual([0, 4]);
  });

  test("finds disputes by the start of a reference, for operators and for a merchant", async () => {
    expect(await find({ search: "order-" })).toEqual([3, 2, 1, 0]);
    expect(await find({ search: "order-", status: "won" })).toEqual([1]);
    expect(await find({ search: "rder-" })).toEqual([]);
    const page = { merchantId: bakery.merchant.id, status: null, startingAfter: null, limit: 50 };
    const ofMerchant = async (query: Partial<Parameters<typeof searchMerchantDisputes>[1]>) =>
      (await searchMerchantDisputes(deps, { ...page, search: null, ...query })).disputes.map(({ id }) =>
        ids.indexOf(id),
      );
    expect(await ofMerchant({})).toEqual([1, 0]);
    expect(await ofMerchant({ search: "order" })).toEqual([1, 0]);
    expect(await ofMerchant({ search: "order", limit: 1, startingAfter: ids[1] ?? "" })).toEqual([0]);
    expect(await ofMerchant({ search: "order", status: "open" })).toEqual([0]);
    expect(await ofMerchant({ search: charges[1] ?? "" })).toEqual([1]);
    expect(await ofMerchant({ search: ids[0] ?? "" })).toEqual([0]);
    for (const search of [ids[0], charges[1]])
      expect(await ofMerchant({ search: search ?? "", status: "lost" })).toEqual([]);
    for (const search of [ids[2], charges[2], "order-2"])
      expect(await ofMerchant({ search: search ?? "" })).toEqual([]);
  });

  test("pages contain each dispute once; an unknown cursor returns no page", async () => {
    const pages: number[] = [];
    for (let hasMore = true; hasMore; ) {
      const last = pages.at(-1);
      const page = await searchDisputes(deps, { limit: 3, startingAfter: last === undefined ? undefined : ids[last] });
      pages.push(...page.disputes.map(({ id }) => ids.indexOf(id)));
      ({ hasMore } = page);
    }
    expect(pages).toEqual([3, 2, 1, 0]);
    expect(await find({ startingAfter: "dsp_nowhere" })).toEqual([]);
  });

  test("the number of rows that a page reads doesn't grow with the history", async () => {
    await deps.db.prisma.$executeRawUnsafe(`INSERT INTO dispute SELECT (r).* FROM (
      SELECT jsonb_populate_record(d, jsonb_build_object('id', 'dsp_old_' || n, 'dispute_ref', 'old-' || n,
               'charge_id', 'chg_old_' || n, 'created_at',
               (d).created_at - n * interval '1 minute')) AS r
        FROM (SELECT d FROM dispute d WHERE id = '${ids[0]}') AS one, generate_series(1, 3000) n) AS old`);
    await deps.db.prisma.$executeRawUnsafe("ANALYZE dispute");
    const page = { status: null, reason: null, createdFrom: null, createdTo: null, after: null, limit: 10 };
    const all = { source: { kind: "all" } } as const;
    const reads = (work: Parameters<typeof countReads>[1]) =>
      deps.db.sqlTransaction(async (sql) => (await countReads(sql, work)).reads);
    expect(await reads((sql) => searchDisputePage(sql, { ...page, ...all }))).toBeLessThan(80);
    expect(await reads((sql) => searchDisputePage(sql, { ...page, ...all, status: "won" }))).toBeLessThan(80);
    expect(await reads((sql) => searchDisputePage(sql, { ...page, ...all, reason: "duplicate" }))).toBeLessThan(80);
    expect(
      await reads((sql) =>
        searchDisputePage(sql, { ...page, source: { kind: "text", text: "old-7", chargeIds: charges.slice(1) } }),
      ),
    ).toBeLessThan(80);
    expect(await reads(findDisputeReasons)).toBeLessThan(80);
  });
});
