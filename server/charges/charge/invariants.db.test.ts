import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWebhookReceiver, type WebhookReceiver } from "#e2e/support/peers/webhook-receiver.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findViolations, invariants } from "../../data/invariants/invariants.ts";
import { dispatchEvents } from "../../jobs/messages/dispatch-events.ts";
import { createWebhookSender } from "../../webhooks/deliveries/send-deliveries.ts";
import { addEndpoint } from "../../webhooks/endpoints/create-endpoint.ts";
import { settleDispute } from "../disputes/settle-dispute.ts";
import { requestCapture, requestRefund } from "./answers.fixture.ts";
import { billingRows, makeInvoices } from "./broken-billing.fixture.ts";
import { makeChargeableMandate, scriptedProcessor } from "./charge-setup.fixture.ts";

let deps: TestDeps;
let receiver: WebhookReceiver;
let bank: ReturnType<typeof scriptedProcessor>;
let chargeId: string;
let mandateId: string;

beforeAll(async () => {
  bank = scriptedProcessor();
  receiver = await startWebhookReceiver();
  deps = await createTestDeps({ processors: bank.processors, config: { webhookLoopback: true } });
  const setup = await makeChargeableMandate(deps, {
    max_total_amount: 9_000,
    max_payments: 9,
    periodic_limits: [{ period: "month", alignment: "calendar", max_amount: 9_000 }],
  });
  mandateId = setup.mandateId;
  const owner = { kind: "client", id: setup.agent.id } as const;
  const by = { actor: { kind: "system", id: "test" }, requestId: "r" } as const;
  await deps.db.sqlTransaction((sql) => addEndpoint(deps, sql, { owner, url: receiver.url, ...by }));
  deps.clock.advance(60);
  ({ chargeId } = await setup.charge());
  const asMerchant = { merchantId: setup.merchant.id, clientId: setup.merchantClient.id, requestId: "r" };
  const captured = await setup.charge({ amount: 50, capture_method: "manual" });
  await requestCapture(deps, { ...asMerchant, chargeId: captured.chargeId, idempotencyKey: "capture", request: {} });
  const refunded = await setup.charge({ amount: 100 });
  await requestRefund(deps, {
    ...asMerchant,
    chargeId: refunded.chargeId,
    idempotencyKey: "refund",
    request: { amount: 10 },
  });
  const disputed = await setup.charge({ amount: 50 });
  const dispute = { kind: "dispute", disputeRef: "dp_1", chargeId: disputed.chargeId, status: "open" } as const;
  const money = { reference: "ref_1", amountMinor: 50n, currency: "EUR", reason: "fraudulent" };
  await settleDispute(deps, { ...dispute, ...money }, { kind: "processor", requestId: "r" });
  await makeInvoices(deps);
  const pay = bank.state.pay;
  bank.state.pay = async () => ({ kind: "unknown" });
  await setup.charge();
  const advice = { retryable: false, advice: "No." };
  bank.state.pay = async () => ({ kind: "declined", processorRef: "r", declineCode: "lost_card", ...advice });
  await setup.charge();
  bank.state.pay = async () => ({ kind: "not_sent" });
  await setup.charge().catch(() => {});
  bank.state.pay = pay;
  await dispatchEvents(deps);
  const sender = createWebhookSender();
  while ((await sender.begin(deps)) > 0) await sender.allEnded();
});
afterAll(async () => {
  receiver.close();
  await deps.close();
});

/** A job's row as a worker writes it. The job's last run succeeded a day after these events. */
const ranTomorrow = (job: string) =>
  `INSERT INTO job_pulse (name, ran_at, ok_at) VALUES ('${job}', now(), now() + interval '1 day')`;

class Undone extends Error {}

/** The rules that `sql` breaks. The changes of `sql` are rolled back afterwards. */
const rulesBrokenBy = async (sql: string): Promise<string[]> => {
  let rules: string[] = [];
  const attempt = deps.db.transaction(async (tx) => {
    // Turns off the triggers, which refuse most of these changes.
    await tx.$executeRawUnsafe("SET LOCAL session_replication_role = replica");
    for (const statement of sql.split("; ")) {
      await tx.$executeRawUnsafe(statement.replaceAll("$charge", chargeId).replaceAll("$mandate", mandateId));
    }
    rules = (await findViolations(tx.sql)).map(({ rule }) => rule);
    throw new Undone();
  });
  await expect(attempt).rejects.toThrow(Undone);
  return [...new Set(rules)];
};

const summedDay =
  "INSERT INTO meter_reconciliation_day SELECT day, 0, 0, day + interval '26 hours' FROM date_trunc('day', now() - interval '3 days', 'UTC') AS day";

describe("check:invariants (docs/spec/payments.md, Charges)", () => {
  test("no violation is found with succeeded, unknown, declined and unsent charges", async () => {
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
    ["every period in a charge's list of periods exists", "DELETE FROM mandate_period WHERE mandate_id = '$mandate'"],
    [
      "used and held stay within the lifetime limits, unless the payer lowered them later or a refund failed late",
      "UPDATE mandate SET max_total_amount = 2099 WHERE id = '$mandate'",
    ],
    [
      "used and held stay within the lifetime limits, unless the payer lowered them later or a refund failed late",
      "UPDATE mandate SET max_payments = 1 WHERE id = '$mandate'",
    ],
    [
      "used and held stay within each period's limits, unless the payer lowered them later or a refund failed late",
      `UPDATE mandate SET periodic_limits = '[{"period":"month","alignment":"calendar","max_amount":2099}]' WHERE id = '$mandate'`,
    ],
    ...["lifetime", "period's"].map((kind): [string, string] => [
      `used plus held never exceeded a ${kind} limit, unless the payer lowered it later`,
      "UPDATE charge SET amount = 8000, final_at = created_at + interval '10 minutes' WHERE state = 'declined'",
    ]),
    ["the amounts of a charge match its state", "UPDATE charge SET amount_captured = 1 WHERE id = '$charge'"],
    [
      "the refunded amount and the pending refund amount of a charge are the sums of its refunds",
      "UPDATE refund SET status = 'failed'",
    ],
    [
      "the refunded amount and the pending refund amount of a charge are the sums of its refunds",
      "UPDATE charge SET state = 'refunded' WHERE id = '$charge'",
    ],
    [
      "a charge is disputed while it has an open or lost dispute, unless it was fully refunded before",
      "UPDATE charge SET state = 'succeeded' WHERE state = 'disputed'",
    ],
    [
      "a dispute has one event for its opening, and one for its closing when it is closed",
      "UPDATE event SET type = 'dispute.closed' WHERE type = 'dispute.opened'",
    ],
    [
      "a settled refund has one event for its outcome",
      "UPDATE event SET type = 'refund.failed' WHERE type = 'refund.succeeded'",
    ],
    [
      "an open charge has a next look-up or an expiry or is under review, and a final charge has its final time",
      "UPDATE charge SET final_at = NULL WHERE id = '$charge'",
    ],
    [
      "an open charge has a next look-up or an expiry or is under review, and a final charge has its final time",
      "UPDATE charge SET next_lookup_at = NULL WHERE state = 'unknown'",
    ],
    [
      "no charge of a revoked mandate is waiting to be sent",
      "UPDATE charge SET state = 'reserved', submitted_at = NULL WHERE state = 'unknown'; UPDATE mandate SET state = 'revoked' WHERE id = '$mandate'",
    ],
    [
      "a charge that needs the payer's approval is sent only after the approval, and the audit log has exactly one entry for the approval",
      `UPDATE charge SET next_action = '{"type":"payer_approval"}' WHERE id = '$charge'`,
    ],
    [
      "a charge that needs the payer's approval is sent only after the approval, and the audit log has exactly one entry for the approval",
      "UPDATE charge SET approved_at = submitted_at WHERE id = '$charge'",
    ],
    [
      "an Idempotency-Key identifies one charge of its merchant, and its response is stored once the outcome is final",
      "UPDATE idempotency_key SET charge_id = 'chg_none' WHERE charge_id = '$charge'",
    ],
    [
      "an Idempotency-Key identifies one charge of its merchant, and its response is stored once the outcome is final",
      "UPDATE idempotency_key SET response_status = NULL WHERE charge_id = '$charge'",
    ],
    [
      "a sent charge has exactly one Idempotency-Key for at least 24 h",
      "DELETE FROM idempotency_key WHERE charge_id = '$charge'",
    ],
    [
      "the events of an object are numbered without gaps",
      "INSERT INTO event SELECT id || 'x', type, object_id, sequence + 2, data, created_at FROM event WHERE object_id = '$charge'",
    ],
    [
      "a settled charge has one event for its outcome",
      "UPDATE event SET type = 'charge.declined' WHERE object_id = '$charge'",
    ],
    [
      "a settled charge has one audit entry for its outcome",
      "INSERT INTO audit_entry (at, actor_kind, actor_id, action, subject_id, request_id, data) SELECT at, actor_kind, actor_id, action, subject_id, request_id, data FROM audit_entry WHERE subject_id = '$charge'",
    ],
    [
      "while the reconciler runs, no reservation is older than its limit, and no scheduled step is late",
      `UPDATE charge SET state = 'reserved', next_lookup_at = now() + interval '2 days' WHERE state = 'unknown'; ${ranTomorrow("reconcile-charges")}`,
    ],
    [
      "while the reconciler runs, no reservation is older than its limit, and no scheduled step is late",
      ranTomorrow("reconcile-charges"),
    ],
    [
      "only charges and refunds in progress are leased, and each charge with a pending act has a next look-up",
      "UPDATE charge SET lease_until = now() WHERE id = '$charge'",
    ],
    [
      "only charges and refunds in progress are leased, and each charge with a pending act has a next look-up",
      "UPDATE refund SET lease_until = now()",
    ],
    ["no two charges belong to one payment at a processor", "UPDATE charge SET processor_ref = 'one'"],
    [
      "while the dispatcher runs, every event is dispatched to its deliveries",
      `UPDATE event SET dispatched_at = NULL WHERE object_id = '$charge'; ${ranTomorrow("dispatch-events")}`,
    ],
    [
      "a dispatched event has a delivery for each endpoint of its recipients",
      "DELETE FROM webhook_delivery WHERE object_id = '$charge'",
    ],
    ["a delivery's state follows from its attempts", "UPDATE webhook_attempt SET status = 503"],
    ["a delivery's state follows from its attempts", "DELETE FROM webhook_attempt"],
    [
      "for each endpoint, the first attempts of the events of one object were sent in order",
      "UPDATE webhook_delivery SET tried_at = tried_at + interval '1 minute' WHERE sequence = 1",
    ],
    [
      "each key of a merchant's usage events identifies exactly one event",
      "INSERT INTO usage_event_key VALUES ('mch', 'api', '1', '-', now())",
    ],
    [
      "each key of a merchant's usage events identifies exactly one event",
      "INSERT INTO usage_event_key VALUES ('mch', 'api', '1', '-', '2026-11-01Z'); INSERT INTO usage_event SELECT 'mch', '2026-11-01Z', 'uev_' || n, 'api', '1', 'a', NULL, 1, now() FROM generate_series(1, 2) n",
    ],
    [
      "an hourly sum of a merchant's own meter equals the sum of its events",
      "INSERT INTO usage_hour VALUES ('mch', date_trunc('hour', now(), 'UTC'), 'a', 1, 1)",
    ],
    [
      "an hourly sum of a merchant's own meter equals the sum of its events",
      "INSERT INTO usage_event VALUES ('mch', now(), 'uev_1', 'api', '1', 'a', NULL, 1, now())",
    ],
    [
      "a per-minute sum of a merchant's verifications counts each verification once",
      "INSERT INTO verification VALUES ('mch', now(), 'vrf_1', 'cl', NULL)",
    ],
    [
      "a per-minute sum of a merchant's verifications counts each verification once",
      "INSERT INTO verification_minute VALUES ('mch', date_trunc('minute', now(), 'UTC'), 1, 1)",
    ],
    [
      "a per-minute sum of a meter counts each event of the meter once",
      "INSERT INTO meter_event VALUES ('mch', 'step_ups', now(), 'mev_1', 'cl', NULL)",
    ],
    [
      "a per-minute sum of a meter counts each event of the meter once",
      "INSERT INTO meter_minute VALUES ('mch', 'step_ups', date_trunc('minute', now(), 'UTC'), 1, 1)",
    ],
    [
      "a daily sum of captured amounts counts each charge once",
      `${summedDay}; INSERT INTO charge_amount_day SELECT 'mch', 'EUR', day, 100, 1 FROM meter_reconciliation_day`,
    ],
    [
      "the mandates counted for a day are those that were charged on that day",
      `${summedDay}; INSERT INTO charge_mandate_day SELECT 'mch', day, 'mdt', day FROM meter_reconciliation_day`,
    ],
    ...billingRows,
    [
      "the versions of a participant are numbered without gaps up to its current version",
      "INSERT INTO participant (id, display_name, version, created_at, updated_at) VALUES ('ptc_1', 'One', 1, now(), now())",
    ],
    [
      "a merchant's clients belong to the directory entry of this merchant",
      `WITH p AS (INSERT INTO participant (id, display_name, created_at, updated_at) VALUES ('ptc_2', 'Two', now(), now()) RETURNING id)
       UPDATE client SET participant_id = p.id FROM p WHERE merchant_id IS NOT NULL`,
    ],
    [
      "each version of a participant has one index in the directory's log, and the indexes have no gaps",
      "INSERT INTO directory_log_entry (log_index, participant_id, version) VALUES (7, 'ptc_1', 1)",
    ],
  ];
  test.each(rows)("the violation of the rule '%s' is found after %s", async (rule, sql) => {
    expect(await rulesBrokenBy(sql)).toContain(rule);
  });

  test("no exceeded limit is reported if a release made room while the charge waited for the lock", async () => {
    const later =
      "UPDATE charge SET amount = 8000, final_at = created_at + interval '10 seconds' WHERE state = 'declined'";
    expect((await rulesBrokenBy(later)).filter((rule) => rule.startsWith("used plus held never exceeded"))).toEqual([]);
  });

  test("each rule has a test case", () => {
    expect(invariants.map(({ name }) => name).filter((name) => !rows.some(([rule]) => rule === name))).toEqual([]);
  });
});
