import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { type Sql, statement } from "../data/client.ts";
import { createCharge } from "./create-charge.ts";
import { makeStanding, scriptedProcessor } from "./standing.fixture.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
});
afterAll(() => deps.close());

const length = 3_000;

/** As of the merchant's payments before: keys that nothing was analysed of yet, as on the first day of a partition. */
const addHistory = async (merchantId: string) => {
  await deps.db.prisma.$executeRaw`INSERT INTO idempotency_key SELECT (r).* FROM (
    SELECT jsonb_populate_record(k, jsonb_build_object('key', 'old_' || n, 'charge_id', 'chg_old_' || n)) AS r
      FROM idempotency_key k, generate_series(1, ${length}) n WHERE k.merchant_id = ${merchantId}) AS old`;
  await deps.db.prisma.$executeRaw`INSERT INTO charge SELECT (r).* FROM (
    SELECT jsonb_populate_record(c, jsonb_build_object('id', 'chg_old_' || n)) AS r
      FROM charge c, generate_series(1, ${length}) n WHERE c.merchant_id = ${merchantId}) AS old`;
};

const countReads = statement<{ reads: number }>(
  "count_reads_of_this_transaction",
  "SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int AS reads FROM pg_stat_xact_user_tables",
);

test("a payment reads no more rows after three thousand others of its merchant and its mandate", async () => {
  const reads: number[] = [];
  const counting =
    (turn: TestDeps["db"]["inTurn"]): TestDeps["db"]["inTurn"] =>
    (key, work) =>
      turn(key, async (sql: Sql) => {
        const done = await work(sql);
        const [row] = await sql.query(countReads, []);
        reads.push(row?.reads ?? Number.NaN);
        return done;
      });
  const { db } = deps;
  const counted = { ...deps, db: { ...db, inTurn: counting(db.inTurn), inSharedTurn: counting(db.inSharedTurn) } };
  const standing = await makeStanding(deps);
  const charge = async (idempotencyKey: string) => {
    await createCharge(counted, {
      ...{ merchantId: standing.merchant.id, clientId: standing.merchantClient.id, requestId: "r", idempotencyKey },
      request: { mandate_id: standing.mandateId, amount: 1_000, currency: "EUR", payer_presence: "in_session" },
    });
    return reads.splice(0);
  };
  const first = await charge("first");
  await addHistory(standing.merchant.id);
  const later = await charge("later");
  expect(first).toHaveLength(2);
  expect(later).toHaveLength(2);
  for (const count of later) expect(count).toBeLessThan(50);
});
