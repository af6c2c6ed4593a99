import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findViolations, invariants } from "../data/invariants.ts";
import { refundCharge } from "./refund-charge.ts";
import { makeStanding, scriptedProcessor } from "./standing.fixture.ts";

let deps: TestDeps;
let bank: ReturnType<typeof scriptedProcessor>;
let chargeId: string;
let mandateId: string;

beforeAll(async () => {
  bank = scriptedProcessor();
  deps = await createTestDeps({ processors: bank.processors });
  const standing = await makeStanding(deps, {
    max_total_amount: 9_000,
    max_payments: 9,
    periodic_limits: [{ period: "month", alignment: "calendar", max_amount: 9_000 }],
  });
  mandateId = standing.mandateId;
  ({ chargeId } = await standing.charge());
  const refunded = await standing.charge({ amount: 100 });
  await refundCharge(deps, {
    ...{ merchantId: standing.merchant.id, clientId: standing.merchantClient.id, requestId: "r" },
    ...{ chargeId: refunded.chargeId, idempotencyKey: "refund", request: { amount: 10 } },
  });
  const pay = bank.state.pay;
  bank.state.pay = async () => ({ kind: "unknown" });
  await standing.charge();
  const advice = { retryable: false, advice: "No." };
  bank.state.pay = async () => ({ kind: "declined", processorRef: "r", declineCode: "lost_card", ...advice });
  await standing.charge();
  bank.state.pay = async () => ({ kind: "not_sent" });
  await standing.charge().catch(() => {});
  bank.state.pay = pay;
});
afterAll(() => deps.close());

class Undone extends Error {}

/** The rules that `sql` breaks; it is undone afterwards. */
const rulesBrokenBy = async (sql: string): Promise<string[]> => {
  let rules: string[] = [];
  const attempt = deps.db.transaction(async (tx) => {
    for (const statement of sql.split("; ")) {
      await tx.$executeRawUnsafe(statement.replaceAll("$charge", chargeId).replaceAll("$mandate", mandateId));
    }
    rules = (await findViolations(tx.sql)).map(({ rule }) => rule);
    throw new Undone();
  });
  await expect(attempt).rejects.toThrow(Undone);
  return [...new Set(rules)];
};

describe("check:invariants (2-payments)", () => {
  test("finds nothing where charges were succeeded, in doubt, declined and never sent", async () => {
    expect(await findViolations(deps.db.sql)).toEqual([]);
  });

  const rows: [string, string][] = [
    [
      "a mandate's counters are the sums of its charges",
      "UPDATE mandate SET held_amount = held_amount + 1 WHERE id = '$mandate'",
    ],
    [
      "a mandate's counters are the sums of its charges",
      "UPDATE mandate SET used_count = used_count - 1 WHERE id = '$mandate'",
    ],
    [
      "a period's counters are the sums of the charges in it",
      "UPDATE mandate_period SET used_amount = 0 WHERE mandate_id = '$mandate'",
    ],
    ["every period that a charge names exists", "DELETE FROM mandate_period WHERE mandate_id = '$mandate'"],
    [
      "used and held stay within the lifetime caps, unless the payer lowered them later",
      "UPDATE mandate SET max_total_amount = 2099 WHERE id = '$mandate'",
    ],
    [
      "used and held stay within the lifetime caps, unless the payer lowered them later",
      "UPDATE mandate SET max_payments = 1 WHERE id = '$mandate'",
    ],
    [
      "used and held stay within each period's caps, unless the payer lowered them later",
      `UPDATE mandate SET periodic_limits = '[{"period":"month","alignment":"calendar","max_amount":2099}]' WHERE id = '$mandate'`,
    ],
    ["a charge's amounts are those of its state", "UPDATE charge SET amount_captured = 1 WHERE id = '$charge'"],
    ["what a charge gave back, and is giving back, are the sums of its refunds", "UPDATE refund SET status = 'failed'"],
    [
      "what a charge gave back, and is giving back, are the sums of its refunds",
      "UPDATE charge SET state = 'refunded' WHERE id = '$charge'",
    ],
    [
      "a settled refund told its outcome once",
      "UPDATE event SET type = 'refund.failed' WHERE type = 'refund.succeeded'",
    ],
    [
      "an open charge has a next look, a final one has its end",
      "UPDATE charge SET final_at = NULL WHERE id = '$charge'",
    ],
    [
      "an open charge has a next look, a final one has its end",
      "UPDATE charge SET next_lookup_at = NULL WHERE state = 'unknown'",
    ],
    [
      "no charge waits unsubmitted under a revoked mandate",
      "UPDATE charge SET state = 'reserved', submitted_at = NULL WHERE state = 'unknown'; UPDATE mandate SET state = 'revoked' WHERE id = '$mandate'",
    ],
    [
      "an Idempotency-Key stands for one charge of its merchant, and keeps an answer once that is final",
      "UPDATE idempotency_key SET charge_id = 'chg_none' WHERE charge_id = '$charge'",
    ],
    [
      "an Idempotency-Key stands for one charge of its merchant, and keeps an answer once that is final",
      "UPDATE idempotency_key SET response_status = NULL WHERE charge_id = '$charge'",
    ],
    [
      "a charge that was sent has its one Idempotency-Key for at least 24 h",
      "DELETE FROM idempotency_key WHERE charge_id = '$charge'",
    ],
    [
      "the events of an object are numbered without a gap",
      "INSERT INTO event SELECT id || 'x', type, object_id, sequence + 2, data, created_at FROM event WHERE object_id = '$charge'",
    ],
    ["a settled charge told its outcome once", "UPDATE event SET type = 'charge.declined' WHERE object_id = '$charge'"],
    [
      "a settled charge has one audit entry of its outcome",
      "INSERT INTO audit_entry (at, actor_kind, actor_id, action, subject_id, request_id, data) SELECT at, actor_kind, actor_id, action, subject_id, request_id, data FROM audit_entry WHERE subject_id = '$charge'",
    ],
  ];
  test.each(rows)("%s: found after %s", async (rule, sql) => {
    expect(await rulesBrokenBy(sql)).toContain(rule);
  });

  test("each rule has a row here", () => {
    expect(invariants.map(({ name }) => name).filter((name) => !rows.some(([rule]) => rule === name))).toEqual([]);
  });
});
