import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countReads } from "#e2e/support/count-reads.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { type Sql, statement } from "../../data/client.ts";
import { searchChargePage } from "../../data/operators/charge-search.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { requestRefund } from "../charge/answers.fixture.ts";
import { makeChargeableMandate, scriptedProcessor } from "../charge/charge-setup.fixture.ts";
import { settleDispute } from "../disputes/settle-dispute.ts";
import { findPayments } from "./find-payments.ts";
import { getChargeForOperator } from "./get-charge-for-operator.ts";
import { searchCharges } from "./search-charges.ts";

const turnOff = statement("turn_off", "SELECT set_config($1, 'off', true)");

let deps: TestDeps;
let bank: ReturnType<typeof scriptedProcessor>;
type Setup = Awaited<ReturnType<typeof makeChargeableMandate>>;
let bakery: Setup;
let grocer: Setup;
/** three charges of the bakery, then one of the grocer */
let ids: string[];
let declined: string;

beforeAll(async () => {
  bank = scriptedProcessor();
  // In the middle of a month, because the long history must be in one partition.
  deps = await createTestDeps({ processors: bank.processors, now: new Date("2026-11-20T12:00:00Z") });
  [bakery, grocer] = [await makeChargeableMandate(deps), await makeChargeableMandate(deps)];
  await deps.db.prisma.merchant.update({
    where: { id: bakery.merchant.id },
    data: { displayName: "Corner Bakery 100%" },
  });
  ids = [];
  for (const [index, setup] of [bakery, bakery, bakery, grocer].entries()) {
    ids.push((await setup.charge({ amount: 100, reference: `order-${index}` })).chargeId);
    deps.clock.advance(60);
  }
  const { pay } = bank.state;
  bank.state.pay = async () => ({
    kind: "declined",
    processorRef: "pi_declined",
    declineCode: "lost_card",
    retryable: false,
    advice: "Ask for another.",
  });
  declined = (await grocer.charge({ amount: 100, reference: "order-0" })).chargeId;
  bank.state.pay = pay;
});
afterAll(() => deps.close());

type Query = Parameters<typeof searchCharges>[1];
const find = async (query: Partial<Query> = {}) =>
  (await searchCharges(deps, { limit: 50, ...query })).charges.map(({ id }) => id);

describe("the operators' search of charges (docs/spec/portal.md, Operator console)", () => {
  test("lists the charges of all merchants, newest first", async () =>
    expect(await find()).toEqual([...ids, declined].toReversed()));

  test("finds by charge, mandate, merchant, payer, reference, processor's id, and a part of a merchant's name", async () => {
    const [first = "", second = "", third = "", fourth = ""] = ids;
    expect(await find({ search: second })).toEqual([second]);
    expect(await find({ search: bakery.mandateId })).toEqual([third, second, first]);
    expect(await find({ search: bakery.merchant.id })).toEqual([third, second, first]);
    expect(await find({ search: grocer.payer.id })).toEqual([declined, fourth]);
    expect(await find({ search: "order-0" })).toEqual([declined, first]);
    expect(await find({ search: "pi_declined" })).toEqual([declined]);
    expect(await find({ search: "BAKERY 100%" })).toEqual([third, second, first]);
    for (const search of ["chg_nowhere", "mdt_nowhere", "acc_nowhere", "rfd_nowhere", "dsp_nowhere", "Order", "%"])
      expect([search, await find({ search })]).toEqual([search, search === "%" ? [third, second, first] : []]);
  });

  test("finds by the start of a reference", async () => {
    const [first = "", second = "", third = "", fourth = ""] = ids;
    expect(await find({ search: "order-" })).toEqual([declined, fourth, third, second, first]);
    expect(await find({ search: "ord", states: ["declined"] })).toEqual([declined]);
    const ofMerchant = async (query: Partial<Parameters<typeof findPayments>[1]>) => {
      const found = await findPayments(deps, { merchantId: grocer.merchant.id, limit: 50, ...query });
      return found.payments.map(({ id }) => id);
    };
    expect(await ofMerchant({ search: "order-" })).toEqual([declined, fourth]);
    expect(await ofMerchant({ search: "order-0" })).toEqual([declined]);
    expect(await ofMerchant({ search: "order-", states: ["succeeded"] })).toEqual([fourth]);
    expect(await ofMerchant({ search: "order-", startingAfter: declined })).toEqual([fourth]);
    expect(await ofMerchant({ search: "order-1" })).toEqual([]);
    expect(await ofMerchant({ search: "order%" })).toEqual([]);
  });

  test("a merchant's payments are filtered by mandate, with the other filters", async () => {
    const [first = "", second = "", third = ""] = ids;
    const ofMandate = async (query: Partial<Parameters<typeof findPayments>[1]>) => {
      const filter = { merchantId: bakery.merchant.id, mandateId: bakery.mandateId, limit: 50 };
      const { payments, hasMore } = await findPayments(deps, { ...filter, ...query });
      return [...payments.map(({ id }) => id), ...(hasMore ? ["more"] : [])];
    };
    const { createdAt } = (await getChargeForOperator(deps, { chargeId: second })).charge;
    expect(await ofMandate({})).toEqual([third, second, first]);
    expect(await ofMandate({ limit: 2 })).toEqual([third, second, "more"]);
    expect(await ofMandate({ startingAfter: second })).toEqual([first]);
    expect(await ofMandate({ since: createdAt })).toEqual([third, second]);
    expect(await ofMandate({ until: createdAt })).toEqual([first]);
    expect(await ofMandate({ search: "order-1" })).toEqual([second]);
    expect(await ofMandate({ search: "order-", states: ["succeeded"] })).toEqual([third, second, first]);
    expect(await ofMandate({ search: third })).toEqual([third]);
    expect(await ofMandate({ states: ["declined"] })).toEqual([]);
    expect(await ofMandate({ mandateId: grocer.mandateId })).toEqual([]);
    expect(await ofMandate({ merchantId: grocer.merchant.id })).toEqual([]);
    const ofGrocer = { merchantId: grocer.merchant.id, mandateId: grocer.mandateId };
    expect(await ofMandate({ ...ofGrocer, states: ["declined"] })).toEqual([declined]);
    expect(await ofMandate({ ...ofGrocer, search: "order-%" })).toEqual([]);
  });

  test("filters by state and time, with and without a search", async () => {
    const [first = "", second = "", , fourth = ""] = ids;
    const at = async (id: string) => (await getChargeForOperator(deps, { chargeId: id })).charge.createdAt;
    expect(await find({ states: ["declined"] })).toEqual([declined]);
    expect(await find({ states: ["declined", "succeeded"], search: grocer.merchant.id })).toEqual([declined, fourth]);
    expect(await find({ states: ["succeeded"], search: "order-0" })).toEqual([first]);
    expect(await find({ states: ["declined"], search: "bakery" })).toEqual([]);
    expect(await find({ states: ["succeeded"], search: grocer.mandateId })).toEqual([fourth]);
    expect(await find({ from: await at(first), to: addSeconds(await at(second), 1) })).toEqual([second, first]);
    expect(await find({ to: await at(second), search: bakery.payer.id })).toEqual([first]);
  });

  test("pages contain each charge once; an unknown cursor returns no page", async () => {
    for (const query of [
      {},
      { search: bakery.merchant.id },
      { search: "order-0" },
      { states: ["succeeded"] as const },
    ]) {
      const pages: string[] = [];
      for (let hasMore = true; hasMore; ) {
        const page = await searchCharges(deps, { ...query, limit: 2, startingAfter: pages.at(-1) });
        pages.push(...page.charges.map(({ id }) => id));
        ({ hasMore } = page);
      }
      expect(pages).toEqual(await find(query));
    }
    expect(await find({ startingAfter: "chg_nowhere" })).toEqual([]);
  });

  test("a charge is shown with its refunds, disputes and deliveries, and with one timeline of all their changes", async () => {
    const { chargeId } = await grocer.charge({ amount: 900 });
    const by = { merchantId: grocer.merchant.id, clientId: grocer.merchantClient.id, requestId: "r" };
    await requestRefund(deps, { ...by, chargeId, idempotencyKey: "refund", request: { amount: 300 } });
    const dispute = {
      kind: "dispute",
      disputeRef: "dp_1",
      chargeId,
      reference: `ref_${chargeId}`,
      currency: "EUR",
    } as const;
    const evidenceDueAt = new Date("2026-12-20T00:00:00Z");
    const report = { ...dispute, status: "open", amountMinor: 600n, reason: "fraudulent", evidenceDueAt } as const;
    await settleDispute(deps, report, { kind: "processor", requestId: "r" });
    const found = await getChargeForOperator(deps, { chargeId });
    expect(found.charge).toMatchObject({
      payerEmail: `${grocer.payer.id.toLowerCase()}@example.test`,
      agentName: "Grocer Bot",
      merchantAppName: "Fresh Market checkout",
    });
    expect(found.refunds).toMatchObject([{ amount: 300n, status: "succeeded" }]);
    expect(found.disputes).toMatchObject([{ amount: 600n, evidenceDueAt, status: "open" }]);
    expect(found.timeline.map(({ action }) => action).toSorted()).toEqual([
      "charge.succeeded",
      "dispute.opened",
      "refund.created",
      "refund.succeeded",
    ]);
    expect(found.isTimelineCut).toBe(false);
    for (const { id } of [...found.refunds, ...found.disputes]) expect(await find({ search: id })).toEqual([chargeId]);
  });

  test("the number of rows that a page reads doesn't grow with the history", async () => {
    await deps.db.prisma.$executeRawUnsafe(`INSERT INTO charge SELECT (r).* FROM (
      SELECT jsonb_populate_record(c, jsonb_build_object('id', 'chg_old_' || n, 'reference', 'old-' || n, 'created_at',
               (c).created_at - n * interval '1 minute', 'merchant_id', '${grocer.merchant.id}', 'mandate_id', 'mdt_old',
               'payer_id', 'acc_old', 'processor_ref', 'pi_' || n, 'state', 'succeeded')) AS r
        FROM (SELECT c FROM charge c WHERE id = '${ids[0]}') AS one, generate_series(1, 5002) n) AS old`);
    await deps.db.prisma.$executeRawUnsafe("ANALYZE charge");
    const page = { states: null, createdFrom: null, createdTo: null, after: null, limit: 10 };
    const sources = [
      { source: { kind: "all" } },
      { source: { kind: "all" }, states: ["declined"] },
      { source: { kind: "all" }, after: { at: addSeconds(deps.clock.now(), -3600), id: "chg_z" } },
      { source: { kind: "merchant", id: bakery.merchant.id } },
      { source: { kind: "merchant", id: grocer.merchant.id }, states: ["declined"] },
      { source: { kind: "payer", id: bakery.payer.id } },
      { source: { kind: "mandate", id: bakery.mandateId } },
      { source: { kind: "charge", id: ids[0] ?? "" } },
      { source: { kind: "text", text: "old-55", merchantIds: [bakery.merchant.id, grocer.merchant.id] } },
    ] as const;
    for (const source of sources) {
      const { done, reads } = await deps.db.sqlTransaction((sql) =>
        countReads(sql, (counted) => searchChargePage(counted, { ...page, ...source })),
      );
      expect([source, done.length > 0, reads < 120]).toEqual([source, true, true]);
    }
    const common = { ...page, source: { kind: "text", text: "old-", merchantIds: [] } } as const;
    const merchant = { merchantId: grocer.merchant.id };
    const references = [
      [1_100, (sql: Sql) => searchChargePage(sql, common)],
      [1_100, (sql: Sql) => searchChargePage(sql, { ...common, states: ["succeeded"] })],
      [2_100, (sql: Sql) => findPayments({ db: { ...deps.db, sql } }, { ...merchant, search: "old-", limit: 10 })],
      [50, (sql: Sql) => findPayments({ db: { ...deps.db, sql } }, { ...merchant, search: "old-55", limit: 10 })],
      [50, (sql: Sql) => findPayments({ db: { ...deps.db, sql } }, { ...merchant, mandateId: "mdt_old", limit: 10 })],
    ] as const;
    for (const [most, work] of references) {
      const { reads } = await deps.db.sqlTransaction(async (sql) => {
        // Without this setting, PostgreSQL would read and sort all rows, because this table is small.
        for (const plan of ["seqscan", "bitmapscan", "sort"]) await sql.query(turnOff, [`enable_${plan}`]);
        return countReads<unknown>(sql, work);
      });
      expect(reads).toBeLessThan(most);
    }
    // Of the 5,002 payments of this mandate, only the newest 5,000 are searched.
    const ofMandate = { ...merchant, mandateId: "mdt_old", limit: 10 };
    const found = async (more: object) => {
      const { payments, hasMore, cut } = await findPayments(deps, { ...ofMandate, ...more });
      return { ids: payments.map(({ id }) => id), hasMore, cut: cut.mandate };
    };
    expect(await found({ search: "old-5000" })).toEqual({ ids: ["chg_old_5000"], hasMore: false, cut: true });
    expect(await found({ search: "old-5002" })).toEqual({ ids: [], hasMore: false, cut: true });
    expect(await found({ startingAfter: "chg_old_2" })).toMatchObject({ hasMore: true, cut: false });
    // Another merchant doesn't learn how many payments the mandate has.
    expect(await found({ merchantId: bakery.merchant.id })).toEqual({ ids: [], hasMore: false, cut: false });
    const older = { search: "old-5002", startingAfter: "chg_old_2" };
    expect(await found(older)).toEqual({ ids: ["chg_old_5002"], hasMore: false, cut: false });
    expect((await searchCharges(deps, { search: "old-", limit: 1 })).cut).toEqual({
      merchants: false,
      references: true,
    });
    expect((await searchCharges(deps, { search: "old-55", limit: 1 })).cut.references).toBe(false);
  });
});
