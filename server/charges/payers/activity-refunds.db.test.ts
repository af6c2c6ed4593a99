import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { type Sql, type SqlValue, statement } from "../../data/client.ts";
import { ensurePartition } from "../../data/schema/partitions.ts";
import { requestRefund } from "../charge/answers.fixture.ts";
import { makeChargeableMandate, scriptedProcessor } from "../charge/charge-setup.fixture.ts";
import { listActivity } from "./list-activity.ts";

let deps: TestDeps;
let own: Awaited<ReturnType<typeof makeChargeableMandate>>;
let foreign: typeof own;
let ids: Record<"charge" | "given" | "failed" | "foreign" | "foreignCharge", string>;
const bank = scriptedProcessor();

const refund = async (of: typeof own, chargeId: string, amount: number): Promise<string> => {
  const by = { merchantId: of.merchant.id, clientId: of.merchantClient.id, requestId: "req_test" };
  const { body } = await requestRefund(deps, { ...by, chargeId, idempotencyKey: `${amount}`, request: { amount } });
  return JSON.parse(body).id;
};

beforeAll(async () => {
  deps = await createTestDeps({ processors: bank.processors, now: new Date("2026-11-20T12:00:00Z") });
  // The template's own partitions start in the month of the test run.
  for (const table of ["charge", "refund"] as const)
    await ensurePartition(deps.db, { table, from: new Date("2026-11-01T00:00:00Z"), step: "1 month" });
  [own, foreign] = [await makeChargeableMandate(deps), await makeChargeableMandate(deps)];
  const { chargeId } = await own.charge({ amount: 1_000, reference: "Order 77" });
  const others = await foreign.charge({ amount: 1_000 });
  const theirs = await refund(foreign, others.chargeId, 100);
  // The business clock doesn't move, so all rows have the same time.
  const given = await refund(own, chargeId, 250);
  const { refund: succeed } = bank.state;
  bank.state.refund = async () => ({ kind: "failed", refundRef: "ref_failed", code: "lost_or_stolen_card" });
  const failed = await refund(own, chargeId, 300);
  bank.state.refund = succeed;
  ids = { charge: chargeId, given, failed, foreign: theirs, foreignCharge: others.chargeId };
});
afterAll(() => deps.close());

const list = async (filters: Partial<Parameters<typeof listActivity>[1]> = {}) =>
  (await listActivity(deps, { payerId: own.payer.id, limit: 10, ...filters })).entries.map(({ id }) => id);

describe("refunds in the payer's activity", () => {
  it("are listed with the currency and reference of their charge, above a charge of the same time", async () => {
    const { entries } = await listActivity(deps, { payerId: own.payer.id, limit: 10 });
    const refunds = [ids.given, ids.failed].toSorted().toReversed();
    expect(entries.map(({ id }) => id)).toEqual([...refunds, ids.charge]);
    expect(entries.find(({ id }) => id === ids.given)).toEqual({
      kind: "refund",
      id: ids.given,
      chargeId: ids.charge,
      status: "succeeded",
      amountMinor: 250n,
      currency: "EUR",
      reference: "Order 77",
      createdAt: deps.clock.now(),
      merchant: { id: own.merchant.id, name: expect.any(String) },
      client: { id: own.agent.id, name: expect.any(String) },
      mandate: { id: own.mandateId, purpose: expect.any(String) },
    });
  });

  it("are listed once across pages, even if all entries have the same time", async () => {
    const seen: string[] = [];
    for (let startingAfter: string | undefined, hasMore = true; hasMore; startingAfter = seen.at(-1)) {
      const page = await listActivity(deps, { payerId: own.payer.id, limit: 1, startingAfter });
      seen.push(...page.entries.map(({ id }) => id));
      hasMore = page.hasMore;
    }
    expect(seen).toEqual(await list());
    expect(new Set(seen).size).toBe(3);
  });

  it("match the filters by kind, outcome, mandate, agent, merchant and time", async () => {
    const refunds = [ids.given, ids.failed].toSorted().toReversed();
    expect(await list({ kind: "refund" })).toEqual(refunds);
    expect(await list({ kind: "charge" })).toEqual([ids.charge]);
    expect(await list({ show: "refunded" })).toEqual([ids.given, ids.charge]);
    expect(await list({ show: "failed" })).toEqual([ids.failed]);
    expect(await list({ show: "under_way" })).toEqual([]);
    expect(await list({ show: "paid" })).toEqual([ids.charge]);
    expect(await list({ show: "paid", kind: "refund" })).toEqual([]);
    for (const owner of [{ mandateId: own.mandateId }, { clientId: own.agent.id }, { merchantId: own.merchant.id }]) {
      expect(await list({ kind: "refund", ...owner })).toEqual(refunds);
      expect(await list({ kind: "refund", show: "refunded", ...owner })).toEqual([ids.given]);
      expect(await list({ kind: "refund", show: "failed", ...owner })).toEqual([ids.failed]);
    }
    const now = deps.clock.now();
    expect(await list({ kind: "refund", createdFrom: now })).toEqual(refunds);
    expect(await list({ kind: "refund", createdTo: now })).toEqual([]);
  });

  it("never include refunds of another payer, even if a filter or the cursor belongs to that payer", async () => {
    expect(await list({ payerId: foreign.payer.id, kind: "refund" })).toEqual([ids.foreign]);
    for (const owner of [
      { mandateId: foreign.mandateId },
      { clientId: foreign.agent.id },
      { merchantId: foreign.merchant.id },
      { startingAfter: ids.foreign },
    ]) {
      expect(await list(owner)).toEqual([]);
      expect(await list({ ...owner, show: "refunded" })).toEqual([]);
    }
  });

  it("have the payer and agent of their charge, even if the service's previous version inserts the refunds during an upgrade", async () => {
    const rows = await deps.db.prisma.$queryRaw`
      INSERT INTO refund (id, charge_id, merchant_id, mandate_id, merchant_client_id, amount, status, created_at, updated_at, given_at)
      VALUES ('rfd_previous', ${ids.charge}, ${own.merchant.id}, ${own.mandateId}, 'cl_1', 1, 'succeeded', now(), now(), now())
      RETURNING payer_id, agent_client_id`;
    expect(rows).toEqual([{ payer_id: own.payer.id, agent_client_id: own.agent.id }]);
    await deps.db.prisma.$executeRaw`DELETE FROM refund WHERE id = 'rfd_previous'`;
  });
});

describe("with a long history", () => {
  beforeAll(async () => {
    // 3,000 charges and 3,000 refunds of this payer, half of them with another merchant, and the same numbers for other
    // payers.
    for (const table of ["charge", "refund"])
      await deps.db.prisma.$executeRawUnsafe(
        `INSERT INTO ${table} SELECT (jsonb_populate_record(t, jsonb_build_object(
           'id', t.id || '_' || n, 'created_at', t.created_at - n * interval '10 minutes',
           'mandate_id', CASE WHEN n % 2 = 0 THEN t.mandate_id ELSE 'mdt_other' END,
           'merchant_id', CASE WHEN n % 2 = 0 THEN t.merchant_id ELSE 'mch_other' END))).*
           FROM ${table} t, generate_series(1, 3000) n WHERE t.id IN ($1, $2)`,
        ...(table === "charge" ? [ids.charge, ids.foreignCharge] : [ids.given, ids.foreign]),
      );
    await deps.db.prisma.$executeRawUnsafe("ANALYZE charge, refund, mandate");
  });

  const filters: [name: string, filters: Partial<Parameters<typeof listActivity>[1]>, index: RegExp][] = [
    ["no filter", {}, /payer_id_created_at_id/],
    ["a merchant", { merchantId: "mch_other" }, /payer_id_(merchant_id_)?created_at_id/],
    ["a merchant without entries", { merchantId: "mch_none" }, /payer_id_merchant_id_created_at_id/],
    ["a mandate without entries", { mandateId: "mdt_none" }, /mandate_id_created_at/],
    ["failed entries", { show: "failed" }, /payer_id_stat(us|e)_created_at_id/],
    ["refunded entries", { show: "refunded" }, /payer_id_(stat(us|e)_)?created_at_id/],
  ];

  it.each(filters)("a page with %s reads both kinds by an index", async (name, given, index) => {
    const { sql } = deps.db;
    const page = { text: "", values: [] as readonly SqlValue[] };
    const spied: Sql = {
      query: (sent, values) => {
        if (sent.name.startsWith("entry:")) Object.assign(page, { text: sent.text, values });
        return sql.query(sent, values);
      },
    };
    await listActivity({ db: { ...deps.db, sql: spied } }, { payerId: own.payer.id, limit: 25, ...given });
    const explain = statement<{ "QUERY PLAN": string }>(`explain ${name}`, `EXPLAIN (ANALYZE) ${page.text}`);
    const lines = (await sql.query(explain, page.values)).map((row) => row["QUERY PLAN"]).join("\n");
    expect(lines).not.toMatch(/Seq Scan on (charge|refund)_(20261101|default)/);
    expect(lines).not.toMatch(/Rows Removed by Filter: \d{3,}/);
    expect(lines).toMatch(new RegExp(`using refund_20261101_${index.source}`));
  });
});
