import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { type Sql, statement } from "../data/client.ts";
import { captureCharge } from "./act-on-charge.ts";
import { createCharge } from "./create-charge.ts";
import { refundCharge } from "./refund-charge.ts";
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

/** Rows that each transaction has read, in the order of their ends. */
const countingReads = ({ db, ...others }: TestDeps) => {
  const reads: number[] = [];
  const counted = async <T>(sql: Sql, work: (sql: Sql) => Promise<T>): Promise<T> => {
    const done = await work(sql);
    const [row] = await sql.query(countReads, []);
    reads.push(row?.reads ?? Number.NaN);
    return done;
  };
  const counting: TestDeps["db"] = {
    ...db,
    inTurn: (key, work) => db.inTurn(key, (sql) => counted(sql, work)),
    inSharedTurn: (key, work) => db.inSharedTurn(key, (sql) => counted(sql, work)),
    sqlTransaction: (work) => db.sqlTransaction((sql) => counted(sql, work)),
  };
  return { deps: { ...others, db: counting }, take: () => reads.splice(0) };
};

test("no step of a payment reads more rows after three thousand others of its merchant and its mandate", async () => {
  const counting = countingReads(deps);
  const standing = await makeStanding(deps);
  const pay = async (name: string) => {
    const by = { merchantId: standing.merchant.id, clientId: standing.merchantClient.id, requestId: "r" };
    const request = { mandate_id: standing.mandateId, amount: 1_000, currency: "EUR" };
    const made = await createCharge(counting.deps, {
      ...{ ...by, idempotencyKey: name },
      request: { ...request, payer_presence: "in_session", capture_method: "manual" },
    });
    const { chargeId } = made;
    await captureCharge(counting.deps, { ...by, chargeId, idempotencyKey: `${name} capture`, request: {} });
    await refundCharge(counting.deps, { ...by, chargeId, idempotencyKey: `${name} refund`, request: {} });
    return counting.take();
  };
  const first = await pay("first");
  await addHistory(standing.merchant.id);
  const later = await pay("later");
  expect(later).toHaveLength(first.length);
  for (const count of later) expect(count).toBeLessThan(60);
});
