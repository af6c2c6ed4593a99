import { afterAll, beforeAll, expect, test } from "vitest";
import { countReads } from "#e2e/support/count-reads.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import type { Sql } from "../../data/client.ts";
import { revokeMandate } from "../../mandates/lifecycle/revoke-mandate.ts";
import { requestCapture, requestCharge, requestRefund } from "./answers.fixture.ts";
import { makeChargeableMandate, scriptedProcessor } from "./charge-setup.fixture.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
});
afterAll(() => deps.close());

const length = 3_000;

/** For each table: the columns whose values differ between the copies of a row. */
const others = {
  idempotency_key: "'key', 'old_' || n, 'charge_id', 'chg_old_' || n",
  charge: "'id', 'chg_old_' || n",
  refund: "'id', 'rfd_old_' || n, 'charge_id', 'chg_old_' || n",
  event: "'id', 'evt_old_' || n, 'object_id', 'chg_old_' || n",
  audit_entry: "'seq', 1000000 + n, 'subject_id', 'chg_old_' || n",
};

/** Adds rows of a merchant's earlier payments. The rows aren't analysed yet, as on the first day of a partition. */
const addHistory = async () => {
  for (const [table, values] of Object.entries(others)) {
    await deps.db.prisma.$executeRawUnsafe(`INSERT INTO ${table} SELECT (r).* FROM (
      SELECT jsonb_populate_record(a, jsonb_build_object(${values})) AS r
        FROM (SELECT a FROM ${table} a LIMIT 1) AS one, generate_series(1, ${length}) n) AS old`);
  }
};

/**
 * Counts the rows that each transaction reads. A statement outside a transaction counts as one transaction. The counts
 * are in the order in which the transactions end.
 */
const countingReads = ({ db, ...rest }: TestDeps) => {
  const reads: number[] = [];
  const counted = async <T>(sql: Sql, work: (sql: Sql) => Promise<T>): Promise<T> => {
    const { done, reads: count } = await countReads(sql, work);
    reads.push(count);
    return done;
  };
  const counting: TestDeps["db"] = {
    ...db,
    sql: { query: (one, values) => db.sqlTransaction((sql) => counted(sql, () => sql.query(one, values))) },
    inTurn: (key, work) => db.inTurn(key, (sql) => counted(sql, work)),
    inSharedTurn: (key, work) => db.inSharedTurn(key, (sql) => counted(sql, work)),
    sqlTransaction: (work) => db.sqlTransaction((sql) => counted(sql, work)),
  };
  return { deps: { ...rest, db: counting }, take: () => reads.splice(0) };
};

test("no step of a payment or revocation reads more rows after three thousand other payments of its merchant and mandate", async () => {
  const counting = countingReads(deps);
  const setup = await makeChargeableMandate(deps);
  const pay = async (name: string) => {
    const by = { merchantId: setup.merchant.id, clientId: setup.merchantClient.id, requestId: "r" };
    const request = { mandate_id: setup.mandateId, amount: 1_000, currency: "EUR" };
    const made = await requestCharge(counting.deps, {
      ...by,
      idempotencyKey: name,
      request: { ...request, payer_presence: "in_session", capture_method: "manual" },
    });
    const { chargeId } = made;
    await requestCapture(counting.deps, { ...by, chargeId, idempotencyKey: `${name} capture`, request: {} });
    await requestRefund(counting.deps, { ...by, chargeId, idempotencyKey: `${name} refund`, request: {} });
    return counting.take();
  };
  const first = await pay("first");
  await addHistory();
  const later = await pay("later");
  expect(first.length).toBeGreaterThan(10);
  expect(later).toHaveLength(first.length);
  const payer = { kind: "payer", id: setup.payer.id } as const;
  await revokeMandate(counting.deps, { mandateId: setup.mandateId, actor: payer, requestId: "r" });
  const revoked = counting.take();
  expect(revoked).not.toEqual([]);
  for (const count of [...later, ...revoked]) expect(count).toBeLessThan(60);
});
